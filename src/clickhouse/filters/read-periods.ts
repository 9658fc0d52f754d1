import { CALENDAR_UNITS, type CalendarUnit, unitsAfter } from '../../base/calendar-unit.ts'
import { type ResolvedNode, readResolvedTree, resolvedBranch, resolvedElements } from '../resolved-tree.ts'
import { type AppliedFunction, ColumnFinder, type FilteredColumn, functionName } from './column-finder.ts'
import { type FilterConstant, readConstant } from './read-constant.ts'
import { type ColumnFilter, type FilterOperator, filtersOf } from './read-filters.ts'

/** A point in time, or a clock time in some time zone. */
export interface TimeLimit {
  /** Unix time, if `zone` is `instant`. Otherwise the clock time as if its zone were UTC: 14:00 in Berlin is 14:00 UTC. */
  readonly milliseconds: number
  /** `instant` for a point in time. Otherwise the time zone of the clock time, or undefined for the zone of the column. */
  readonly zone: string | undefined
}

/** The period of time that a query selects in one time column. */
export interface AskedPeriod {
  /** The table, as `database.table`. */
  readonly table: string
  readonly column: string
  /** The first moment of the period. Undefined if the query sets no start. */
  readonly from: TimeLimit | undefined
  /** The first moment after the period. Undefined if the query sets no end. */
  readonly to: TimeLimit | undefined
  /**
   * The time unit of a time series: months for `GROUP BY toStartOfMonth(day)`. The period then consists of whole units. Undefined
   * if the query is no time series.
   */
  readonly series: CalendarUnit | undefined
}

interface Bounds {
  readonly from?: TimeLimit | undefined
  readonly to?: TimeLimit | undefined
  readonly series?: CalendarUnit
  /**
   * True if a condition on the column gives no known period: Clew cannot read it, or it depends on the data, as in `day > (SELECT
   * max(day) FROM loads)`.
   */
  readonly isUnknown?: boolean
}
/** The start and end that conditions set for each time column, by table and column. */
type BoundsOfColumns = ReadonlyMap<string, Bounds>

const UNITS: Readonly<Record<string, CalendarUnit>> = {
  toStartOfHour: 'hour',
  toDate: 'day',
  toDate32: 'day',
  toStartOfDay: 'day',
  toYYYYMMDD: 'day',
  toMonday: 'week',
  toStartOfWeek: 'week',
  toStartOfISOWeek: 'week',
  toStartOfMonth: 'month',
  toYYYYMM: 'month',
  toStartOfQuarter: 'quarter',
  toStartOfYear: 'year',
  toYear: 'year',
}
const FORMATS: Readonly<Record<string, CalendarUnit>> = { '%Y-%m-%d': 'day', '%F': 'day', '%Y-%m': 'month', '%Y': 'year' }
const WITH_UNIT_BESIDE: ReadonlySet<string> = new Set(['toStartOfInterval', 'dateTrunc', 'formatDateTime'])
/** Functions that change the type of a time but not the moment, such as `toDateTime`. */
const PLAIN: ReadonlySet<string> = new Set([
  'toDateTime',
  'toDateTime64',
  'toTimeZone',
  'assumeNotNull',
  'toNullable',
  'toString',
])
/** Functions for certain hours of every day, or certain weekdays. A condition with them sets no start or end of the period. */
const RECURRING: ReadonlySet<string> = new Set(['toHour', 'toMinute', 'toSecond', 'toDayOfWeek'])

/**
 * Returns the period that a query selects in each table's time column. The start and end come from WHERE. For a column that WHERE
 * does not limit, they come from the conditions of aggregates such as `countIf`. A time series alone gives a period without start
 * and end. The result is empty if the lines cannot be parsed.
 */
export function readPeriods(lines: readonly string[]): readonly AskedPeriod[] {
  const root = readResolvedTree(lines)
  if (root === undefined) return []
  const reader = new PeriodReader(new ColumnFinder(root))
  reader.visit(root, new Map())
  return reader.periods
}

class PeriodReader {
  readonly periods: AskedPeriod[] = []
  readonly #columns: ColumnFinder

  constructor(columns: ColumnFinder) {
    this.#columns = columns
  }

