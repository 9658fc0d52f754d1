import { DAY_MS } from '../../base/durations.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { firstOfOrder, mentions, timeKey } from '../../warehouse/catalog/time-key.ts'
import type { CostBudget } from '../../warehouse/cost/budget.ts'
import { describeBytes, describeCost, describeCount, tableAsCode } from '../../warehouse/cost/describe-cost.ts'
import type { CostEstimate, TableCost } from '../../warehouse/cost/estimate.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { failureWords } from '../../words/failure.ts'
import { type Language, numberText } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { ExecutionOutcome } from './execution-outcome.ts'

/** A valid query that was too expensive. A narrower query may replace it once. */
export interface Narrowing {
  /** What was too much: `cost`, or the kind of the warehouse's error. */
  readonly kind: string
  /** The SQL as the model wrote it. */
  readonly sql: string
  /** The SQL as the guard printed it. A narrower query must differ from it. */
  readonly canonical: string
  /** The tables that the query reads, as `database.table`. Null if they are unknown. */
  readonly tables: readonly string[] | null
  /** How much the query exceeds the budget, in words for the person: "would read …; allowed are …". */
  readonly why: string
  readonly estimate: CostEstimate | null
  /** Whether the person has allowed the query despite its cost. If so, the narrower query may exceed the budget too. */
  readonly isConfirmed: boolean
}

export function narrowingOf(
  outcome: Extract<ExecutionOutcome, { kind: 'costly' | 'failed' }>,
  { isNarrower, ...run }: { readonly sql: string; readonly isConfirmed: boolean; readonly isNarrower: boolean },
): Narrowing {
  const { canonical, tables, estimate } = outcome
  const query = isNarrower ? 'Even the narrower query' : 'The whole'
  const own = { ...run, canonical, tables, estimate }
  if (outcome.kind === 'costly') return { ...own, kind: 'cost', why: `${query} ${outcome.excess}.` }
  const cost = estimate === null || estimate.tables.length === 0 ? '' : ` It would have read ${describeCost(estimate)}.`
  return { ...own, kind: outcome.error, why: `${outcome.message}${cost}` }
}

/** Writes for the model what its query would have cost, and how to make it cheaper. */
export function narrowingPrompt({ sql, why, estimate }: Narrowing, schema: Schema): string {
  const tables = estimate === null ? [] : costHints(estimate, schema)
  return [
    fenceData('sql', sql),
    `What was too much:\n${fenceData('cost', why)}`,
    ...(tables.length === 0 ? [] : [`What it reads, and by what less can be read:\n${fenceData('tables', tables.join('\n'))}`]),
  ].join('\n\n')
}

/** Describes the tables of a query in one line each, with the way to read less of the table. */
export function costHints({ tables }: CostEstimate, schema: Schema): readonly string[] {
  return tables.slice(0, AGENT_LIMITS.query.narrowedTables).flatMap(cost => tableHint(cost, schema))
}

function tableHint(cost: TableCost, schema: Schema): readonly string[] {
  const table = schema.tables.find(({ database, name }) => `${database}.${name}` === cost.table)
  const columns = cost.columns
    .slice(0, AGENT_LIMITS.query.narrowedColumns)
    .map(({ name, bytes }) => `${onOneLine(name, 60)} ${describeBytes(bytes)}`)
  const facts = [
    `${describeCount(cost.rows)} rows${cost.bytes === 0 ? '' : `, ${describeBytes(cost.bytes)}`}`,
    ...(columns.length === 0 ? [] : [`columns: ${columns.join(', ')}`]),
    ...(table === undefined ? [] : keyHints(table)),
  ]
  return [`- ${onOneLine(cost.table, 120)}: ${facts.join('; ')}`]
}

function keyHints(table: TableSchema): readonly string[] {
  const key = (label: string, text: string | undefined) =>
    text === undefined || text === '' ? [] : [`${label} (${onOneLine(text, 200)})`]
  const time = timeKey(table)
  return [
    ...key('ORDER BY', table.sortingKey),
    ...key('PARTITION BY', table.partitionKey),
    ...key('SAMPLE BY', table.samplingKey),
    ...(time === undefined ? [] : [periodHint(table, time)]),
  ]
}

function periodHint(table: TableSchema, time: TableSchema['columns'][number]): string {
  const name = onOneLine(time.name, 60)
  if (leadsOrder(table, time)) return `a condition on ${name} reads only that period`
  return `a condition on ${name} reads only the partitions that it touches; within them, one on the first columns of the order saves most`
}

/** Suggests a cheaper question to the person, with figures. Undefined if the catalog knows nothing about the tables. */
export function cheaperQuestion(
  estimate: CostEstimate | null,
  budget: CostBudget,
  schema: Schema,
  language: Language,
): string | undefined {
  const words = failureWords(language)
  const [cost] = estimate?.tables ?? []
  const table = schema.tables.find(({ database, name }) => `${database}.${name}` === cost?.table)
  if (estimate === null || cost === undefined) return undefined
  const time = table === undefined ? undefined : timeKey(table)
  if (time === undefined) return words.fewerColumns(tableAsCode(cost.table))
  if (table === undefined || !leadsOrder(table, time)) {
    const first = table?.columns.find(({ name, isPrivate }) => name === firstOfOrder(table) && !isPrivate)
    return words.shorter(first === undefined ? null : onOneLine(first.name, 60))
  }
  const days = daysThatFit(estimate, cost, table, time, budget)
  return words.fitting(days === undefined ? null : numberText(days, language), tableAsCode(cost.table), onOneLine(time.name, 60))
}

/** Returns how many days of data the budget allows, if the query reads the table's whole time range. */
function daysThatFit(
  estimate: CostEstimate,
  cost: TableCost,
  table: TableSchema | undefined,
  time: TableSchema['columns'][number],
  { maxBytes, maxRows }: CostBudget,
): number | undefined {
  const { min = null, max = null } = time.statistics ?? {}
  if (
    table?.rows === null ||
    table === undefined ||
    cost.rows < table.rows * AGENT_LIMITS.query.wholeTableShare ||
    min === null ||
    max === null
  )
    return undefined
  const days = (Date.parse(`${max.slice(0, 10)}Z`) - Date.parse(`${min.slice(0, 10)}Z`)) / DAY_MS + 1
  const share = Math.min(
    maxBytes > 0 && estimate.bytes > 0 ? maxBytes / estimate.bytes : 1,
    maxRows > 0 ? maxRows / estimate.rows : 1,
  )
  const fitting = Math.floor(days * share)
  if (!(share < 1) || !(fitting >= 1)) return undefined
  return fitting
}

/** Whether the table is sorted by this time first, so that the rows of a period are stored together. */
function leadsOrder(table: TableSchema, time: TableSchema['columns'][number]): boolean {
  return mentions(firstOfOrder(table), time.name)
}
