import { type Rejection, rejection } from '../../warehouse/guard/rejection.ts'
import { POSTGRES_LIMITS } from '../limits.ts'
import { constantBytes, constantNumber, constantText, DAY } from './constant-values.ts'
import type { TreeNode, TreeValue } from './node-tree.ts'
import { isNode, nodesOf, value } from './query-facts.ts'
import type { ServerObjects } from './server-objects.ts'

const { maxCopies, maxGeneratedRows, maxJoinedRows, maxMadeBytes } = POSTGRES_LIMITS.guard

/** The known bounds of an expression's value: the bytes that it may have, and the range of a number or time. */
interface Bounds {
  readonly bytes: number
  readonly low: number
  readonly high: number
}

/** The known facts of a relation: its columns, and how many rows it has for each row of the tables in it. */
interface Relation {
  readonly columns: readonly Bounds[]
  readonly rows: number
}

interface Level {
  readonly query: TreeNode
  readonly outer: Level | undefined
  readonly entries: Map<TreeNode, Relation>
  readonly named: Map<string, () => Relation>
}

/** The bytes of a column's value, a number or an item of a list. Real values may have more: the table bounds them. */
const VALUE_BYTES = 16
/** A number that comes from the data is taken to be at most this. A time, to be between 1970 and 2070. */
const DATA_NUMBER = 100
const DATA_TIMES = { low: -30 * 366 * DAY, high: 70 * 366 * DAY }
const DATA_YEARS = { low: 1_970, high: 2_070 }
const CALENDAR_UNITS = { low: 0, high: 400 }
/** So many rows of a table are taken to be gathered, if each has a text of more than so many bytes. */
const GATHERED = { rows: 1_000, bytes: 5_000 }
/** A text that is repeated as often as the data say may have this many bytes. */
const MAX_REPEATED_BYTES = 40
/** A value of this size shows by how much a recursive query makes it grow. */
const PROBE = { bytes: 10_000, number: 1_000_000 }
const PROBED_STEPS = 1_000
const MAX_FORMAT_WIDTH = 10_000

const TIME_TYPES: ReadonlySet<string | undefined> = new Set(['1082', '1114', '1184'])
const ARRAY_SUBLINK = '6'
const ENTRY = { table: '0', subquery: '1', join: '2', call: '3', values: '5', cte: '6', group: '9' } as const

const PADDED: ReadonlySet<string> = new Set(['lpad', 'rpad', 'bpchar', 'bit'])
/** The result is at most as large as the product of the arguments: texts that are inserted several times. */
const MULTIPLYING =
  /^(?:replace|regexp_replace|regexp_match(?:es)?|regexp_split_to_array|array_to_string|concat_ws|ts_headline|array_replace|format|translate|replace_text)$/
/** Each byte may become up to six, or a list's item of its own. In JSON, two: few characters need more. */
const EXPANDING =
  /json|^(?:encode|decode|quote_|to_char|string_to_array|tsvector|to_tsvector|ts_|normalize|upper|lower|initcap|casefold)/
/** Their numeric results may have very many digits. */
const MANY_DIGITS = /^(?:power|pow|numeric_power|exp|numeric_exp|factorial)$/
const NUMERIC = { type: '1700', maxDigits: 150_000, usualDigits: 1_000 }
const GATHERING = /^(?:string_agg|array_agg|jsonb?_(?:object_)?agg|xmlagg|range_agg|multirange_agg|range_intersect_agg)/
const SPLITTING = /^(?:string_to_table|regexp_split_to_table|regexp_matches)$/
const COUNTING =
  /^(?:count|row_number|rank|dense_rank|ntile|length|char(?:acter)?_length|octet_length|array_length|cardinality|jsonb?_array_length|strpos|array_position|regexp_count|regr_count)$/
const UNCHANGING =
  /^(?:int[248]|float[48]|numeric|round|floor|ceil|ceiling|trunc|dround|dfloor|dceil|dtrunc|timestamp|timestamptz|date|timezone|interval|interval_scale|min|max|avg|mode|lag|lead|first_value|last_value|nth_value|percentile_(?:cont|disc)|any_value|numeric_uplus|int[248]up)$/
