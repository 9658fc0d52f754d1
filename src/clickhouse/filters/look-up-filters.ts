import { z } from 'zod'
import { settledWithin } from '../../base/done-within.ts'
import { withTimeLimit } from '../../base/with-time-limit.ts'
import { isSensitiveColumn } from '../../warehouse/catalog/sensitive-name.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { FilterFinding, MissingValue } from '../../warehouse/filter-finding.ts'
import type { ColumnSchema, Schema, TableSchema } from '../../warehouse/schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { cutValue, nearValues, withoutWildcards } from './near-values.ts'
import type { FilterConstant } from './read-constant.ts'
import { type ColumnFilter, type FilterOperator, type JoinedColumns, readFilters } from './read-filters.ts'
import { BoundValues, conditionSql, shownFilter } from './sql.ts'

const WITH_NEAR_VALUES: ReadonlySet<FilterOperator> = new Set([
  'equals',
  'in',
  'like',
  'ilike',
  'startsWith',
  'endsWith',
  'position',
  'positionUTF8',
  'positionCaseInsensitive',
  'positionCaseInsensitiveUTF8',
  'hasToken',
  'hasTokenCaseInsensitive',
])

interface KnownFilter {
  readonly filter: ColumnFilter
  readonly table: TableSchema
  readonly column: ColumnSchema
  readonly constants: readonly FilterConstant[]
}

/**
 * Looks up facts about the columns on which a query filters: how many rows match each filter, and the range of number and time
 * columns. For a text that no row has, finds similar values. Reads only columns of the schema, and never private ones. Constants
 * are bound as parameters. If a look-up query fails or takes too long, its facts are missing.
 * @param options.timeLimitMs the time limit of the whole look-up; default one second
 * @param options.sql canonical text of a query that the guard allowed
 * @throws WarehouseError of kind `cancelled` only
 */
export async function lookUpFilters(
  warehouse: Pick<Warehouse, 'read'>,
  {
    sql,
    schema,
    timeLimitMs = SERVER_LIMITS.lookUp.timeMs,
  }: { readonly sql: string; readonly schema: Schema; readonly timeLimitMs?: number },
  signal: AbortSignal,
): Promise<readonly FilterFinding[]> {
  const bounded = withTimeLimit(signal, timeLimitMs)
  const look: Look = { warehouse, schema, timeLimitMs, signal: bounded, found: [] }
  await settledWithin(timeLimitMs, lookUp(look, sql))
  if (signal.aborted) throw new WarehouseError('The look-up was cancelled', { kind: 'cancelled', cause: signal.reason })
  const found = look.found.flat()
  const met = new Set(found.flatMap(({ oneOf, finding }) => (Number(finding.matching) > 0 ? oneOf : undefined)))
  met.delete(undefined)
  return found.map(({ finding, missing, oneOf }) => {
    const spare = met.has(oneOf) && { has_alternative: true }
    return { ...finding, missing: missing.map(value => ({ ...value, ...spare })) }
  })
}

interface Found {
  readonly finding: Omit<FilterFinding, 'missing'>
  readonly missing: MissingValue[]
  readonly oneOf?: string | undefined
}

/** A look-up in progress. Findings are added as they arrive, so a timeout loses only the later ones. */
interface Look {
  readonly warehouse: Pick<Warehouse, 'read'>
  readonly schema: Schema
  readonly timeLimitMs: number
  readonly signal: AbortSignal
  /** One list of findings for each table and each join, in the order of their look-ups. */
  readonly found: Found[][]
}

