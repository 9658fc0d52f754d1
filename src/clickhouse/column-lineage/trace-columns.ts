import {
  type ColumnLineage,
  type InputColumn,
  mergedInputs,
  type Transformation,
  transformed,
} from '../../warehouse/column-lineage.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { type ResolvedNode, resolvedBranch, resolvedElements } from '../resolved-tree.ts'
import {
  attribute,
  columnIndex,
  joinedArray,
  projected,
  queriesOf,
  type ResolvedSources,
  sourceTableName,
  UntracedTreeError,
  unionMode,
} from './resolved-sources.ts'
import { rowInputs, type ValueInputs } from './row-inputs.ts'
import { tuplePart } from './tuple-part.ts'

/** The column names of the tables in `ResolvedSources.tablesToDescribe`, by `database.table`. */
export type TableColumns = ReadonlyMap<string, ReadonlySet<string>>

export interface KnownOfTree {
  readonly sources: ResolvedSources
  readonly tableColumns: TableColumns
  /** The database of a dictionary that the query names without a database. */
  readonly database: string
}

/**
 * Traces each result column of a resolved query back to the table columns from which it is computed.
 * @param root the tree of `SELECT * FROM (<query>)`
 * @throws UntracedTreeError if the tree has a node that Clew does not know
 */
export function traceColumns(root: ResolvedNode, known: KnownOfTree): ColumnLineage {
  return new ColumnTracer(known).trace(root)
}

/**
 * Traces each result column like {@link traceColumns}, but takes one that `LIMIT 1 BY` picks from several rows as gathered.
 * @throws UntracedTreeError if the tree has a node that Clew does not know
 */
export function traceGathered(root: ResolvedNode, known: KnownOfTree): ColumnLineage['fields'] {
  return new ColumnTracer(known, true).fields(root)
}

class ColumnTracer {
  readonly #sources: ResolvedSources
  readonly #tableColumns: TableColumns
  readonly #database: string
  readonly #gathersPicked: boolean
  /** A cache of inputs by source and column, so that no column is traced twice. */
  readonly #found = new Map<string, readonly InputColumn[]>()
  /**
   * The inputs found so far for columns of recursive CTEs, by CTE and position. Each round may add some, until nothing changes.
   */
  readonly #recursive = new Map<
    string,
    { readonly union: ResolvedNode; readonly place: number; inputs: readonly InputColumn[] }
  >()

