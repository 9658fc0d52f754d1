import type { TreeNode, TreeValue } from './node-tree.ts'

/** The objects to which a query refers, by the server's object ids. */
export interface QueryFacts {
  /** The relations that the query reads, each with the numbers of its columns. 0 means the whole row. */
  readonly relations: ReadonlyMap<number, ReadonlySet<number>>
  readonly functions: ReadonlySet<number>
  readonly operators: ReadonlySet<number>
  readonly types: ReadonlySet<number>
  /** The types of values that the query computes with. A join lists all columns of its tables, also those that nobody uses. */
  readonly usedTypes: ReadonlySet<number>
  /** The kinds of the tree's nodes. */
  readonly kinds: ReadonlySet<string>
}

/** The reason why a tree is refused: it is no plain SELECT, or it has a part that is not known to be harmless. */
export type TreeFault = 'not_select' | 'writes' | 'locks' | 'parameter' | 'xml' | 'sample' | 'session' | 'unknown'

/** The fields of a node that hold ids of objects. A field with `?` may be missing in some versions. */
interface NodeRule {
  readonly functions?: readonly string[]
  readonly operators?: readonly string[]
  readonly types?: readonly string[]
}

const PLAIN: NodeRule = {}
const OPERATOR: NodeRule = { operators: ['opno'], functions: ['opfuncid'], types: ['opresulttype'] }

/**
 * Every node that a query may have, as versions 15 to 18 name it. 16 renamed some. Any other node is refused. QUERY,
 * RANGETBLENTRY, RTEPERMISSIONINFO and PARAM have further rules below.
 */
const RULES: ReadonlyMap<string, NodeRule> = new Map<string, NodeRule>([
  ...['QUERY', 'RANGETBLENTRY', 'RTEPERMISSIONINFO', 'ALIAS', 'TARGETENTRY', 'RANGETBLREF', 'JOINEXPR', 'FROMEXPR'].map(plain),
  ...['BOOLEXPR', 'SUBLINK', 'NULLTEST', 'BOOLEANTEST', 'NAMEDARGEXPR', 'GROUPINGFUNC', 'GROUPINGSET', 'CTESEARCHCLAUSE'].map(
    plain,
  ),
  ...['WHEN', 'CASEWHEN', 'JSONFORMAT', 'JSONVALUEEXPR', 'JSONISPREDICATE', 'JSONBEHAVIOR', 'COLLATE', 'COLLATEEXPR'].map(plain),
  ['VAR', { types: ['vartype'] }],
  ['CONST', { types: ['consttype'] }],
  ['PARAM', { types: ['paramtype'] }],
  ['AGGREF', { functions: ['aggfnoid'], types: ['aggtype'] }],
  ['WINDOWFUNC', { functions: ['winfnoid'], types: ['wintype'] }],
  ['FUNCEXPR', { functions: ['funcid'], types: ['funcresulttype'] }],
  ['OPEXPR', OPERATOR],
  ['DISTINCTEXPR', OPERATOR],
  ['NULLIFEXPR', OPERATOR],
  ['SCALARARRAYOPEXPR', { operators: ['opno'], functions: ['opfuncid'] }],
  ['SUBSCRIPTINGREF', { types: ['refcontainertype', 'refelemtype', 'refrestype'] }],
  ['FIELDSELECT', { types: ['resulttype'] }],
  ['RELABELTYPE', { types: ['resulttype'] }],
  ['COERCEVIAIO', { types: ['resulttype'] }],
  ['ARRAYCOERCEEXPR', { types: ['resulttype'] }],
  ['COERCETODOMAIN', { types: ['resulttype'] }],
  ...['CASE', 'CASEEXPR'].map(name => [name, { types: ['casetype'] }] as const),
  ['CASETESTEXPR', { types: ['typeId'] }],
  ...['ARRAY', 'ARRAYEXPR'].map(name => [name, { types: ['array_typeid', 'element_typeid'] }] as const),
  ...['ROW', 'ROWEXPR'].map(name => [name, { types: ['row_typeid'] }] as const),
  ...['ROWCOMPARE', 'ROWCOMPAREEXPR'].map(name => [name, { operators: ['opnos'] }] as const),
  ...['COALESCE', 'COALESCEEXPR'].map(name => [name, { types: ['coalescetype'] }] as const),
  ...['MINMAX', 'MINMAXEXPR'].map(name => [name, { types: ['minmaxtype'] }] as const),
  ['SQLVALUEFUNCTION', { types: ['type'] }],
  ['SORTGROUPCLAUSE', { operators: ['eqop', 'sortop'] }],
  ['WINDOWCLAUSE', { functions: ['startInRangeFunc', 'endInRangeFunc'] }],
  ['COMMONTABLEEXPR', { types: ['ctecoltypes'] }],
  ['CTECYCLECLAUSE', { types: ['cycle_mark_type'], operators: ['cycle_mark_neop'] }],
  ['SETOPERATIONSTMT', { types: ['colTypes'] }],
  ['RANGETBLFUNCTION', { types: ['funccoltypes'] }],
  ['JSONCONSTRUCTOREXPR', PLAIN],
  ['JSONRETURNING', { types: ['typid'] }],
  ['JSONEXPR', PLAIN],
])

