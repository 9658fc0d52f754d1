import { constantText } from './constant-values.ts'
import { ABSENT, isNode, nodesOf, type TreeNode, value, wordsOf } from './node-tree.ts'
import { refuse, refuseUnknown, refuseXml } from './refusal.ts'

/**
 * Every node that a query may have, as versions 15 to 18 name it, with its fields that hold ids of objects. 16 renamed some nodes.
 * Any other node is refused. QUERY, RANGETBLENTRY, RTEPERMISSIONINFO, PARAM and others have further rules below.
 */
const NODES = readNodes(`
QUERY RANGETBLENTRY RTEPERMISSIONINFO ALIAS TARGETENTRY RANGETBLREF JOINEXPR FROMEXPR CTESEARCHCLAUSE
BOOLEXPR SUBLINK NULLTEST BOOLEANTEST NAMEDARGEXPR GROUPINGFUNC GROUPINGSET WHEN CASEWHEN COLLATE COLLATEEXPR
JSONFORMAT JSONVALUEEXPR JSONISPREDICATE JSONBEHAVIOR JSONCONSTRUCTOREXPR JSONEXPR JSONTABLEPATHSCAN JSONTABLEPATH JSONTABLESIBLINGJOIN
VAR: vartype
CONST: consttype
PARAM: paramtype
AGGREF: aggfnoid aggtype
WINDOWFUNC: winfnoid wintype
FUNCEXPR: funcid funcresulttype
OPEXPR DISTINCTEXPR NULLIFEXPR: opno opfuncid opresulttype
SCALARARRAYOPEXPR: opno opfuncid
SUBSCRIPTINGREF: refcontainertype refelemtype refrestype
FIELDSELECT RELABELTYPE COERCEVIAIO ARRAYCOERCEEXPR COERCETODOMAIN: resulttype
CASE CASEEXPR: casetype
CASETESTEXPR: typeId
ARRAY ARRAYEXPR: array_typeid element_typeid
ROW ROWEXPR: row_typeid
ROWCOMPARE ROWCOMPAREEXPR: opnos
COALESCE COALESCEEXPR: coalescetype
MINMAX MINMAXEXPR: minmaxtype
SQLVALUEFUNCTION: type
SORTGROUPCLAUSE: eqop sortop
WINDOWCLAUSE: startInRangeFunc endInRangeFunc
COMMONTABLEEXPR: ctecoltypes
CTECYCLECLAUSE: cycle_mark_type cycle_mark_neop
SETOPERATIONSTMT: colTypes
RANGETBLFUNCTION: funccoltypes
TABLEFUNC: coltypes
TABLESAMPLECLAUSE: tsmhandler
JSONRETURNING: typid`)
/** The fields that hold ids of functions, and of operators. The others hold ids of types. */
const FUNCTION_FIELD = /^(?:aggfnoid|winfnoid|funcid|opfuncid|tsmhandler|(?:start|end)InRangeFunc)$/
const OPERATOR_FIELD = /^(?:opnos?|eqop|sortop|cycle_mark_neop)$/

/** `JOIN`, `FUNCTION`, `TABLEFUNC`, `VALUES`, `CTE`, `RESULT`, `GROUP`: entries of a FROM list that are neither tables nor subqueries. */
const OTHER_ENTRIES: ReadonlySet<string> = new Set(['2', '3', '4', '5', '6', '8', '9'])
/** The kind of JSON_TABLE. The other kind is XMLTABLE. */
const JSON_TABLE = '1'
const NAME_TYPE = '19'
/** The ids of pg_typeof and pg_input_is_valid. */
const [TYPE_OF, INPUT_IS_VALID] = ['1619', '6210']
const RELATION = '0'
const SUBQUERY = '1'
const SELECT_RIGHT = '2'
/** The server numbers the columns of a set from this on, so that those of the system are positive too. */
const FIRST_COLUMN = 7

/** The objects to which an analyzed query refers, by the server's object ids. Every node counts, wherever it stands. */
export class QueryFacts {
  /** The relations that the query reads, each with the numbers of its columns. 0 means the whole row. */
  readonly relations = new Map<number, Set<number>>()
  readonly functions = new Set<number>()
  readonly operators = new Set<number>()
  readonly types = new Set<number>()
  /** The names of types that stand in a text of the query and are read while it runs. */
  readonly typeNames = new Set<string>()
  /** The kinds of the tree's nodes. */
  readonly kinds = new Set<string>()
  readonly #typesOutsideJoins = new Set<number>()
  #readsWholeRow = false
  #isInJoin = false
  /** The entries whose rights were found. */
  readonly #permitted = new Set<TreeNode>()

  /** @throws Refusal for what is no plain SELECT, and for a part that is not known to be harmless */
  constructor(root: TreeNode) {
    if (root.kind !== 'QUERY') refuseUnknown()
    this.#node(root)
  }

