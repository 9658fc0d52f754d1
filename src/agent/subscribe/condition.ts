import { z } from 'zod'
import { MINUTE_MS } from '../../base/durations.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { drawnNumber } from '../chart/numbers.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { QueryReport } from '../run/result.ts'
import { nextDue, type Recurrence } from './schedule.ts'

const minutes = z.number().int().min(0).max(AGENT_LIMITS.subscribe.mostMinutes).default(0)

/**
 * What a result must be like for it to be told. `minutes`: for how long, over the runs in a row. `rows`: there are rows at all.
 * `appears` and `disappears`: rows that the run before did not have, or did have. `list`: either, whatever their figures.
 */
export const conditionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('threshold'),
    operator: z.enum(['above', 'at_least', 'below', 'at_most', 'equals']),
    value: z.number(),
    minutes,
  }),
  /** `by` is null for any change of the rows. `direction` is null for both. */
  z.object({
    kind: z.literal('change'),
    by: z.number().positive().nullable(),
    unit: z.enum(['absolute', 'percent']).nullable(),
    direction: z.enum(['up', 'down']).nullish(),
  }),
  z.object({ kind: z.literal('rows'), minutes }),
  z.object({ kind: z.literal('appears') }),
  z.object({ kind: z.literal('list') }),
  z.object({ kind: z.literal('disappears'), minutes }),
])
export type Condition = z.infer<typeof conditionSchema>

/** The column that a condition on figures is about, if the query names one so. */
export const WATCHED = 'watched'

/** The rows of a watched result, as they are remembered. */
export const watchedSchema = z
  .array(
    z.object({
      key: z.string(),
      row: z.string(),
      /** The watched figure. Null if the row has none. */
      figure: z.number().nullable(),
      /** Since which due time the condition holds, in Unix milliseconds. Null if it does not. */
      since: z.number().nullable(),
    }),
  )
  .readonly()
export type Watched = z.infer<typeof watchedSchema>

/** A plan whose queries know the columns that tell what a row is about. */
export interface KeyedPlan {
  readonly queries: readonly { readonly id: string; readonly key?: readonly number[] | undefined }[]
}

interface Watching {
  readonly condition: Condition | null
  /** The rows of the last run that read. Null if there was none. */
  readonly watched: Watched | null
  readonly plan?: KeyedPlan
  readonly recurrence?: Recurrence
  /** The due time of the last run that could be checked. */
  readonly lookedAt?: number | undefined
}

/** Finds the column of figures that a condition is about: the one named so, or the only one. -1 if there is none. */
export function watchedColumn({ columns }: Pick<QueryReport, 'columns'>): number {
  const named = columns.findIndex(({ name }) => name === WATCHED)
  if (named >= 0) return named
  const figures = columns.flatMap((column, at) => (isFigure(column) ? [at] : []))
  return figures.length === 1 ? (figures[0] ?? -1) : -1
}

/** Whether a condition can be computed from such a result. */
export function fitsCondition(condition: Condition, result: Pick<QueryReport, 'columns'>): boolean {
  return (condition.kind !== 'threshold' && !isMove(condition)) || watchedColumn(result) >= 0
}

/**
 * Whether a result has too many rows for a condition. Rows that were cut off cannot be judged. A comparison with the run before
 * needs all of its rows, and only so many are remembered.
 */
export function isTooLong({ kind }: Condition, { rows, truncated }: Pick<QueryReport, 'rows' | 'truncated'>): boolean {
  return kind !== 'rows' && (truncated || (!isOnOneRun(kind) && rows.length > AGENT_LIMITS.subscribe.watchedRows))
}

/** Whether a condition looks at one run alone. Then only rows for which it holds are remembered, for how long it has. */
function isOnOneRun(kind: Condition['kind']): boolean {
  return kind === 'threshold' || kind === 'rows'
}

/** Whether a condition is about a move of the figure, and not about any change of the rows. */
function isMove(condition: Condition): condition is Extract<Condition, { kind: 'change' }> {
  return condition.kind === 'change' && (condition.by !== null || !!condition.direction)
}

/**
 * Decides for which rows, by their keys, the condition holds at a due time (`holding`), and has held for long enough (`firing`).
 * @returns null if there is no condition, or if it cannot be computed from the result
 */