/** Nodes that are refused with a reason of their own. */
const REFUSED: Readonly<Record<string, TreeFault>> = {
  ROWMARKCLAUSE: 'locks',
  XMLEXPR: 'xml',
  TABLEFUNC: 'xml',
  TABLESAMPLECLAUSE: 'sample',
}

const ABSENT = '<>'
/** `JOIN`, `FUNCTION`, `VALUES`, `CTE`, `RESULT`, `GROUP`: entries of a FROM list that are neither tables nor subqueries. */
const OTHER_ENTRIES: ReadonlySet<string> = new Set(['2', '3', '5', '6', '8', '9'])
const NAME_TYPE = '19'
const RELATION = '0'
const SUBQUERY = '1'
const SELECT_RIGHT = '2'
/** The server numbers the columns of a set from this on, so that those of the system are positive too. */
const FIRST_COLUMN = 7

/** Collects what an analyzed query refers to. Looks at every node, wherever it stands. */
export function readQueryFacts(root: TreeNode): QueryFacts | TreeFault {
  const reader = new FactsReader()
  if (root.kind !== 'QUERY') return 'unknown'
  reader.node(root)
  return reader.fault ?? reader
}

class FactsReader implements QueryFacts {
  readonly relations = new Map<number, Set<number>>()
  readonly functions = new Set<number>()
  readonly operators = new Set<number>()
  readonly types = new Set<number>()
  readonly kinds = new Set<string>()
  readonly #typesOutsideJoins = new Set<number>()
  #readsWholeRow = false
  #isInJoin = false
  fault: TreeFault | undefined
  /** The entries whose rights were found. */
  readonly #permitted = new Set<TreeNode>()

  node(node: TreeNode): void {
    this.kinds.add(node.kind)
    const rule = RULES.get(node.kind)
    if (rule === undefined) this.#refuse(REFUSED[node.kind] ?? 'unknown')
    else this.#known(node, rule)
    for (const [field, values] of node.fields) {
      const wasInJoin = this.#isInJoin
      this.#isInJoin ||= field === 'joinaliasvars'
      for (const each of values) this.#value(each)
      this.#isInJoin = wasInJoin
    }
  }

  /** The whole row of a join holds what the join lists. */
  get usedTypes(): ReadonlySet<number> {
    return this.#readsWholeRow ? this.types : this.#typesOutsideJoins
  }

  #known(node: TreeNode, rule: NodeRule): void {
    for (const field of rule.functions ?? []) this.#collect(node, field, this.functions)
    for (const field of rule.operators ?? []) this.#collect(node, field, this.operators)
    for (const field of rule.types ?? []) {
      this.#collect(node, field, this.types)
      if (!this.#isInJoin) this.#collect(node, field, this.#typesOutsideJoins)
    }
    if (node.kind === 'VAR' && value(node, 'varattno') === '0') this.#readsWholeRow = true
    if (node.kind === 'QUERY') this.#query(node)
    if (node.kind === 'RANGETBLENTRY') this.#entry(node)
    // A parameter of kind 2 stands for a column of a subquery, as in `x IN (SELECT …)`.
    if (node.kind === 'PARAM' && value(node, 'paramkind') !== '2') this.#refuse('parameter')
    // CURRENT_USER and its like are names; CURRENT_DATE and its like are times.
    if (node.kind === 'SQLVALUEFUNCTION' && value(node, 'type') === NAME_TYPE) this.#refuse('session')
  }