async function lookUp(look: Look, sql: string): Promise<void> {
  const tree = `EXPLAIN QUERY TREE run_passes = 1, passes = 1 SELECT * FROM (${sql})`
  const { rows } = await look.warehouse.read(
    { sql: tree, maxRows: SERVER_LIMITS.treeLines, timeoutMs: look.timeLimitMs },
    look.signal,
  )
  const { filters, joins } = readFilters(linesSchema.parse(rows).flatMap(line => line.split('\n')))
  const known = filters.flatMap(filter => knownFilter(filter, look.schema) ?? []).slice(0, SERVER_LIMITS.lookUp.filters)
  const tables = [...new Set(known.map(({ table }) => table))].slice(0, SERVER_LIMITS.lookUp.tables)
  const newList = () => {
    const list: Found[] = []
    look.found.push(list)
    return list
  }
  await Promise.allSettled([
    ...tables.map(table => {
      const filtersOfTable = known.filter(filter => filter.table === table)
      return lookUpTable(look, newList(), table, filtersOfTable)
    }),
    ...joins.slice(0, SERVER_LIMITS.lookUp.joins).map(join => lookUpJoin(look, newList(), join)),
  ])
}

/**
 * Counts how many values of one joined column also occur in the other. If there are none, the query joins on the wrong columns.
 */
async function lookUpJoin(
  { warehouse, schema, timeLimitMs, signal }: Look,
  found: Found[],
  { left, right }: JoinedColumns,
): Promise<void> {
  const [known, other] = [knownColumn(left, schema), knownColumn(right, schema)]
  if (known === undefined || other === undefined) return
  const sql = `SELECT toString(count()), toString(countIf(clew_value IN (SELECT ${quoteIdentifier(right.column)} FROM ${quoteTable(other.table)})))
    FROM (SELECT DISTINCT ${quoteIdentifier(left.column)} AS clew_value FROM ${quoteTable(known.table)} LIMIT ${SERVER_LIMITS.lookUp.joinedValues})`
  const { rows } = await warehouse.read({ sql, timeoutMs: timeLimitMs }, signal)
  const [different, shared] = cellsSchema.parse(rows[0])
  if (different == null || shared == null) return
  const column = `${left.table}.${left.column}`
  const joined = { column: `${right.table}.${right.column}`, different, shared }
  found.push({
    finding: { column, condition: `${column} = ${joined.column}`, matching: null, rows: null, range: null, joined },
    missing: [],
  })
}

/** Returns the column from the schema. Returns undefined if it is unknown or must not be read. */
function knownColumn(
  { table: tableName, column: columnName }: Pick<ColumnFilter, 'table' | 'column'>,
  schema: Schema,
): { readonly table: TableSchema; readonly column: ColumnSchema } | undefined {
  const table = schema.tables.find(candidate => qualifiedName(candidate) === tableName)
  const column = table?.columns.find(candidate => candidate.name === columnName)
  if (table === undefined || column === undefined) return undefined
  const isComputed = column.computed?.kind === 'ALIAS' || column.computed?.kind === 'EPHEMERAL'
  return column.isPrivate || isComputed || isSensitiveColumn(column) ? undefined : { table, column }
}

/** Returns the filter with its column from the schema. Returns undefined if there is nothing to look up. */
function knownFilter(filter: ColumnFilter, schema: Schema): KnownFilter | undefined {
  const known = knownColumn(filter, schema)
  // If a look-up cannot apply the filter's functions, it can only give the minimum and maximum of the column. Only number and
  // time columns have these.
  if (known === undefined || (filter.functions === undefined && !hasRange(known.column))) return undefined
  return { ...known, filter, constants: filter.constants.slice(0, SERVER_LIMITS.lookUp.constants) }
}

async function lookUpTable(look: Look, list: Found[], table: TableSchema, filters: readonly KnownFilter[]): Promise<void> {
  const counted = await countRows(look, table, filters)
  list.push(...counted.map(({ found }) => found))
  const missing = counted.flatMap(({ known, found, absent }) => absent.map((text, index) => ({ known, found, text, index })))
  await Promise.allSettled(
    missing.slice(0, SERVER_LIMITS.lookUp.missingTexts).map(async ({ known, found, text, index }) => {
      const near = await nearValues(look.warehouse, { ...known, wanted: text, timeoutMs: look.timeLimitMs }, look.signal)
      const value = found.missing[index]
      const isHere = near.near.some(other => lower(other.trim()) === lower(text.trim()))
      if (value !== undefined) found.missing[index] = { ...value, ...near, ...(isHere && { elsewhere: [] }) }
    }),
  )
}

