import { POSTGRES_LIMITS } from '../limits.ts'
import { constantBytes, constantNumber } from './constant-values.ts'
import {
  type Bounds,
  boundsOfCall,
  COUNTING,
  DATA_NUMBER,
  DATA_TIMES,
  now,
  product,
  rowsOfSeries,
  scaled,
  sumOf,
  UNCHANGING,
  unknown,
  VALUE_BYTES,
  widest,
} from './function-bounds.ts'
import { innerNodes, isNode, nodesOf, type TreeNode, type TreeValue, value, wordsOf } from './node-tree.ts'
import { refuse } from './refusal.ts'
import type { ServerObjects } from './server-objects.ts'

const { maxJoinedRows, maxMadeBytes } = POSTGRES_LIMITS.guard

/** The known facts of a relation: its columns, and how many rows it has for each row of the tables in it. */
interface Relation {
  readonly columns: readonly Bounds[]
  readonly rows: number
}

const ONE_ROW: Relation = { columns: [], rows: 1 }

interface Level {
  readonly query: TreeNode
  readonly outer: Level | undefined
}

/** So many rows of a table are taken to be gathered, if each has a text of more than so many bytes. */
const GATHERED = { rows: 1_000, bytes: 5_000 }
/** A value of this size shows by how much a recursive query makes it grow. */
const PROBE = { bytes: 10_000, number: 1_000_000 }
const PROBED_STEPS = 1_000

const TIME_TYPES: ReadonlySet<string | undefined> = new Set(['1082', '1114', '1184'])
/** The fields of a query that are not read with its conditions, groups and orders. */
const READ_APART: ReadonlySet<string> = new Set(['cteList', 'rtable', 'rteperminfos', 'targetList', 'setOperations'])
const ARRAY_SUBLINK = '6'
const ENTRY = { table: '0', subquery: '1', join: '2', call: '3', jsonTable: '4', values: '5', cte: '6', group: '9' } as const

const NUMERIC_TYPE = '1700'
const GATHERING = /^(?:string_agg|array_agg|jsonb?_(?:object_)?agg|xmlagg|range_agg|multirange_agg|range_intersect_agg)/
const SPLITTING = /^(?:string_to_table|regexp_split_to_table|regexp_matches)$/

const TOO_LARGE = `The query would make values of more than ${maxMadeBytes / 1_000_000} MB out of its own texts and numbers: make them shorter.`
const TOO_MANY_ROWS = `The query would make more than ${maxJoinedRows} rows without reading a table: join fewer series, or shorter ones.`
const MULTIPLIES = 'A recursive query may not make a text or list grow by copies of itself: append something short in each step.'
const ENDLESS =
  'A recursive query needs a condition that ends it: in the part that reads the query itself, compare a column that each step changes.'
const UNCOUNTED =
  'A recursive query with UNION may only return columns as they are: write UNION ALL, with a condition that ends it.'

/**
 * Refuses values and rows that a query would make out of what stands in it, beyond all bounds. The memory of one value is bounded
 * by nothing in the server. What columns hold is not known, so it counts as little: a table bounds it.
 * @throws Refusal
 */
export function judgeSizes(root: TreeNode, server: ServerObjects): void {
  new Sizes(server).relation(root, undefined)
}

class Sizes {
  readonly #server: ServerObjects
  /** The known facts of queries, of entries of their FROM lists, and of CTEs. */
  readonly #known = new Map<TreeNode, Relation>()
  /** All values of a row may be in memory at the same time. */
  #made = 0

  constructor(server: ServerObjects) {
    this.#server = server
  }

  /** @param level that of the query in which the node stands; undefined for the outermost query */
  relation(node: TreeNode, level: Level | undefined): Relation {
    const found = this.#known.get(node) ?? this.#read(node, level)
    this.#known.set(node, found)
    return found
  }

