import type { QueryValidator } from '../warehouse/query-validator.ts'
import type { Schema, TableSchema } from '../warehouse/schema.ts'
import { scopeOfSchema } from '../warehouse/scope-of-schema.ts'
import { splitTokens } from '../warehouse/sql/sql-tokens.ts'
import type { GuardVerdict, SqlGuard } from '../warehouse/sql-guard.ts'
import { firstPart, qualifiedName } from '../warehouse/table-names.ts'
import { type Metric, metricQuery, type Term, type VerifiedQuery } from './files.ts'
import { qualifiedNames } from './hints.ts'
import type { DomainPack } from './pack.ts'
import { verifiedQueryFaults } from './verified-query-faults.ts'

/** A column that a definition reads, and those texts of the definition's SQL that are values of the column. */
export interface ReadColumn {
  /** `database.table.column` */
  readonly column: string
  readonly type: string
  readonly values: readonly string[]
}

/** The result of the check of a term, metric or verified query. */
export type CheckedDefinition = {
  /** The term, the metric's name, or the verified question. */
  readonly name: string
  /** The SQL of a metric or verified query. Empty for a term. */
  readonly sql: string
  /** Why the definition does not fit the schema, as sentences. */
  readonly faults: readonly string[]
  /** Empty if the definition does not fit. */
  readonly reads: readonly ReadColumn[]
} & (
  | { readonly kind: 'term'; readonly entry: Term }
  | { readonly kind: 'metric'; readonly entry: Metric }
  | { readonly kind: 'verified'; readonly entry: VerifiedQuery }
)

interface CheckDeps {
  readonly guard: Pick<SqlGuard, 'check'>
  readonly validator: Pick<QueryValidator, 'check'>
  /** The first one is the current database. */
  readonly databases: readonly string[]
}

/** Checks every term, metric and verified query against the schema. Runs no query. */
export async function checkDefinitions(
  { terms, metrics, verifiedQueries }: Pick<DomainPack, 'terms' | 'metrics' | 'verifiedQueries'>,
  schema: Schema,
  deps: CheckDeps,
  signal: AbortSignal,
): Promise<readonly CheckedDefinition[]> {
  const checked: CheckedDefinition[] = terms.map(entry => {
    const faults = missingTables(entry.means, schema).map(table => `It names ${table}, which is not there.`)
    return { kind: 'term', entry, name: entry.term, sql: '', faults, reads: [] }
  })
  for (const entry of metrics) {
    const sql = metricQuery(entry)
    checked.push({ kind: 'metric', entry, name: entry.name, sql, ...(await checkSql(sql, schema, deps, signal)) })
  }
  for (const entry of verifiedQueries) {
    const { question: name, sql } = entry
    const { faults, reads } = await checkSql(sql, schema, deps, signal)
    const all = [...verifiedQueryFaults(entry, verifiedQueries, schema), ...faults]
    checked.push({ kind: 'verified', entry, name, sql, faults: all, reads })
  }
  return checked
}

/** Finds names in a text that look like a table of a known database, and are none. */
function missingTables(text: string, { databases, tables }: Schema): readonly string[] {
  const known = new Set(tables.map(qualifiedName))
  const inUse = new Set(databases.map(({ name }) => name))
  return [...new Set(qualifiedNames(text))].filter(name => inUse.has(firstPart(name)) && !known.has(name))
}

async function checkSql(
  sql: string,
  schema: Schema,
  { guard, validator, databases }: CheckDeps,
  signal: AbortSignal,
): Promise<Pick<CheckedDefinition, 'faults' | 'reads'>> {
  const verdict = await guard.check(sql, scopeOfSchema(schema, databases), signal)
  if (verdict.verdict === 'reject') return { faults: [verdict.message], reads: [] }
  const checked = await validator.check(verdict, { schema }, signal)
  if (checked.verdict === 'invalid') return { faults: [checked.message], reads: [] }
  const faults = checked.verdict === 'unchecked' ? [`It could not be checked: ${checked.reason}.`] : []
  return { faults, reads: columnsRead(verdict, schema.tables) }
}

/** Returns the columns of the query's tables that the query names. Alike names in several of its tables all count. */
function columnsRead(
  { canonical, tables: named }: Extract<GuardVerdict, { verdict: 'allow' }>,
  tables: readonly TableSchema[],
): readonly ReadColumn[] {
  const tokens = splitTokens(canonical) ?? []
  const words = new Set(tokens.filter(({ kind }) => kind === 'word' || kind === 'name').map(({ value }) => value))
  const texts = [...new Set(tokens.filter(({ kind }) => kind === 'string').map(({ value }) => value))]
  return tables
    .filter(table => named.includes(qualifiedName(table)))
    .flatMap(table => table.columns.map(column => ({ ...column, column: `${qualifiedName(table)}.${column.name}` })))
    .filter(({ name }) => words.has(name))
    .map(({ column, type, statistics }) => ({
      column,
      type,
      values: texts.filter(text => statistics?.samples.includes(text)),
    }))
}