  #value(each: TreeValue): void {
    if (typeof each === 'string') return
    if (isNode(each)) this.node(each)
    else for (const inner of each) this.#value(inner)
  }

  #query(node: TreeNode): void {
    const is = (field: string, expected: string) => value(node, field) === expected
    if (!is('commandType', '1') || !is('utilityStmt', ABSENT) || !is('querySource', '0')) this.#refuse('not_select')
    if (!is('resultRelation', '0') || !is('hasModifyingCTE', 'false')) this.#refuse('writes')
    if (!is('returningList', ABSENT) || !is('onConflict', ABSENT) || !is('withCheckOptions', ABSENT)) this.#refuse('writes')
    if (!is('hasForUpdate', 'false') || !is('rowMarks', ABSENT)) this.#refuse('locks')
    const permissions = node.fields.has('rteperminfos') ? nodesOf(node, 'rteperminfos') : undefined
    for (const entry of nodesOf(node, 'rtable')) {
      if (value(entry, 'rtekind') === RELATION) this.#relation(entry, permissions)
    }
  }

  /** Since version 16, the rights that a query needs stand apart from its FROM list. */
  #relation(entry: TreeNode, permissions: readonly TreeNode[] | undefined): void {
    const needed = permissions === undefined ? entry : permissions[Number(value(entry, 'perminfoindex')) - 1]
    const relation = Number(value(entry, 'relid'))
    const columns = needed === undefined ? undefined : columnSet(needed, 'selectedCols')
    const isRead =
      needed !== undefined &&
      Number(value(needed, 'relid')) === relation &&
      value(needed, 'requiredPerms') === SELECT_RIGHT &&
      columnSet(needed, 'insertedCols')?.length === 0 &&
      columnSet(needed, 'updatedCols')?.length === 0
    if (!isRead || columns === undefined || !(relation > 0)) {
      this.#refuse('unknown')
      return
    }
    const known = this.relations.get(relation) ?? new Set()
    for (const column of columns) known.add(column - FIRST_COLUMN)
    this.relations.set(relation, known)
    this.#permitted.add(entry)
  }

  #entry(entry: TreeNode): void {
    const kind = value(entry, 'rtekind') ?? ''
    if (value(entry, 'securityQuals') !== ABSENT) this.#refuse('unknown')
    if (kind === RELATION && !this.#permitted.has(entry)) this.#refuse('unknown')
    if (kind === RELATION || kind === SUBQUERY) return
    if (!OTHER_ENTRIES.has(kind)) this.#refuse(kind === '4' ? 'xml' : 'unknown')
    if (entry.fields.has('relid')) this.#refuse('unknown')
  }

  /** Collects the ids of a field, which holds one id or a list such as `(o 23 25)`. 0 means none. */
  #collect(node: TreeNode, field: string, into: Set<number>): void {
    const found = node.fields.get(field)
    const [only] = found ?? []
    if (found?.length !== 1 || only === undefined) {
      this.#refuse('unknown')
      return
    }
    const ids = typeof only === 'string' ? (only === ABSENT ? [] : [only]) : isNode(only) ? ['?'] : only.slice(1)
    for (const id of ids) {
      const oid = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : Number.NaN
      if (Number.isNaN(oid)) this.#refuse('unknown')
      else if (oid !== 0) into.add(oid)
    }
  }

  #refuse(fault: TreeFault): void {
    this.fault ??= fault
  }
}

/** Returns the only value of a field, if it is a word. */
export function value(node: TreeNode, field: string): string | undefined {
  const found = node.fields.get(field)
  return found?.length === 1 && typeof found[0] === 'string' ? found[0] : undefined
}

/** Returns the nodes of a field, also of the list that it holds. */
export function nodesOf(node: TreeNode, field: string): readonly TreeNode[] {
  return (node.fields.get(field) ?? []).flatMap(each =>
    typeof each === 'string' ? [] : isNode(each) ? [each] : each.filter(isNode),
  )
}

/** Returns the numbers of a set such as `(b 8 9)`. */
function columnSet(node: TreeNode, field: string): readonly number[] | undefined {
  const [set] = node.fields.get(field) ?? []
  if (set === undefined || typeof set === 'string' || isNode(set) || set[0] !== 'b') return undefined
  const numbers = set.slice(1).map(Number)
  return numbers.every(Number.isInteger) ? numbers : undefined
}

export function isNode(each: TreeValue): each is TreeNode {
  return typeof each !== 'string' && !Array.isArray(each)
}

function plain(name: string): readonly [string, NodeRule] {
  return [name, PLAIN]
}
