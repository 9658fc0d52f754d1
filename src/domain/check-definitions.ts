import type { QueryValidator } from '../warehouse/query-validator.ts'
import type { Schema, TableSchema } from '../warehouse/schema.ts'
import { scopeOfSchema } from '../warehouse/scope-of-schema.ts'
import { splitTokens } from '../warehouse/sql/sql-tokens.ts'
import type { GuardVerdict, SqlGuard } from '../warehouse/sql-guard.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import { metricQuery } from './files.ts'
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
export interface CheckedDefinition {
  readonly kind: 'term' | 'metric' | 'verified'
  /** The term, the metric's name, or the verified question. */
  readonly name: string
  /** The SQL of a metric or verified query. Empty for a term. */
  readonly sql: string
  /** Why the definition does not fit the schema, as sentences. */
  readonly faults: readonly string[]
  /** Empty if the definition does not fit. */
  readonly reads: readonly ReadColumn[]
}

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
  const checked: CheckedDefinition[] = terms.map(({ term: name, means }) => {
    const faults = missingTables(means, schema).map(table => `It names ${table}, which is not there.`)
    return { kind: 'term', name, sql: '', faults, reads: [] }
  })
  for (const metric of metrics) {
    const sql = metricQuery(metric)
    checked.push({ kind: 'metric', name: metric.name, sql, ...(await checkSql(sql, schema, deps, signal)) })
  }
  for (const query of verifiedQueries) {
    const { question: name, sql } = query
    const own = verifiedQueryFaults(query, verifiedQueries, schema)
    const { faults, reads } = await checkSql(sql, schema, deps, signal)
    checked.push({ kind: 'verified', name, sql, faults: [...own, ...faults], reads })
  }
  return checked
}

/** Finds names in a text that look like a table of a known database, and are none. */
export function missingTables(text: string, { databases, tables }: Schema): readonly string[] {
  const known = new Set(tables.map(qualifiedName))
  const inUse = new Set(databases.map(({ name }) => name))
  return [...new Set(qualifiedNames(text))].filter(name => inUse.has(name.split('.', 1)[0] ?? '') && !known.has(name))
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
  const used = tables.filter(table => named.includes(qualifiedName(table)))
  return used.flatMap(table =>
    table.columns
      .filter(({ name }) => words.has(name))
      .map(({ name, type, statistics }) => ({
        column: `${qualifiedName(table)}.${name}`,
        type,
        values: texts.filter(text => statistics?.samples.includes(text)),
      })),
  )
}