  readonly #values: ValueInputs = {
    expression: node => this.#expression(node),
    returned: (source, place) => this.#returned(source, place),
  }

  constructor({ sources, tableColumns, database }: KnownOfTree, gathersPicked = false) {
    this.#gathersPicked = gathersPicked
    this.#sources = sources
    this.#tableColumns = tableColumns
    this.#database = database
  }

  trace(root: ResolvedNode): ColumnLineage {
    return this.#untilKnown(() => ({ fields: this.#fields(root), dataset: rowInputs(root, false, this.#values) }))
  }

  fields(root: ResolvedNode): ColumnLineage['fields'] {
    return this.#untilKnown(() => this.#fields(root))
  }

  #untilKnown<Found>(find: () => Found): Found {
    for (let turn = 0; turn < SERVER_LIMITS.lineageRounds; turn += 1) {
      this.#found.clear()
      const found = find()
      if (!this.#hasGrown()) return found
    }
    throw new UntracedTreeError('recursion')
  }

  #fields(root: ResolvedNode): ColumnLineage['fields'] {
    return resolvedElements(root, 'PROJECTION').map(column => ({
      column: this.#sources.reference(column).name,
      inputs: this.#expression(column),
    }))
  }

  #hasGrown(): boolean {
    let hasGrown = false
    for (const known of this.#recursive.values()) {
      const inputs = this.#returned(known.union, known.place)
      if (JSON.stringify(inputs) !== JSON.stringify(known.inputs)) hasGrown = true
      known.inputs = inputs
    }
    return hasGrown
  }

  #expression(node: ResolvedNode): readonly InputColumn[] {
    switch (node.kind) {
      case 'COLUMN':
        return this.#column(node)
      case 'FUNCTION':
        return this.#function(node)
      case 'QUERY':
      case 'UNION': {
        const places = queriesOf(node)[0]?.returned.map((_, place) => this.#returned(node, place)) ?? []
        return mergedInputs([...places.flat(), ...rowInputs(node, true, this.#values)])
      }
      case 'TABLE':
        return this.#wholeTable(node)
      // For a computed constant, the engine shows its value and keeps the original expression as a child. The inputs are in that
      // child.
      case 'CONSTANT':
      case 'LIST':
      case 'SORT':
      case 'WINDOW':
      case 'INTERPOLATE':
        return mergedInputs(node.branches.flatMap(child => this.#expression(child.node)))
      case 'LAMBDA': {
        const body = resolvedBranch(node, 'EXPRESSION')
        if (body === undefined) throw new UntracedTreeError(node.text)
        return this.#expression(body)
      }
      default:
        throw new UntracedTreeError(node.kind)
    }
  }

  #function(node: ResolvedNode): readonly InputColumn[] {
    const name = attribute(node, 'function_name') ?? ''
    // The engine has replaced a scalar subquery with its value. Its inputs are no longer in the tree, so the query gets no
    // lineage.
    if (name === '__getScalar') throw new UntracedTreeError(name)
    const part = name === 'tupleElement' ? tuplePart(node, this.#sources) : undefined
    if (part !== undefined) return transformed(this.#expression(part), 'TRANSFORMATION')
    const called = resolvedElements(node, 'ARGUMENTS')
    const type = attribute(node, 'function_type') ?? 'ordinary'
    const given = called.flatMap((argument, index) =>
      transformed(this.#expression(argument), argumentRole({ name, type, count: called.length }, index)),
    )
    const parameters = resolvedElements(node, 'PARAMETERS').flatMap(parameter => this.#expression(parameter))
    const window = resolvedBranch(node, 'WINDOW')
    const frame = window === undefined ? [] : this.#expression(window)
    const lookedUp = transformed(lookedUpColumns(name, called, this.#database), 'TRANSFORMATION')
    return mergedInputs([...lookedUp, ...given, ...transformed(parameters, 'TRANSFORMATION'), ...transformed(frame, 'WINDOW')])
  }

  #column(node: ResolvedNode): readonly InputColumn[] {
    const reference = this.#sources.reference(node)
    const key = `${reference.source.id} ${reference.name}`
    const inputs = this.#found.get(key) ?? this.#follow(node, reference)
    this.#found.set(key, inputs)
    return inputs
  }

  #follow(node: ResolvedNode, reference: ReturnType<ResolvedSources['reference']>): readonly InputColumn[] {
    const { source, name } = reference
    switch (source.kind) {
      case 'TABLE':
      case 'TABLE_FUNCTION': {
        const recursive = this.#sources.recursive(source)
        if (recursive !== undefined) return this.#ofRecursive(recursive, columnIndex({ ...reference, source: recursive }))
        // An ALIAS column has no stored values. Its expression is traced instead.
        const computed = resolvedBranch(node, 'EXPRESSION')
        return computed === undefined ? [this.#stored(source, name)] : this.#expression(computed)
      }
      case 'QUERY':
      case 'UNION':
        return this.#returned(source, columnIndex(reference))
      case 'ARRAY_JOIN':
        return transformed(this.#expression(joinedArray(source, name)), 'TRANSFORMATION')
      case 'JOIN': {
        const both = resolvedBranch(node, 'EXPRESSION')
        if (both === undefined) throw new UntracedTreeError(node.text)
        return this.#expression(both)
      }
      // Neither reads a column here: a lambda's arguments are traced at the function call, and INTERPOLATE only fills an existing
      // column.
      case 'LAMBDA':
      case 'INTERPOLATE':
        return []
      default:
        throw new UntracedTreeError(source.kind)
    }
  }

  /** Returns a stored column as an input. A part of a column, such as `address.city`, gives the whole column. */
  #stored(table: ResolvedNode, name: string): InputColumn {
    const columns = this.#tableColumns.get(sourceTableName(table))
    const parts = name.split('.')
    const names = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
    const column = names.find(candidate => columns?.has(candidate)) ?? name
    return { table: sourceTableName(table), column, transformations: [column === name ? 'IDENTITY' : 'TRANSFORMATION'] }
  }

  /** Returns all columns of a table as inputs, because `x IN table` reads them all. */
  #wholeTable(table: ResolvedNode): readonly InputColumn[] {
    const columns = this.#tableColumns.get(sourceTableName(table))
    if (columns === undefined) throw new UntracedTreeError(table.text)
    return [...columns].map(column => ({ table: sourceTableName(table), column, transformations: ['IDENTITY'] }))
  }

  #ofRecursive(union: ResolvedNode, place: number): readonly InputColumn[] {
    const key = `${union.id} ${place}`
    const known = this.#recursive.get(key) ?? { union, place, inputs: [] }
    this.#recursive.set(key, known)
    return known.inputs
  }

  /**
   * Returns the inputs of the result column at the position `place` of a query or UNION. EXCEPT and INTERSECT return values of
   * their first query only, so only that query is traced here.
   */
  #returned(source: ResolvedNode, place: number): readonly InputColumn[] {
    if (source.kind === 'QUERY') {
      const column = projected(source, place)
      const isPicked =
        this.#gathersPicked && picksOne(source) && !resolvedElements(source, 'LIMIT BY').some(each => each.text === column.text)
      return isPicked ? transformed(this.#expression(column), 'AGGREGATION') : this.#expression(column)
    }
    const queries = resolvedElements(source, 'QUERIES')
    const shown = /^UNION_/.test(unionMode(source)) ? queries : queries.slice(0, 1)
    return mergedInputs(shown.flatMap(query => this.#returned(query, place)))
  }
}

/** Whether a query has one row for each value of the columns of its LIMIT BY. */
function picksOne(query: ResolvedNode): boolean {
  return /constant_value: UInt64_1,/.test(resolvedBranch(query, 'LIMIT BY LIMIT')?.text ?? '')
}

/**
 * Matches the suffix If in names such as `sumIf`, `countIfOrNull` and `avgArrayIf`. The last argument of such a function is a
 * condition.
 */
const IF_COMBINATOR = /If(?=$|[A-Z])/

/**
 * Returns how an argument contributes to the value of a function.
 * @param type the kind of function in the engine's words: ordinary, aggregate or window
 */
function argumentRole(
  { name, type, count }: { readonly name: string; readonly type: string; readonly count: number },
  index: number,
): Transformation {
  const isLast = index === count - 1
  if (type !== 'ordinary') return isLast && IF_COMBINATOR.test(name) ? 'CONDITIONAL' : 'AGGREGATION'
  switch (name) {
    case 'if':
      return index === 0 ? 'CONDITIONAL' : 'TRANSFORMATION'
    case 'multiIf':
      return index % 2 === 0 && !isLast ? 'CONDITIONAL' : 'TRANSFORMATION'
    case 'caseWithExpression':
      return index === 0 || (index % 2 === 1 && !isLast) ? 'CONDITIONAL' : 'TRANSFORMATION'
    default:
      return 'TRANSFORMATION'
  }
}

const LOOK_UP = /^(?:dictGet|joinGet)/
/**
 * Finds the value in the text of a CONSTANT node. The lookahead `(?=(…))\1` prevents backtracking, which takes quadratic time in
 * a text with many matches.
 */
const VALUE = /^(?=(.*?(?:^|, )constant_value: ))\1(.*), constant_value_type: /s
const TEXT = /'((?:[^'\\]|\\.)*)(?:'|$)/g

/**
 * Returns the columns that a function reads by name from a dictionary or Join table, as in `dictGet('countries', 'name', key)`.
 * @param database the database of names without a database
 */
function lookedUpColumns(
  functionName: string,
  [from, attributes]: readonly ResolvedNode[],
  database: string,
): readonly InputColumn[] {
  if (!LOOK_UP.test(functionName)) return []
  const [name] = textsOf(from)
  if (name === undefined) return []
  const table = name.includes('.') ? name : `${database}.${name}`
  return textsOf(attributes).map(column => ({ table, column, transformations: ['IDENTITY'] }))
}

/** Returns the text of a string constant. For a tuple of string constants, returns all their texts. */
function textsOf(constant: ResolvedNode | undefined): readonly string[] {
  const value = VALUE.exec(constant?.text ?? '')?.[2] ?? ''
  return [...value.matchAll(TEXT)].map(([, text = '']) => text)
}