  /** @param outer the starts and ends that outer queries set for the same columns */
  visit(node: ResolvedNode, outer: BoundsOfColumns): void {
    if (node.kind !== 'QUERY') {
      for (const { node: child } of node.branches) this.visit(child, outer)
      return
    }
    const own = combined([outer, this.#filtered(node), this.#grouped(node)], intersection)
    for (const table of tablesOf(resolvedBranch(node, 'JOIN TREE'))) this.#take(table, own)
    // The outer query's period also applies to a subquery in FROM, but not to a subquery that stands for a value.
    for (const { heading, node: child } of node.branches) this.visit(child, heading === 'JOIN TREE' ? own : new Map())
  }

  #take(table: string, bounds: BoundsOfColumns): void {
    for (const [key, { from, to, series, isUnknown }] of bounds) {
      const [owner, column = ''] = key.split('\n')
      if (owner === table && isUnknown !== true) this.periods.push({ table, column, from, to, series })
    }
  }

  #filtered(query: ResolvedNode): BoundsOfColumns {
    const clauses = ['WHERE', 'PREWHERE'].flatMap(heading => resolvedBranch(query, heading) ?? [])
    const filtered = combined(
      clauses.map(clause => this.#boundsOf(clause)),
      intersection,
    )
    const conditions = aggregateConditions(resolvedBranch(query, 'PROJECTION'))
    const counted = combined(
      conditions.map(condition => this.#boundsOf(condition)),
      hull,
    )
    return new Map([...counted, ...filtered])
  }

  #grouped(query: ResolvedNode): BoundsOfColumns {
    const found = resolvedElements(query, 'GROUP BY').flatMap(element => this.#columns.of(element))
    const series = found.flatMap(column => {
      const unit = isTimes(column) ? unitOf(column) : undefined
      return unit === undefined ? [] : [[keyOf(column), { series: unit }] as const]
    })
    return new Map(series)
  }

  #boundsOf(node: ResolvedNode): BoundsOfColumns {
    const name = functionName(node)
    if (name === undefined) return new Map()
    if (name === 'and' || name === 'or') {
      const parts = resolvedElements(node, 'ARGUMENTS').map(part => this.#boundsOf(part))
      if (name === 'and') return combined(parts, intersection)
      // If one branch of an OR does not limit a column, the whole OR does not limit it.
      const inEach = [...(parts[0]?.keys() ?? [])].filter(key => parts.every(part => part.has(key)))
      return new Map([...combined(parts, hull)].filter(([key]) => inEach.includes(key)))
    }
    const filters = filtersOf(name, node, this.#columns).filter(filter => filter.part === 'value')
    const isOfData = resolvedElements(node, 'ARGUMENTS').some(side => side.kind === 'CONSTANT' && hasQuery(side))
    return new Map(
      filters
        .filter(({ applied }) => !applied.some(({ name: each }) => RECURRING.has(each)))
        .map(filter => [keyOf(filter), isOfData || !isTimes(filter) ? { isUnknown: true } : boundsOf(filter)]),
    )
  }
}

function keyOf({ table, column }: Pick<FilteredColumn, 'table' | 'column'>): string {
  return `${table}\n${column}`
}

/** Returns the tables in a query's own FROM, without those in its subqueries. */
function tablesOf(node: ResolvedNode | undefined): readonly string[] {
  if (node === undefined || node.kind === 'QUERY' || node.kind === 'UNION') return []
  const own = node.kind === 'TABLE' ? /(?:^|, )table_name: ([^,]+)/.exec(node.text)?.[1] : undefined
  return [...(own === undefined ? [] : [own]), ...node.branches.flatMap(({ node: child }) => tablesOf(child))]
}

function aggregateConditions(node: ResolvedNode | undefined): readonly ResolvedNode[] {
  if (node === undefined || node.kind === 'QUERY') return []
  const isConditional = functionName(node)?.endsWith('If') === true && node.text.includes('function_type: aggregate')
  const condition = isConditional ? resolvedElements(node, 'ARGUMENTS').at(-1) : undefined
  return condition === undefined ? node.branches.flatMap(({ node: child }) => aggregateConditions(child)) : [condition]
}

function hasQuery(node: ResolvedNode): boolean {
  return node.kind === 'QUERY' || node.branches.some(({ node: child }) => hasQuery(child))
}

function combined(parts: readonly BoundsOfColumns[], combine: (one: Bounds, other: Bounds) => Bounds): BoundsOfColumns {
  const all = new Map<string, Bounds>()
  for (const [key, bounds] of parts.flatMap(part => [...part])) {
    const known = all.get(key)
    all.set(
      key,
      known === undefined ? bounds : { ...combine(known, bounds), isUnknown: (known.isUnknown || bounds.isUnknown) ?? false },
    )
  }
  return all
}

function intersection(one: Bounds, other: Bounds): Bounds {
  return { ...one, ...other, from: later(one.from, other.from), to: earlier(one.to, other.to) }
}

/** Returns the shortest period that covers both: from the earlier start to the later end. */
function hull(one: Bounds, other: Bounds): Bounds {
  return {
    from: one.from && other.from && earlier(one.from, other.from),
    to: one.to && other.to && later(one.to, other.to),
  }
}

function earlier(one: TimeLimit | undefined, other: TimeLimit | undefined): TimeLimit | undefined {
  return one !== undefined && (other === undefined || one.milliseconds <= other.milliseconds) ? one : other
}

function later(one: TimeLimit | undefined, other: TimeLimit | undefined): TimeLimit | undefined {
  return one !== undefined && (other === undefined || one.milliseconds >= other.milliseconds) ? one : other
}

/**
 * Whether an expression of functions on a column still shows the column's time. It may be rounded, or written as a number or
 * text, as by `toYYYYMM(day)`.
 */
function isTimes({ applied }: FilteredColumn): boolean {
  return applied.every(({ name }) => name in UNITS || WITH_UNIT_BESIDE.has(name) || PLAIN.has(name))
}

/**
 * Returns the largest time unit to which the functions on a column round it. For a column of dates, this is at least a day.
 * Returns undefined if nothing is rounded.
 */
function unitOf({ applied, type }: FilteredColumn): CalendarUnit | undefined {
  const ofType = /\bDate(?:32)?\b/.test(type) ? ['day' as const] : []
  const units = [...ofType, ...applied.flatMap(each => unitBy(each) ?? [])]
  return units.sort((one, other) => CALENDAR_UNITS.indexOf(other) - CALENDAR_UNITS.indexOf(one))[0]
}

function unitBy({ name, constants }: AppliedFunction): CalendarUnit | undefined {
  if (!WITH_UNIT_BESIDE.has(name)) return UNITS[name]
  const [text = ''] = constants.flatMap(textsIn)
  if (name === 'formatDateTime') return FORMATS[text]
  const interval = constants.flatMap(constant => /: Int64_1, constant_value_type: Interval(\w+)$/.exec(constant)?.[1] ?? [])[0]
  return CALENDAR_UNITS.find(unit => unit === (interval ?? text).toLowerCase())
}

/** Returns the time zone in the arguments of the functions on a column, such as `Europe/Berlin`, if there is one. */
function zoneOf({ applied }: FilteredColumn): string | undefined {
  return applied.flatMap(({ constants }) => constants.flatMap(textsIn)).find(text => /^UTC$|^[A-Z][A-Za-z]+\/[A-Z]/.test(text))
}

function textsIn(attributes: string): readonly string[] {
  return (readConstant(attributes) ?? []).flatMap(constant => (constant.kind === 'text' ? constant.text : []))
}

function boundsOf(filter: ColumnFilter): Bounds {
  const unit = unitOf(filter)
  const zone = zoneOf(filter)
  const bounds = filter.constants.map(constant => boundsBy(filter.operator, limitOf(constant, unit, zone), unit))
  return bounds.reduce((one, other) => ({ ...hull(one, other), isUnknown: one.isUnknown === true || other.isUnknown === true }))
}

function boundsBy(operator: FilterOperator, limit: TimeLimit | undefined, unit: CalendarUnit | undefined): Bounds {
  if (limit === undefined) return { isUnknown: true }
  const end = unit === undefined ? limit : { ...limit, milliseconds: unitsAfter(limit.milliseconds, unit) }
  switch (operator) {
    case 'greater':
      return { from: end }
    case 'greaterOrEquals':
      return { from: limit }
    case 'less':
      return { to: limit }
    case 'lessOrEquals':
      return { to: end }
    case 'equals':
    case 'in':
      return unit === undefined ? { isUnknown: true } : { from: limit, to: end }
    default:
      return { isUnknown: true }
  }
}

function limitOf(constant: FilterConstant, unit: CalendarUnit | undefined, zone: string | undefined): TimeLimit | undefined {
  switch (constant.kind) {
    case 'instant':
      return { milliseconds: constant.milliseconds, zone: 'instant' }
    case 'date':
      return { milliseconds: Date.parse(constant.text), zone }
    case 'text':
      return wallClock(constant.text, zone)
    case 'number': {
      // A query may write a year, month or day as a number: 2026, 202610, 20261031.
      const [, year, month = '01', day = '01'] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(constant.text) ?? []
      const digits = { year: 4, month: 6, day: 8 }[unit === 'year' || unit === 'month' || unit === 'day' ? unit : 'year']
      return year === undefined || constant.text.length !== digits ? undefined : wallClock(`${year}-${month}-${day}`, zone)
    }
  }
}

const WRITTEN = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?)?)?$/

function wallClock(text: string, zone: string | undefined): TimeLimit | undefined {
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0'] = WRITTEN.exec(text) ?? []
  if (year === undefined) return undefined
  const [at, on, h, m, s] = [month, day, hour, minute, second].map(Number)
  return { milliseconds: Date.UTC(Number(year), (at ?? 1) - 1, on, h, m, s), zone }
}