export function checkCondition(watching: Watching, [first]: readonly QueryReport[], due: number) {
  const { condition, watched: before, plan, recurrence, lookedAt = due } = watching
  if (condition === null || first?.error !== null || !fitsCondition(condition, first)) return null
  const isCut = isTooLong(condition, first)
  if (isCut && !isOnOneRun(condition.kind)) return null
  const last = new Map(before?.map(each => [each.key, each]))
  const column = watchedColumn(first)
  const keyed = keyedRows(first, plan?.queries[0]?.key)
  const rows = [...keyed].map(([key, row]) => ({ key, row: JSON.stringify(row), figure: drawnNumber(row[column]) }))
  const present = new Set(rows.map(({ key }) => key))
  const gone = [...last.values()].filter(({ key }) => !present.has(key))
  const waited = 'minutes' in condition ? condition.minutes * MINUTE_MS : 0
  // Nobody knows whether it held in between.
  const isBroken = due - lookedAt > waited && recurrence !== undefined && (nextDue(recurrence, lookedAt) ?? due) < due
  const judged = [...rows, ...gone].map(row => {
    const old = last.get(row.key)
    const isHolding = holds(condition, row, old, { isGone: !present.has(row.key), isFirst: before === null })
    return { ...row, since: isHolding ? ((isBroken ? null : old?.since) ?? due) : null }
  })
  const holding = judged.filter(({ since }) => since !== null)
  // It may hold for rows that were cut off.
  if (isCut && holding.length === 0) return null
  return {
    ...{ keyed, columns: first.columns, truncated: first.truncated },
    holding: holding.map(({ key }) => key),
    firing: holding.filter(({ since }) => due - (since ?? due) >= waited).map(({ key }) => key),
    /** Whether the condition holds for one run only. What has changed is told, and never resolved. */
    isEvent: condition.kind === 'change' || condition.kind === 'appears' || condition.kind === 'list',
    watched: isOnOneRun(condition.kind)
      ? holding.slice(0, AGENT_LIMITS.subscribe.watchedRows)
      : // A row that has disappeared is remembered until it is back.
        judged.filter(({ key }) => condition.kind === 'disappears' || present.has(key)),
  }
}
export type Check = NonNullable<ReturnType<typeof checkCondition>>

/**
 * Whether a condition holds for a row.
 * @param old the row in the run before
 * @param isGone whether this run does not have it any more. Then `row` is the old one
 * @param isFirst whether there was no run before
 */
function holds(
  condition: Condition,
  { row, figure }: Pick<Watched[number], 'row' | 'figure'>,
  old: Watched[number] | undefined,
  { isGone, isFirst }: { readonly isGone: boolean; readonly isFirst: boolean },
): boolean {
  if (condition.kind === 'threshold') return !isGone && figure !== null && REACHES[condition.operator](figure, condition.value)
  if (isMove(condition)) return !isGone && old !== undefined && hasMoved(condition, figure, old.figure)
  const isNew = old === undefined && !isFirst
  const list = isGone || isNew
  const change = list || (old !== undefined && old.row !== row)
  return { rows: !isGone, appears: isNew, disappears: isGone, list, change }[condition.kind]
}

const REACHES = {
  above: (figure: number, value: number) => figure > value,
  at_least: (figure: number, value: number) => figure >= value,
  below: (figure: number, value: number) => figure < value,
  at_most: (figure: number, value: number) => figure <= value,
  equals: (figure: number, value: number) => figure === value,
}

function hasMoved(
  { by, unit, direction }: Extract<Condition, { kind: 'change' }>,
  now: number | null,
  old: number | null,
): boolean {
  if (now === null || old === null) return now !== old && !direction
  const moved = direction === 'up' ? now - old : direction === 'down' ? old - now : Math.abs(now - old)
  if (by === null) return moved > 0
  return unit !== 'percent' ? moved >= by : old === 0 ? moved > 0 : (100 * moved) / Math.abs(old) >= by
}

/**
 * Returns the rows by what they are about. Rows that are about the same are numbered, so that none is left out.
 * @param named the columns that tell it, by their places
 */
export function keyedRows(
  { columns, rows }: Pick<QueryReport, 'columns' | 'rows'>,
  named: readonly number[] = keyColumns(columns),
): ReadonlyMap<string, readonly Cell[]> {
  const keyOf = (row: readonly Cell[], at: number) =>
    named.length > 0 ? named.map(column => cellText(row[column])).join(' · ') : rows.length === 1 ? '' : `${at + 1}`
  const seen = new Map<string, number>()
  return new Map(
    rows.map((row, at) => {
      const key = keyOf(row, at)
      const times = (seen.get(key) ?? 0) + 1
      seen.set(key, times)
      return [times === 1 ? key : `${key} (${times})`, row]
    }),
  )
}

/** Returns the columns that may tell what a row is about: names, ids and times, which are no figures. */
export function keyColumns(columns: QueryReport['columns']): readonly number[] {
  return columns.flatMap((column, at) => (isFigure(column) || column.name === WATCHED ? [] : [at]))
}

function isFigure({ name, type }: QueryReport['columns'][number]): boolean {
  return /\b(?:U?Int\d+|Float\d+|Decimal|numeric|integer|bigint|smallint|real|double)/i.test(type) && !/(?:^|_)ids?$/i.test(name)
}

function cellText(cell: Cell | undefined): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell ?? null)
}