/**
 * Sends one query per table. It counts all rows, the rows that match each filter, and the rows that match each constant. It also
 * reads the minimum and maximum of the columns.
 */
async function countRows(
  { warehouse, schema, timeLimitMs, signal }: Look,
  table: TableSchema,
  filters: readonly KnownFilter[],
): Promise<readonly { readonly known: KnownFilter; readonly found: Found; readonly absent: readonly string[] }[]> {
  const values = new BoundValues()
  const columns = ['toString(count())']
  const add = (expression: string) => columns.push(expression) - 1
  const places = filters.map(({ filter, column, constants }) => {
    const conditions = constants.flatMap(constant => conditionSql(filter, constant, values) ?? [])
    const name = quoteIdentifier(column.name)
    const zone = /DateTime/.test(column.type) ? ", 'UTC'" : ''
    return {
      each: conditions.map(condition => add(`toString(countIf(${condition}))`)),
      any: conditions.length === 0 ? undefined : add(`toString(countIf(${conditions.join(' OR ')}))`),
      range:
        filter.part === 'value' && hasRange(column)
          ? [add(`toString(min(${name})${zone})`), add(`toString(max(${name})${zone})`)]
          : [],
    }
  })
  const query = {
    sql: `SELECT ${columns.join(', ')} FROM ${quoteTable(table)}`,
    parameters: values.parameters,
    timeoutMs: timeLimitMs,
  }
  const { rows } = await warehouse.read(query, signal)
  const cells = cellsSchema.parse(rows[0])
  const cell = (index: number | undefined) => (index === undefined ? null : (cells[index] ?? null))
  return filters.map((known, index) => {
    const { filter, constants } = known
    const place = places[index]
    const [min, max] = (place?.range ?? []).map(cell)
    // In an empty table, the engine returns a default as minimum and maximum, such as 1970-01-01. Null replaces such a range.
    const hasValues = cell(0) !== '0' && min != null && max != null
    const absent = constants.flatMap((constant, at) => {
      const isAbsent = WITH_NEAR_VALUES.has(filter.operator) && cell(place?.each[at]) === '0' && cell(0) !== '0'
      return constant.kind === 'text' && isAbsent && isTextual(known) ? [constant.text] : []
    })
    const found: Found = {
      finding: {
        column: `${qualifiedName(table)}.${filter.column}`,
        condition: shownFilter(filter),
        matching: cell(place?.any),
        rows: cell(0),
        range: hasValues ? { min: cutValue(min), max: cutValue(max) } : null,
      },
      missing: absent.map(value => ({
        value: cutValue(value),
        ...nameOf(value, filter.operator),
        near: [],
        all: [],
        elsewhere: elsewhere(schema, known, value),
      })),
      oneOf: filter.oneOf,
    }
    return { known, found, absent }
  })
}

function nameOf(value: string, operator: FilterOperator): Pick<MissingValue, 'name'> {
  const name = withoutWildcards(value, operator)
  return name === value ? {} : { name: cutValue(name) }
}

function hasRange(column: ColumnSchema): boolean {
  return ['number', 'small_number', 'time'].includes(readColumnType(column.type).kind)
}

function isTextual({ column }: KnownFilter): boolean {
  return ['text', 'enum', 'array', 'map'].includes(readColumnType(column.type).kind)
}

/** Returns other columns whose known values include this one, in any upper and lower case. */
function elsewhere(schema: Schema, { table, column }: KnownFilter, value: string): readonly string[] {
  const wanted = lower(value.trim())
  const owners = schema.tables.flatMap(other =>
    other.columns
      .filter(candidate => !(other === table && candidate === column))
      .filter(candidate => candidate.statistics?.samples.some(sample => lower(sample) === wanted))
      .map(candidate => `${qualifiedName(other)}.${candidate.name}`),
  )
  return owners.slice(0, 3)
}

function lower(text: string): string {
  return text.toLowerCase()
}

const linesSchema = z.array(z.tuple([z.string()]).transform(([line]) => line))
const cellsSchema = z.array(z.string().nullable())