const CLOCK = /^(?:now|transaction_timestamp|statement_timestamp|clock_timestamp)$/
const ADDING = /^(?:int\d+pl|float\d+pl|numeric_add|interval_pl|(?:timestamp|timestamptz|date)_pl_interval|interval_pl_\w+)$/
const SUBTRACTING =
  /^(?:int\d+mi|float\d+mi|numeric_sub|interval_mi|(?:timestamp|timestamptz)_mi|(?:timestamp|timestamptz|date)_mi_interval)$/
const MULTIPLIED = /^(?:int\d+mul|float\d+mul|numeric_mul|interval_mul|mul_d_interval)$/
const DIVIDED = /^(?:int\d+div|float\d+div|numeric_div|div|interval_div)$/
const CALENDAR = /^(?:month|day|hour|minute|dow|isodow|doy|week|quarter)s?$/i

class SizeFault extends Error {
  readonly rejection: Rejection

  constructor(refused: Rejection) {
    super(refused.message)
    this.rejection = refused
  }
}

/**
 * Finds values and rows that a query would make out of what stands in it, beyond all bounds. The memory of one value is bounded
 * by nothing in the server. What columns hold is not known, so it counts as little: a table bounds it.
 */
export function findSizeFault(root: TreeNode, server: ServerObjects): Rejection | undefined {
  try {
    new Sizes(server).query(root, undefined)
    return undefined
  } catch (error) {
    if (error instanceof SizeFault) return error.rejection
    throw error
  }
}

class Sizes {
  readonly #server: ServerObjects
  readonly #queries = new Map<TreeNode, Relation>()
  /** All values of a row may be in memory at the same time. */
  #made = 0

  constructor(server: ServerObjects) {
    this.#server = server
  }

  query(query: TreeNode, outer: Level | undefined): Relation {
    const found = this.#queries.get(query) ?? this.#readQuery(query, outer)
    this.#queries.set(query, found)
    return found
  }