  #node(node: TreeNode): void {
    this.kinds.add(node.kind)
    const ids = NODES.get(node.kind)
    if (node.kind === 'ROWMARKCLAUSE') refuseLocks()
    if (node.kind === 'XMLEXPR') refuseXml()
    this.#known(node, ids ?? refuseUnknown())
    for (const field of node.fields.keys()) {
      const wasInJoin = this.#isInJoin
      this.#isInJoin ||= field === 'joinaliasvars'
      for (const each of nodesOf(node, field)) this.#node(each)
      this.#isInJoin = wasInJoin
    }
  }

  /**
   * The types of values that the query computes with. A join lists all columns of its tables, also those that nobody uses. Its whole
   * row holds what it lists.
   */
  get usedTypes(): ReadonlySet<number> {
    return this.#readsWholeRow ? this.types : this.#typesOutsideJoins
  }

  #known(node: TreeNode, ids: readonly string[]): void {
    for (const field of ids) {
      if (FUNCTION_FIELD.test(field)) this.#collect(node, field, this.functions)
      else if (OPERATOR_FIELD.test(field)) this.#collect(node, field, this.operators)
      // The name of a type is only given, and any other node with a value of this type is refused.
      else if (field !== 'funcresulttype' || value(node, 'funcid') !== TYPE_OF) {
        this.#collect(node, field, this.types)
        if (!this.#isInJoin) this.#collect(node, field, this.#typesOutsideJoins)
      }
    }
    if (value(node, 'funcid') === INPUT_IS_VALID) {
      // A type that only a text names must stand in the query, so that it can be judged.
      const [, name] = nodesOf(node, 'args')
      this.typeNames.add((name && constantText(name)) ?? refuseUnknown())
    }
    if (node.kind === 'TABLEFUNC' && value(node, 'functype') !== JSON_TABLE) refuseXml()
    if (node.kind === 'VAR' && value(node, 'varattno') === '0') this.#readsWholeRow = true
    if (node.kind === 'QUERY') this.#query(node)
    if (node.kind === 'RANGETBLENTRY') this.#entry(node)
    // A parameter of kind 2 stands for a column of a subquery, as in `x IN (SELECT …)`.
    if (node.kind === 'PARAM' && value(node, 'paramkind') !== '2')
      refuse('parameter', 'The query has a placeholder without a value: write the value itself.')
    // CURRENT_USER and its like are names; CURRENT_DATE and its like are times.
    if (node.kind === 'SQLVALUEFUNCTION' && value(node, 'type') === NAME_TYPE)
      refuse('function', 'The names of users, databases and schemas are not available: leave CURRENT_USER and its like out.')
  }

  #query(node: TreeNode): void {
    const is = (field: string, expected: string) => value(node, field) === expected
    const isSelect = is('commandType', '1') && is('utilityStmt', ABSENT) && is('querySource', '0')
    if (!isSelect) refuse('not_select', 'Only one SELECT is allowed, without INTO.')
    const isReading = is('resultRelation', '0') && is('hasModifyingCTE', 'false') && is('returningList', ABSENT)
    if (!isReading || !is('onConflict', ABSENT) || !is('withCheckOptions', ABSENT))
      refuse('not_select', 'Only a SELECT is allowed: no part of the query may change data, also not in WITH.')
    if (!is('hasForUpdate', 'false') || !is('rowMarks', ABSENT)) refuseLocks()
    const permissions = node.fields.has('rteperminfos') ? nodesOf(node, 'rteperminfos') : undefined
    for (const entry of nodesOf(node, 'rtable')) {
      if (value(entry, 'rtekind') === RELATION) this.#relation(entry, permissions)
    }
  }

  /** Since version 16, the rights that a query needs stand apart from its FROM list. */
  #relation(entry: TreeNode, permissions: readonly TreeNode[] | undefined): void {
    const index = Number(value(entry, 'perminfoindex')) - 1
    const needed = (permissions === undefined ? entry : permissions[index]) ?? refuseUnknown()
    const relation = Number(value(entry, 'relid'))
    const columns = columnSet(needed, 'selectedCols')
    const isRead =
      relation > 0 &&
      Number(value(needed, 'relid')) === relation &&
      value(needed, 'requiredPerms') === SELECT_RIGHT &&
      columnSet(needed, 'insertedCols').length === 0 &&
      columnSet(needed, 'updatedCols').length === 0
    if (!isRead) refuseUnknown()
    const known = this.relations.get(relation) ?? new Set()
    for (const column of columns) known.add(column - FIRST_COLUMN)
    this.relations.set(relation, known)
    this.#permitted.add(entry)
  }

  #entry(entry: TreeNode): void {
    const kind = value(entry, 'rtekind') ?? ''
    const isPermitted = kind === RELATION ? this.#permitted.has(entry) : kind === SUBQUERY || OTHER_ENTRIES.has(kind)
    if (value(entry, 'securityQuals') !== ABSENT || !isPermitted) refuseUnknown()
    if (OTHER_ENTRIES.has(kind) && entry.fields.has('relid')) refuseUnknown()
  }

  /** Collects the ids of a field, which holds one id or a list such as `(o 23 25)`. 0 means none. */
  #collect(node: TreeNode, field: string, into: Set<number>): void {
    if (node.fields.get(field)?.length !== 1) refuseUnknown()
    for (const id of wordsOf(node, field)) {
      if (typeof id !== 'string' || !/^\d+$/.test(id)) refuseUnknown()
      if (Number(id) !== 0) into.add(Number(id))
    }
  }
}

/** Returns the numbers of a set such as `(b 8 9)`. */
function columnSet(node: TreeNode, field: string): readonly number[] {
  const [set] = node.fields.get(field) ?? []
  if (set === undefined || typeof set === 'string' || isNode(set) || set[0] !== 'b') refuseUnknown()
  const numbers = set.slice(1).map(Number)
  return numbers.every(Number.isInteger) ? numbers : refuseUnknown()
}

function refuseLocks(): never {
  refuse('not_select', 'Rows may not be locked: leave FOR UPDATE and FOR SHARE out.')
}

function readNodes(text: string): ReadonlyMap<string, readonly string[]> {
  const lines = text
    .trim()
    .split('\n')
    .map(line => line.split(':').map(part => part.trim().split(' ')))
  return new Map(lines.flatMap(([kinds = [], fields = []]) => kinds.map(kind => [kind, fields] as const)))
}
