import { z } from 'zod'
import type { Cell } from '../../warehouse/warehouse.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { QueryReport } from '../run/result.ts'

const minutes = z.number().int().min(0).max(AGENT_LIMITS.subscribe.mostMinutes).default(0)

/**
 * What a result must be like for it to be told. `minutes`: for how long, over the runs in a row. `rows`: there are rows at all.
 * `appears` and `disappears`: rows that the run before did not have, or did have.
 */
export const conditionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('threshold'),
    operator: z.enum(['above', 'at_least', 'below', 'at_most', 'equals']),
    value: z.number(),
    minutes,
  }),
  /** `by` is null for any change of the rows. */
  z.object({ kind: z.literal('change'), by: z.number().positive().nullable(), unit: z.enum(['absolute', 'percent']) }),
  z.object({ kind: z.literal('rows'), minutes }),
  z.object({ kind: z.literal('appears') }),
  z.object({ kind: z.literal('disappears'), minutes }),
])
export type Condition = z.infer<typeof conditionSchema>

/** The column that a condition on figures is about, if the query names one so. */
export const WATCHED = 'watched'

/** What is remembered from run to run of a result that is watched. */
export const watchedSchema = z.object({
  /** The watched figure of each row by its key. Null where the row has none. */
  figures: z.record(z.string(), z.number().nullable()),
  /** A digest of the rows, by key. */
  texts: z.record(z.string(), z.string()),
  /** Since which due time the condition holds, by key. Unix time in milliseconds. */
  since: z.record(z.string(), z.number()),
})
export type Watched = z.infer<typeof watchedSchema>

type Result = Pick<QueryReport, 'columns' | 'rows'>

/** Finds the column of figures that a condition is about: the one named so, or the only one. -1 if there is none. */
export function watchedColumn({ columns }: Pick<QueryReport, 'columns'>): number {
  const named = columns.findIndex(({ name }) => name === WATCHED)
  if (named >= 0) return named
  const figures = columns.flatMap((column, at) => (isFigure(column) ? [at] : []))
  return figures.length === 1 ? (figures[0] ?? -1) : -1
}

/** Whether a condition can be computed from such a result. */
export function fitsCondition(condition: Condition, result: Pick<QueryReport, 'columns'>): boolean {
  const needsFigure = condition.kind === 'threshold' || (condition.kind === 'change' && condition.by !== null)
  return !needsFigure || watchedColumn(result) >= 0
}

/** Decides for which rows, by their keys, the condition holds at a due time, and has held for long enough. */
export function checkCondition(
  condition: Condition,
  result: Result,
  before: Watched | undefined,
  due: number,
): { readonly holding: readonly string[]; readonly firing: readonly string[]; readonly watched: Watched } {
  const now = figuresOf(result)
  const holding = holdingKeys(condition, now, before).slice(0, AGENT_LIMITS.subscribe.watchedRows)
  const since = Object.fromEntries(holding.map(key => [key, before?.since[key] ?? due]))
  const waited = 'minutes' in condition ? condition.minutes * 60_000 : 0
  const firing = holding.filter(key => due - (since[key] ?? due) >= waited)
  // A row that has disappeared is remembered until it is back.
  const gone = condition.kind === 'disappears' ? holding : []
  const figures = { ...now.figures, ...Object.fromEntries(gone.map(key => [key, before?.figures[key] ?? null])) }
  const texts = { ...now.texts, ...Object.fromEntries(gone.map(key => [key, before?.texts[key] ?? ''])) }
  return { holding, firing, watched: { figures, texts, since } }
}

function holdingKeys(condition: Condition, now: Omit<Watched, 'since'>, before: Watched | undefined): readonly string[] {
  const keys = Object.keys(now.texts)
  const last = Object.keys(before?.texts ?? {})
  const added = keys.filter(key => before !== undefined && before.texts[key] === undefined)
  const gone = last.filter(key => now.texts[key] === undefined)
  switch (condition.kind) {
    case 'threshold':
      return keys.filter(key => reaches(condition, now.figures[key] ?? null))
    case 'change': {
      const changed = keys.filter(key => before?.texts[key] !== undefined && hasChanged(condition, key, now, before))
      return condition.by === null ? [...changed, ...added, ...gone] : changed
    }
    case 'rows':
      return keys
    case 'appears':
      return added
    case 'disappears':
      return gone
  }
}

function reaches({ operator, value }: Extract<Condition, { kind: 'threshold' }>, figure: number | null): boolean {
  if (figure === null) return false
  switch (operator) {
    case 'above':
      return figure > value
    case 'at_least':
      return figure >= value
    case 'below':
      return figure < value
    case 'at_most':
      return figure <= value
    case 'equals':
      return figure === value
  }
}

function hasChanged(
  { by, unit }: Extract<Condition, { kind: 'change' }>,
  key: string,
  now: Omit<Watched, 'since'>,
  before: Omit<Watched, 'since'>,
): boolean {
  if (by === null) return now.texts[key] !== before.texts[key]
  const [figure, last] = [now.figures[key] ?? null, before.figures[key] ?? null]
  if (figure === null || last === null) return figure !== last
  const moved = Math.abs(figure - last)
  return unit === 'absolute' ? moved >= by : last === 0 ? moved > 0 : (100 * moved) / Math.abs(last) >= by
}

function figuresOf(result: Result): Omit<Watched, 'since'> {
  const column = watchedColumn(result)
  const keyed = [...keyedRows(result)].slice(0, AGENT_LIMITS.subscribe.watchedRows)
  return {
    figures: Object.fromEntries(keyed.map(([key, row]) => [key, figureOf(row[column])])),
    texts: Object.fromEntries(keyed.map(([key, row]) => [key, JSON.stringify(row)])),
  }
}

/** Returns the rows by what they are about: their names, ids and times, without their figures. */
export function keyedRows({ columns, rows }: Result): ReadonlyMap<string, readonly Cell[]> {
  const named = keyColumns(columns)
  const keyOf = (row: readonly Cell[], at: number) =>
    named.length > 0 ? named.map(column => cellText(row[column])).join(' · ') : rows.length === 1 ? '' : `${at + 1}`
  return new Map(rows.map((row, at) => [keyOf(row, at), row]))
}

/** Returns the columns that tell what a row is about. */
export function keyColumns(columns: QueryReport['columns']): readonly number[] {
  return columns.flatMap((column, at) => (isFigure(column) || column.name === WATCHED ? [] : [at]))
}

export function figureOf(cell: Cell | undefined): number | null {
  if (typeof cell !== 'number' && typeof cell !== 'string') return null
  const figure = cell === '' ? Number.NaN : Number(cell)
  return Number.isNaN(figure) ? null : figure
}

function isFigure({ name, type }: QueryReport['columns'][number]): boolean {
  return /\b(?:U?Int\d+|Float\d+|Decimal|numeric|integer|bigint|smallint|real|double)/i.test(type) && !/(?:^|_)ids?$/i.test(name)
}

function cellText(cell: Cell | undefined): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell ?? null)
}