  #readQuery(query: TreeNode, outer: Level | undefined): Relation {
    const level = this.#level(query, outer)
    const entries = nodesOf(query, 'rtable')
    const union = nodesOf(query, 'setOperations').length > 0
    const sizes = entries.map(entry => this.#entry(entry, level).rows)
    const all = union ? sizes.reduce((sum, rows) => sum + rows, 0) : product(sizes)
    const columns = nodesOf(query, 'targetList').map(target => this.#argument(nodesOf(target, 'expr')[0], level, all))
    const series = nodesOf(query, 'targetList').map(target => this.#rowsOf(nodesOf(target, 'expr')[0], level))
    const rows = all * Math.max(1, ...series)
    if (rows > maxJoinedRows) throw tooManyRows()
    this.#rest(query, level, rows)
    const [limit] = value(query, 'limitOption') === '0' ? nodesOf(query, 'limitCount') : []
    const most = limit === undefined ? rows : Math.max(1, this.#argument(limit, level, 1).high)
    const isSingle = value(query, 'hasAggs') === 'true' && nodesOf(query, 'groupClause').length === 0
    const returned = Math.min(isSingle ? Math.max(1, ...series) : rows, most)
    return { columns: union ? this.#united(columns, entries, level) : columns, rows: returned }
  }

  #level(query: TreeNode, outer: Level | undefined): Level {
    const level: Level = { query, outer, entries: new Map(), named: new Map() }
    for (const cte of nodesOf(query, 'cteList')) level.named.set(value(cte, 'ctename') ?? '', this.#once(cte, level))
    for (const relation of level.named.values()) relation()
    return level
  }

  /** Conditions, groups and orders. */
  #rest(query: TreeNode, level: Level, rows: number): void {
    for (const [field, values] of query.fields) {
      if (!['cteList', 'rtable', 'rteperminfos', 'targetList', 'setOperations'].includes(field)) this.#all(values, level, rows)
    }
  }

  /** The columns of a UNION are those of all its parts, of which the first stands in the target list. */
  #united(columns: readonly Bounds[], entries: readonly TreeNode[], level: Level): readonly Bounds[] {
    return columns.map((column, at) => widest([column, ...entries.flatMap(entry => this.#entry(entry, level).columns[at] ?? [])]))
  }

  #once(cte: TreeNode, level: Level): () => Relation {
    let found: Relation | undefined
    return () => {
      found ??= this.#cte(cte, level, relation => {
        found = relation
      })
      return found
    }
  }

  #cte(cte: TreeNode, level: Level, assume: (relation: Relation) => void): Relation {
    const [query] = nodesOf(cte, 'ctequery')
    if (query === undefined) return { columns: [], rows: 1 }
    const types = listOf(cte, 'ctecoltypes')
    // A CTE may be defined after the one that reads it. Until it is known, it counts as data.
    assume({ columns: types.map(dataOf), rows: 1 })
    const [union] = nodesOf(query, 'setOperations')
    if (value(cte, 'cterecursive') !== 'true' || union === undefined) return this.query(query, level)
    assume({ columns: types.map(probeOf), rows: 1 })
    const inner = this.#level(query, level)
    const entries = nodesOf(query, 'rtable')
    const [first, ...steps] = entries.map(entry => this.#entry(entry, inner))
    if (entries.some(isEndless)) throw endless()
    if (value(union, 'all') !== 'true' && entries.some((entry, at) => makesNew(entry, steps[at - 1]))) throw uncounted()
    this.#rest(query, inner, 1)
    const columns = types.map((type, at) => {
      const start = first?.columns[at] ?? dataOf(type)
      return widest([start, ...steps.map(step => growthOf(start, step.columns[at] ?? dataOf(type), type))])
    })
    return { columns, rows: Math.max(first?.rows ?? 1, ...steps.map(({ rows }) => rows)) }
  }

  #entry(entry: TreeNode, level: Level): Relation {
    const known = level.entries.get(entry)
    if (known !== undefined) return known
    const found = this.#readEntry(entry, level)
    level.entries.set(entry, found)
    return found
  }

  #readEntry(entry: TreeNode, level: Level): Relation {
    const kind = value(entry, 'rtekind')
    if (kind === ENTRY.subquery) return this.query(nodesOf(entry, 'subquery')[0] ?? entry, level)
    if (kind === ENTRY.cte) return this.#named(entry, level)
    if (kind === ENTRY.values) return this.#values(entry, level)
    if (kind !== ENTRY.call) return { columns: [], rows: 1 }
    const calls = nodesOf(entry, 'functions').flatMap(each => nodesOf(each, 'funcexpr'))
    const columns = calls.map(call => this.#argument(call, level, 1))
    return { columns, rows: Math.max(1, ...calls.map(call => this.#rowsOf(call, level))) }
  }

  #named(entry: TreeNode, level: Level): Relation {
    let at: Level | undefined = level
    for (let up = Number(value(entry, 'ctelevelsup')); up > 0; up--) at = at?.outer
    return at?.named.get(value(entry, 'ctename') ?? '')?.() ?? { columns: [], rows: 1 }
  }

  #values(entry: TreeNode, level: Level): Relation {
    const rows = (entry.fields.get('values_lists') ?? []).flatMap(list => (Array.isArray(list) ? list : []))
    const lists = rows.map(row => (Array.isArray(row) ? row.filter(isNode).map(each => this.#argument(each, level, 1)) : []))
    const width = Math.max(0, ...lists.map(list => list.length))
    const columns = Array.from({ length: width }, (_, at) => widest(lists.flatMap(list => list[at] ?? [])))
    return { columns, rows: Math.max(1, rows.length) }
  }

  #argument(node: TreeNode | undefined, level: Level, rows: number): Bounds {
    if (node === undefined) return unknown(0)
    const bounds = this.#bounds(node, level, rows)
    if (node.kind !== 'VAR') this.#made += bounds.bytes
    if (this.#made > maxMadeBytes) throw tooLarge()
    return bounds
  }

  #all(values: readonly TreeValue[], level: Level, rows: number): Bounds[] {
    return values.flatMap(each => {
      if (typeof each === 'string') return []
      return isNode(each) ? [this.#argument(each, level, rows)] : this.#all(each, level, rows)
    })
  }

  #bounds(node: TreeNode, level: Level, rows: number): Bounds {
    if (node.kind === 'QUERY') return this.query(node, level).columns[0] ?? unknown(VALUE_BYTES)
    if (node.kind === 'CONST') return constantOf(node)
    if (node.kind === 'VAR') return this.#column(node, level)
    if (node.kind === 'SQLVALUEFUNCTION') return { bytes: VALUE_BYTES, ...now() }
    if (node.kind === 'CASETESTEXPR') return unknown(VALUE_BYTES)
    if (node.kind === 'AGGREF' || node.kind === 'WINDOWFUNC') return this.#aggregate(node, level, rows)
    if (node.kind === 'SUBLINK' && value(node, 'subLinkType') === ARRAY_SUBLINK) return this.#array(node, level)
    const inner = [...node.fields].flatMap(([, values]) => this.#all(values, level, rows))
    if (node.kind === 'FUNCEXPR' || node.kind === 'OPEXPR') return this.#call(node, nodesOf(node, 'args'), inner)
    if (/^ARRAY(?:EXPR)?$/.test(node.kind))
      return unknown(inner.reduce((sum, { bytes }) => sum + Math.max(bytes, VALUE_BYTES), 0))
    if (node.kind === 'ARRAYCOERCEEXPR')
      return unknown(product(inner.map(({ bytes }) => Math.max(1, bytes / VALUE_BYTES))) * VALUE_BYTES)
    if (/^MINMAX/.test(node.kind) && value(node, 'op') === '1') return least(inner)
    if (/^(?:SUBLINK|RELABELTYPE|COALESCE|CASE|CASEWHEN|WHEN|MINMAX|NULLIFEXPR|TARGETENTRY)/.test(node.kind)) {
      return { ...widest(inner), bytes: sumOf(inner) }
    }
    return unknown(sumOf(inner) * (node.kind.startsWith('JSON') ? 2 : 1) + VALUE_BYTES)
  }

  /** `ARRAY(SELECT …)` gathers all rows. */
  #array(node: TreeNode, level: Level): Bounds {
    const [query] = nodesOf(node, 'subselect')
    const relation = query === undefined ? { columns: [], rows: 1 } : this.query(query, level)
    return unknown(Math.max(VALUE_BYTES, sumOf(relation.columns)) * relation.rows)
  }

  #column(node: TreeNode, level: Level): Bounds {
    let at: Level | undefined = level
    for (let up = Number(value(node, 'varlevelsup')); up > 0; up--) at = at?.outer
    const entry = at === undefined ? undefined : nodesOf(at.query, 'rtable')[Number(value(node, 'varno')) - 1]
    const number = Number(value(node, 'varattno')) - 1
    const data = dataOf(value(node, 'vartype') ?? '')
    if (at === undefined || entry === undefined) return unknown(VALUE_BYTES)
    const kind = value(entry, 'rtekind')
    if (kind === ENTRY.join || kind === ENTRY.group) {
      const behind = nodesOf(entry, kind === ENTRY.join ? 'joinaliasvars' : 'groupexprs')[number]
      return behind === undefined ? data : this.#bounds(behind, at, 1)
    }
    if (kind === ENTRY.table) return data
    const { columns } = this.#entry(entry, at)
    // The whole row of a subquery holds all its columns.
    return columns[number] ?? (number < 0 ? unknown(sumOf(columns)) : data)
  }

  #aggregate(node: TreeNode, level: Level, rows: number): Bounds {
    const inner = [...node.fields].flatMap(([, values]) => this.#all(values, level, rows))
    const name = this.#server.functions.get(Number(value(node, 'aggfnoid') ?? value(node, 'winfnoid'))) ?? ''
    if (GATHERING.test(name)) {
      const each = sumOf(inner) * (name.startsWith('json') ? 2 : 1) + VALUE_BYTES
      // A large text may be gathered for each row of a table.
      return unknown(each * (each > GATHERED.bytes ? Math.max(rows, GATHERED.rows) : rows))
    }
    if (COUNTING.test(name)) return { bytes: VALUE_BYTES, low: 0, high: Math.max(rows, DATA_NUMBER) }
    if (UNCHANGING.test(name)) return { ...widest(inner), bytes: Math.max(VALUE_BYTES, sumOf(inner)) }
    if (name === 'sum') return scaled(widest(inner), Math.max(1, rows))
    return unknown(sumOf(inner) + VALUE_BYTES)
  }

  #call(node: TreeNode, given: readonly TreeNode[], inner: readonly Bounds[]): Bounds {
    const name = this.#nameOf(node)
    const [first = unknown(0), second = unknown(0)] = inner
    if (name === 'repeat') return repeated(first, second, name)
    if (PADDED.has(name) && inner.length > 1) return repeated({ ...first, bytes: 4 }, second, name)
    if (name === 'generate_series') {
      rowsOfSeries(inner)
      return { ...widest([first, second]), bytes: VALUE_BYTES }
    }
    if (name === 'array_fill') return unknown(Math.max(first.bytes, VALUE_BYTES) * itemsOf(given[1], second))
    if (name === 'format') checkFormat(given[0])
    const isNumeric = [value(node, 'funcresulttype'), value(node, 'opresulttype')].includes(NUMERIC.type)
    if (isNumeric && MANY_DIGITS.test(name)) return unknown(digitsOf(first, second))
    if (isNumeric && /^(?:round|trunc)$/.test(name) && inner.length > 1) {
      return { ...first, bytes: first.bytes + Math.min(NUMERIC.maxDigits, Math.max(0, second.high)) }
    }
    const bytes = sumOf(inner)
    if (MULTIPLYING.test(name)) return unknown(product(inner.slice(0, 3).map(each => each.bytes + 1)) + bytes)
    if (EXPANDING.test(name))
      return { ...unknown(bytes * (name.includes('json') ? 2 : 6) + VALUE_BYTES), ...lengthOf(name, bytes) }
    const range = rangeOf(name, inner, given)
    return { ...range, ...lengthOf(name, bytes), bytes: (range.high === Number.POSITIVE_INFINITY ? bytes : 0) + VALUE_BYTES }
  }

  #nameOf(node: TreeNode): string {
    return this.#server.functions.get(Number(value(node, node.kind === 'OPEXPR' ? 'opfuncid' : 'funcid'))) ?? ''
  }

  /** How many rows an expression returns: more than one, if it calls a function that returns a set. */
  #rowsOf(node: TreeNode | undefined, level: Level): number {
    if (node === undefined || node.kind === 'SUBLINK' || node.kind === 'QUERY') return 1
    const inner = [...node.fields.values()].flatMap(values => values.flatMap(flat)).map(each => this.#rowsOf(each, level))
    const most = Math.max(1, ...inner)
    if (value(node, 'funcretset') !== 'true') return most
    const name = this.#nameOf(node)
    const given = nodesOf(node, 'args').map(each => this.#bounds(each, level, 1))
    if (name === 'generate_series') return most * rowsOfSeries(given)
    const bytes = sumOf(given)
    return most * Math.max(1, SPLITTING.test(name) ? bytes - VALUE_BYTES : bytes / VALUE_BYTES)
  }
}

/** Whether a recursive step reads only what it made itself, without a condition. */
function isEndless(step: TreeNode): boolean {
  const [query] = nodesOf(step, 'subquery')
  const [from] = query === undefined ? [] : nodesOf(query, 'jointree')
  if (query === undefined || from === undefined || nodesOf(from, 'quals').length > 0) return false
  const isOwn = (entry: TreeNode) => value(entry, 'self_reference') === 'true'
  const read = nodesOf(query, 'rtable')
  return read.length > 0 && nodesOf(query, 'limitCount').length === 0 && read.every(isOwn)
}

function constantOf(node: TreeNode): Bounds {
  const number = constantNumber(node)
  const bytes = constantBytes(node)?.length ?? 0
  return number === undefined ? unknown(bytes) : { bytes, low: number, high: number }
}

function unknown(bytes: number): Bounds {
  return { bytes, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
}

function dataOf(type: string): Bounds {
  const range = TIME_TYPES.has(type) ? DATA_TIMES : { low: -DATA_NUMBER, high: DATA_NUMBER }
  return { bytes: VALUE_BYTES, ...range }
}

function probeOf(type: string): Bounds {
  const range = TIME_TYPES.has(type) ? DATA_TIMES : { low: -PROBE.number, high: PROBE.number }
  return { bytes: PROBE.bytes, ...range }
}

/** Whether a recursive step makes values that were not there before. UNION keeps each in memory. */
function makesNew(step: TreeNode, made: Relation | undefined): boolean {
  const targets = nodesOf(step, 'subquery').flatMap(query => nodesOf(query, 'targetList'))
  return targets.some((target, at) => nodesOf(target, 'expr')[0]?.kind !== 'CONST' && isNew(made?.columns[at] ?? dataOf('')))
}

function isNew({ bytes, low, high }: Bounds): boolean {
  const isProbe = low === -PROBE.number && high === PROBE.number
  const isData = low === -DATA_NUMBER && high === DATA_NUMBER
  const isTime = low === DATA_TIMES.low && high === DATA_TIMES.high
  return !(isProbe || isData || isTime || low === high) || bytes > PROBE.bytes
}

/** The limits of a column in a recursive query: each step's addition counts many times, and a step must not multiply it. */
function growthOf(first: Bounds, step: Bounds, type: string): Bounds {
  const added = step.bytes > PROBE.bytes ? step.bytes - PROBE.bytes : 0
  if (added > PROBE.bytes / 2) throw multiplies()
  const start = step.bytes >= PROBE.bytes ? first.bytes : Math.max(first.bytes, step.bytes)
  const bytes = start + added * PROBED_STEPS
  if (TIME_TYPES.has(type)) return { bytes, ...DATA_TIMES }
  const up = step.high > PROBE.number ? step.high - PROBE.number : 0
  const down = step.low < -PROBE.number ? -PROBE.number - step.low : 0
  if (Math.max(up, down) > DATA_NUMBER) return unknown(bytes)
  const high = Math.max(first.high, step.high >= PROBE.number ? 0 : step.high, DATA_NUMBER) + up * PROBED_STEPS
  return { bytes, low: Math.min(first.low, -DATA_NUMBER) - down * PROBED_STEPS, high }
}

function widest(all: readonly Bounds[]): Bounds {
  return {
    bytes: Math.max(0, ...all.map(({ bytes }) => bytes)),
    low: Math.min(...all.map(({ low }) => low)),
    high: Math.max(...all.map(({ high }) => high)),
  }
}

function least(all: readonly Bounds[]): Bounds {
  return { ...widest(all), bytes: sumOf(all), high: Math.min(...all.map(({ high }) => high)) }
}

function scaled({ bytes, low, high }: Bounds, by: number): Bounds {
  return { bytes, low: low * by, high: high * by }
}

/** The digits of a power, or of the exponential or factorial of the only argument. */
function digitsOf(base: Bounds, exponent: Bounds): number {
  const most = Math.min(Number.MAX_VALUE, Math.max(Math.abs(base.low), Math.abs(base.high), 10))
  const times = exponent.bytes === 0 ? most : Math.max(Math.abs(exponent.low), Math.abs(exponent.high))
  const digits = NUMERIC.usualDigits + base.bytes + times * Math.log10(most)
  return Math.min(digits, NUMERIC.maxDigits)
}

function repeated(text: Bounds, count: Bounds, name: string): Bounds {
  const isFixed = count.low === count.high
  const isShort = text.bytes <= MAX_REPEATED_BYTES
  if (!(count.high <= maxCopies) || !(isFixed || isShort || count.high <= DATA_NUMBER)) {
    throw new SizeFault(
      rejection('function', `The second argument of ${name} must be a number of at most ${maxCopies}: write least(…, 100).`),
    )
  }
  return unknown(text.bytes * Math.max(0, count.high) + VALUE_BYTES)
}

function rowsOfSeries([first, last, step]: readonly Bounds[]): number {
  const width = Math.max((last?.high ?? 0) - (first?.low ?? 0), (first?.high ?? 0) - (last?.low ?? 0), 0)
  const smallest = step === undefined ? 1 : Math.max(step.low, -step.high)
  const rows = width / smallest + 1
  if (smallest > 0 && rows <= maxGeneratedRows) return rows
  throw new SizeFault(
    rejection(
      'function',
      `generate_series may return at most ${maxGeneratedRows} rows, between numbers or times that are known: choose a shorter range or a longer step.`,
    ),
  )
}

/** The number of items of array_fill: the product of its list of lengths, which must be constants. */
function itemsOf(lengths: TreeNode | undefined, bounds: Bounds): number {
  const items = lengths === undefined ? [] : nodesOf(lengths, 'elements').map(constantNumber)
  if (items.length > 0 && items.every(item => item !== undefined)) return product(items.map(item => item ?? 1))
  return bounds.bytes === 0 ? 1 : Number.POSITIVE_INFINITY
}

function checkFormat(format: TreeNode | undefined): void {
  const text = format === undefined ? undefined : constantText(format)
  const widths = text?.match(/%[^%a-zA-Z]*/g) ?? []
  const isPlain = widths.every(width => !width.includes('*') && Number(/(?<!\d)\d+$/.exec(width)?.[0] ?? 0) <= MAX_FORMAT_WIDTH)
  if (text !== undefined && isPlain) return
  throw new SizeFault(
    rejection(
      'function',
      `The first argument of format must be a text that stands in the query, with widths of at most ${MAX_FORMAT_WIDTH}.`,
    ),
  )
}

function lengthOf(name: string, bytes: number): Partial<Bounds> {
  return COUNTING.test(name) ? { low: 0, high: Math.max(DATA_NUMBER, bytes) } : {}
}

function rangeOf(name: string, inner: readonly Bounds[], given: readonly TreeNode[]): Omit<Bounds, 'bytes'> {
  const [left = unknown(0), right = unknown(0)] = inner
  if (CLOCK.test(name)) return now()
  if (name === 'date_trunc') return { low: right.low - truncated(given[0]), high: right.high }
  if (UNCHANGING.test(name)) return name === 'timezone' && inner.length > 1 ? right : left
  if (name === 'make_date' || name.startsWith('make_timestamp'))
    return { low: yearStart(left.low), high: yearStart(left.high + 1) }
  if (name === 'to_date' || name === 'to_timestamp') return written(given[0])
  if (ADDING.test(name)) return { low: left.low + right.low, high: left.high + right.high }
  if (SUBTRACTING.test(name)) return { low: left.low - right.high, high: left.high - right.low }
  if (name === 'date_pli') return { low: left.low + right.low * DAY, high: left.high + right.high * DAY }
  if (name === 'date_mii') return { low: left.low - right.high * DAY, high: left.high - right.low * DAY }
  if (name === 'date_mi') return { low: (left.low - right.high) / DAY, high: (left.high - right.low) / DAY }
  if (MULTIPLIED.test(name))
    return spread([left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high])
  if (DIVIDED.test(name)) return divided(left, right)
  if (/^(?:int\d+|float\d+|interval_?|numeric_u)(?:um|minus)$/.test(name)) return { low: -left.high, high: -left.low }
  if (/^(?:int\d+|float\d+|numeric_)?abs$/.test(name)) return { low: 0, high: Math.max(-left.low, left.high) }
  if (/^(?:int\d+|numeric_)?mod$/.test(name)) return spread([-right.high, right.high, right.low, -right.low])
  const part = name === 'extract' || name === 'date_part' ? given[0] : undefined
  if (part === undefined) return unknown(0)
  const unit = constantText(part) ?? ''
  if (/^(?:iso)?years?$/i.test(unit)) return DATA_YEARS
  return CALENDAR.test(unit) ? CALENDAR_UNITS : unknown(0)
}

/** The time at which a query is judged, more or less: it may run later, and TIME values and dates are shorter. */
function now(): Omit<Bounds, 'bytes'> {
  const time = (Date.now() - Date.UTC(2000, 0)) * 1_000
  return { low: time - 2 * DAY, high: time + 2 * DAY }
}

/** How much date_trunc takes away at most. */
function truncated(unit: TreeNode | undefined): number {
  const text = unit === undefined ? undefined : constantText(unit)
  return text === undefined || /dec|cent|mil/i.test(text) ? Number.POSITIVE_INFINITY : 366 * DAY
}

function yearStart(year: number): number {
  return (year - 2_000) * 366 * DAY
}

/** The time of a text such as '2026-01-31'. */
function written(node: TreeNode | undefined): Omit<Bounds, 'bytes'> {
  const day = /^\d{4}-\d{2}-\d{2}/.exec((node === undefined ? undefined : constantText(node)) ?? '')?.[0]
  const time = (Date.parse(day ?? '') - Date.UTC(2000, 0)) * 1_000
  return Number.isNaN(time) ? unknown(0) : { low: time, high: time + DAY }
}

/** Dividing by what may be zero is taken to divide by data, which are whole numbers then. */
function divided(left: Bounds, right: Bounds): Omit<Bounds, 'bytes'> {
  const smallest = right.low > 0 ? right.low : right.high < 0 ? -right.high : 1
  const most = Math.max(-left.low, left.high) / smallest
  return Number.isFinite(right.high) ? { low: -most, high: most } : unknown(0)
}

function spread(all: readonly number[]): Omit<Bounds, 'bytes'> {
  return all.some(Number.isNaN) ? unknown(0) : { low: Math.min(...all), high: Math.max(...all) }
}

function sumOf(all: readonly Bounds[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0)
}

function product(all: readonly number[]): number {
  return all.reduce((result, each) => result * each, 1)
}

function flat(each: TreeValue): readonly TreeNode[] {
  if (typeof each === 'string') return []
  return isNode(each) ? [each] : each.flatMap(flat)
}

/** Returns the words of a list such as `(o 23 25)`. */
function listOf(node: TreeNode, field: string): readonly string[] {
  const [list] = node.fields.get(field) ?? []
  return Array.isArray(list) ? list.slice(1).filter(each => typeof each === 'string') : []
}

function tooLarge(): SizeFault {
  const megabytes = maxMadeBytes / 1_000_000
  return new SizeFault(
    rejection(
      'function',
      `The query would make values of more than ${megabytes} MB out of its own texts and numbers: make them shorter.`,
    ),
  )
}

function tooManyRows(): SizeFault {
  const message = `The query would make more than ${maxJoinedRows} rows without reading a table: join fewer series, or shorter ones.`
  return new SizeFault(rejection('function', message))
}

function multiplies(): SizeFault {
  const message = 'A recursive query may not make a text or list grow by copies of itself: append something short in each step.'
  return new SizeFault(rejection('function', message))
}

function endless(): SizeFault {
  const message = 'A recursive query needs a condition that ends it: write WHERE in the part that reads the query itself.'
  return new SizeFault(rejection('function', message))
}

function uncounted(): SizeFault {
  const message =
    'A recursive query with UNION may only return columns as they are: write UNION ALL, with a condition that ends it.'
  return new SizeFault(rejection('function', message))
}