  #read(node: TreeNode, level: Level | undefined): Relation {
    if (node.kind === 'QUERY' || level === undefined) return this.#query(node, level)
    return node.kind === 'COMMONTABLEEXPR' ? this.#cte(node, level) : this.#entry(node, level)
  }

  #query(query: TreeNode, outer: Level | undefined): Relation {
    const level = this.#level(query, outer)
    const from = nodesOf(query, 'rtable').map(entry => this.relation(entry, level))
    const targets = nodesOf(query, 'targetList').map(target => nodesOf(target, 'expr')[0])
    const isUnion = nodesOf(query, 'setOperations').length > 0
    const counts = from.map(({ rows }) => rows)
    const all = isUnion ? counts.reduce((sum, rows) => sum + rows, 0) : product(counts)
    const columns = targets.map(target => this.#argument(target, level, all))
    const series = Math.max(1, ...targets.map(target => this.#rowsOf(target, level)))
    const rows = all * series
    if (rows > maxJoinedRows) refuse('function', TOO_MANY_ROWS)
    this.#rest(query, level, rows)
    const [limit] = value(query, 'limitOption') === '0' ? nodesOf(query, 'limitCount') : []
    const most = limit === undefined ? rows : Math.max(1, this.#argument(limit, level, 1).high)
    const isSingle = value(query, 'hasAggs') === 'true' && nodesOf(query, 'groupClause').length === 0
    // The columns of a UNION are those of all its parts, of which the first stands in the target list.
    const united = (column: Bounds, at: number) => widest([column, ...from.flatMap(part => part.columns[at] ?? [])])
    return { columns: isUnion ? columns.map(united) : columns, rows: Math.min(isSingle ? series : rows, most) }
  }

  #level(query: TreeNode, outer: Level | undefined): Level {
    const level = { query, outer }
    for (const cte of nodesOf(query, 'cteList')) this.relation(cte, level)
    return level
  }

  /** Conditions, groups and orders. */
  #rest(query: TreeNode, level: Level, rows: number): void {
    const others = [...query.fields.keys()].filter(field => !READ_APART.has(field))
    for (const node of nodesOf(query, ...others)) this.#argument(node, level, rows)
  }

  #cte(cte: TreeNode, level: Level): Relation {
    const [query] = nodesOf(cte, 'ctequery')
    if (query === undefined) return ONE_ROW
    const types = wordsOf(cte, 'ctecoltypes').map(String)
    const [union] = nodesOf(query, 'setOperations')
    const isRecursive = value(cte, 'cterecursive') === 'true' && union !== undefined
    // A CTE may be defined after the one that reads it. Until it is known, it counts as data.
    this.#known.set(cte, { columns: types.map(type => dataOf(type, isRecursive ? PROBE : undefined)), rows: 1 })
    if (!isRecursive) return this.relation(query, level)
    const inner = this.#level(query, level)
    const [first = ONE_ROW, ...steps] = nodesOf(query, 'rtable').map(entry => this.relation(entry, inner))
    for (const [at, step] of nodesOf(query, 'rtable').slice(1).entries()) {
      refuseEndless(step, steps[at] ?? ONE_ROW, value(union, 'all') === 'true')
    }
    this.#rest(query, inner, 1)
    const columns = types.map((type, at) => {
      const start = first.columns[at] ?? dataOf(type)
      return widest([start, ...steps.map(step => growthOf(start, step.columns[at] ?? dataOf(type), type))])
    })
    return { columns, rows: Math.max(first.rows, ...steps.map(({ rows }) => rows)) }
  }

  #entry(entry: TreeNode, level: Level): Relation {
    switch (value(entry, 'rtekind')) {
      case ENTRY.subquery:
        return this.relation(nodesOf(entry, 'subquery')[0] ?? entry, level)
      case ENTRY.cte: {
        const at = levelAbove(level, value(entry, 'ctelevelsup'))
        const ctes = at === undefined ? [] : nodesOf(at.query, 'cteList')
        const cte = ctes.find(each => value(each, 'ctename') === value(entry, 'ctename'))
        return cte === undefined ? ONE_ROW : this.relation(cte, at)
      }
      case ENTRY.values:
        return this.#values(entry, level)
      case ENTRY.jsonTable: {
        const documents = nodesOf(entry, 'tablefunc').map(each => this.#argument(nodesOf(each, 'docexpr')[0], level, 1))
        return { columns: [], rows: Math.max(1, sumOf(documents)) }
      }
      case ENTRY.call: {
        const calls = nodesOf(entry, 'functions').flatMap(each => nodesOf(each, 'funcexpr'))
        const columns = calls.map(call => this.#argument(call, level, 1))
        return { columns, rows: Math.max(1, ...calls.map(call => this.#rowsOf(call, level))) }
      }
      default:
        return ONE_ROW
    }
  }

  #values(entry: TreeNode, level: Level): Relation {
    const [rows = []] = entry.fields.get('values_lists') ?? []
    const lists = (Array.isArray(rows) ? rows : []).map((row: TreeValue) =>
      Array.isArray(row) ? row.filter(isNode).map((each: TreeNode) => this.#argument(each, level, 1)) : [],
    )
    const width = Math.max(0, ...lists.map(list => list.length))
    const columns = Array.from({ length: width }, (_, at) => widest(lists.flatMap(list => list[at] ?? [])))
    return { columns, rows: Math.max(1, lists.length) }
  }

  #argument(node: TreeNode | undefined, level: Level, rows: number): Bounds {
    if (node === undefined) return unknown(0)
    const bounds = this.#bounds(node, level, rows)
    if (node.kind !== 'VAR') this.#made += bounds.bytes
    if (this.#made > maxMadeBytes) refuse('function', TOO_LARGE)
    return bounds
  }

  #arguments(node: TreeNode, level: Level, rows: number): readonly Bounds[] {
    return innerNodes(node).map(each => this.#argument(each, level, rows))
  }

  #bounds(node: TreeNode, level: Level, rows: number): Bounds {
    if (node.kind === 'QUERY') return this.relation(node, level).columns[0] ?? unknown(VALUE_BYTES)
    if (node.kind === 'CONST') return constantOf(node)
    if (node.kind === 'VAR') return this.#column(node, level)
    if (node.kind === 'SQLVALUEFUNCTION') return { bytes: VALUE_BYTES, ...now() }
    if (node.kind === 'CASETESTEXPR') return unknown(VALUE_BYTES)
    if (node.kind === 'AGGREF' || node.kind === 'WINDOWFUNC') return this.#aggregate(node, level, rows)
    if (node.kind === 'SUBLINK' && value(node, 'subLinkType') === ARRAY_SUBLINK) return this.#array(node, level)
    const inner = this.#arguments(node, level, rows)
    if (node.kind === 'FUNCEXPR' || node.kind === 'OPEXPR') {
      const isNumeric = [value(node, 'funcresulttype'), value(node, 'opresulttype')].includes(NUMERIC_TYPE)
      return boundsOfCall(this.#nameOf(node), isNumeric, nodesOf(node, 'args'), inner)
    }
    if (/^ARRAY(?:EXPR)?$/.test(node.kind))
      return unknown(inner.reduce((sum, { bytes }) => sum + Math.max(bytes, VALUE_BYTES), 0))
    if (node.kind === 'ARRAYCOERCEEXPR')
      return unknown(product(inner.map(({ bytes }) => Math.max(1, bytes / VALUE_BYTES))) * VALUE_BYTES)
    if (/^(?:SUBLINK|RELABELTYPE|COALESCE|CASE|CASEWHEN|WHEN|MINMAX|NULLIFEXPR|TARGETENTRY)/.test(node.kind)) {
      const bounds = { ...widest(inner), bytes: sumOf(inner) }
      const isLeast = node.kind.startsWith('MINMAX') && value(node, 'op') === '1'
      return isLeast ? { ...bounds, high: Math.min(...inner.map(({ high }) => high)) } : bounds
    }
    return unknown(sumOf(inner) * (node.kind.startsWith('JSON') ? 2 : 1) + VALUE_BYTES)
  }

  /** `ARRAY(SELECT …)` gathers all rows. */
  #array(node: TreeNode, level: Level): Bounds {
    const [query] = nodesOf(node, 'subselect')
    const relation = query === undefined ? ONE_ROW : this.relation(query, level)
    return unknown(Math.max(VALUE_BYTES, sumOf(relation.columns)) * relation.rows)
  }

  #column(node: TreeNode, level: Level): Bounds {
    const at = levelAbove(level, value(node, 'varlevelsup'))
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
    const { columns } = this.relation(entry, at)
    // The whole row of a subquery holds all its columns.
    return columns[number] ?? (number < 0 ? unknown(sumOf(columns)) : data)
  }

  #aggregate(node: TreeNode, level: Level, rows: number): Bounds {
    const inner = this.#arguments(node, level, rows)
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

  #nameOf(node: TreeNode): string {
    return this.#server.functions.get(Number(value(node, node.kind === 'OPEXPR' ? 'opfuncid' : 'funcid'))) ?? ''
  }

  /** How many rows an expression returns: more than one, if it calls a function that returns a set. */
  #rowsOf(node: TreeNode | undefined, level: Level): number {
    if (node === undefined || node.kind === 'SUBLINK' || node.kind === 'QUERY') return 1
    const most = Math.max(1, ...innerNodes(node).map(each => this.#rowsOf(each, level)))
    if (value(node, 'funcretset') !== 'true') return most
    const name = this.#nameOf(node)
    const given = nodesOf(node, 'args').map(each => this.#bounds(each, level, 1))
    if (name === 'generate_series') return most * rowsOfSeries(given)
    const bytes = sumOf(given)
    return most * Math.max(1, SPLITTING.test(name) ? bytes - VALUE_BYTES : bytes / VALUE_BYTES)
  }
}

/**
 * Refuses a recursive step that reads no table, if no condition of it can end it: a condition can if it reads a column that the step
 * changes. With UNION, which keeps each row in memory, a step may make no new values at all.
 */
function refuseEndless(step: TreeNode, { columns }: Relation, isUnionAll: boolean): void {
  const isChanged = (column: number) => isNew(columns[column] ?? dataOf(''))
  const queries = nodesOf(step, 'subquery')
  const targets = queries.flatMap(query => nodesOf(query, 'targetList')).map(target => nodesOf(target, 'expr')[0]?.kind)
  if (!isUnionAll && targets.some((kind, at) => kind !== 'CONST' && isChanged(at))) refuse('function', UNCOUNTED)
  const isOwn = (entry: TreeNode | undefined) => entry !== undefined && value(entry, 'self_reference') === 'true'
  const isRead = (node: TreeNode) => !isOwn(node) && [ENTRY.table, ENTRY.cte].some(kind => kind === value(node, 'rtekind'))
  for (const query of queries) {
    const entries = nodesOf(query, 'rtable')
    if (!entries.some(isOwn) || entries.flatMap(allNodes).some(isRead) || nodesOf(query, 'limitCount').length > 0) continue
    const ends = (node: TreeNode) =>
      node.kind === 'VAR' && isOwn(entries[Number(value(node, 'varno')) - 1]) && isChanged(Number(value(node, 'varattno')) - 1)
    if (!nodesOf(query, 'jointree').flatMap(allNodes).some(ends)) refuse('function', ENDLESS)
  }
}

function constantOf(node: TreeNode): Bounds {
  const number = constantNumber(node)
  const bytes = constantBytes(node)?.length ?? 0
  return number === undefined ? unknown(bytes) : { bytes, low: number, high: number }
}

/** A value of a column. */
function dataOf(type: string, { bytes, number } = { bytes: VALUE_BYTES, number: DATA_NUMBER }): Bounds {
  return { bytes, ...(TIME_TYPES.has(type) ? DATA_TIMES : { low: -number, high: number }) }
}

/** Whether a value was not there before. */
function isNew({ bytes, low, high }: Bounds): boolean {
  const isProbe = low === -PROBE.number && high === PROBE.number
  const isData = low === -DATA_NUMBER && high === DATA_NUMBER
  const isTime = low === DATA_TIMES.low && high === DATA_TIMES.high
  return !(isProbe || isData || isTime || low === high) || bytes > PROBE.bytes
}

/** The limits of a column in a recursive query: each step's addition counts many times, and a step must not multiply it. */
function growthOf(first: Bounds, step: Bounds, type: string): Bounds {
  const added = step.bytes > PROBE.bytes ? step.bytes - PROBE.bytes : 0
  if (added > PROBE.bytes / 2) refuse('function', MULTIPLIES)
  const start = step.bytes >= PROBE.bytes ? first.bytes : Math.max(first.bytes, step.bytes)
  const bytes = start + added * PROBED_STEPS
  if (TIME_TYPES.has(type)) return { bytes, ...DATA_TIMES }
  const up = step.high > PROBE.number ? step.high - PROBE.number : 0
  const down = step.low < -PROBE.number ? -PROBE.number - step.low : 0
  if (Math.max(up, down) > DATA_NUMBER) return unknown(bytes)
  const high = Math.max(first.high, step.high >= PROBE.number ? 0 : step.high, DATA_NUMBER) + up * PROBED_STEPS
  return { bytes, low: Math.min(first.low, -DATA_NUMBER) - down * PROBED_STEPS, high }
}

/** Returns a node with all that it has inside. */
function allNodes(node: TreeNode): readonly TreeNode[] {
  return [node, ...innerNodes(node).flatMap(allNodes)]
}

function levelAbove(level: Level, steps: string | undefined): Level | undefined {
  let at: Level | undefined = level
  for (let up = Number(steps); up > 0; up--) at = at?.outer
  return at
}
