import { composed, type InputColumn, mergedInputs, type Transformation, transformed } from '../../warehouse/column-lineage.ts'
import { innerNodes, nodesOf, type TreeNode, value } from './node-tree.ts'
import type { ReferencedObjects } from './referenced-objects.ts'

interface Level {
  readonly query: TreeNode
  readonly outer: Level | undefined
}

/** How the nodes that are no mere computations change what is below them. */
const HOW: ReadonlyMap<string, Transformation> = new Map([
  ['AGGREF', 'AGGREGATION'],
  ['WINDOWFUNC', 'AGGREGATION'],
  ['RELABELTYPE', 'IDENTITY'],
])
const ENTRY = { subquery: '1', join: '2', cte: '6', group: '9' } as const

/**
 * Finds the input columns of each column of an analyzed query's result. A value that an aggregate, a window function or DISTINCT ON
 * takes from several rows is gathered (AGGREGATION).
 */
export function traceResult(root: TreeNode, { relations }: ReferencedObjects): readonly (readonly InputColumn[])[] {
  return new Tracer(relations).result(root)
}

class Tracer {
  readonly #relations: ReferencedObjects['relations']
  /** By target. A recursive query meets its own while it is traced, and gets what is known. */
  readonly #known = new Map<TreeNode, readonly InputColumn[]>()

  constructor(relations: ReferencedObjects['relations']) {
    this.#relations = relations
  }

  result(root: TreeNode): readonly (readonly InputColumn[])[] {
    const shown = nodesOf(root, 'targetList').filter(each => value(each, 'resjunk') === 'false')
    return shown.map((_, at) => this.#returned(root, at, undefined))
  }

  #returned(query: TreeNode, at: number, outer: Level | undefined): readonly InputColumn[] {
    const level = { query, outer }
    // The target list of a UNION has the columns of its first part only.
    const parts = nodesOf(query, 'setOperations').length > 0 ? nodesOf(query, 'rtable') : []
    if (parts.length > 0)
      return mergedInputs(parts.flatMap(part => nodesOf(part, 'subquery').flatMap(each => this.#returned(each, at, level))))
    const target = nodesOf(query, 'targetList')[at]
    return target === undefined ? [] : this.#target(target, level)
  }

  #target(target: TreeNode, level: Level): readonly InputColumn[] {
    const before = this.#known.get(target)
    if (before !== undefined) return before
    this.#known.set(target, [])
    const how = isPicked(target, level.query) ? 'AGGREGATION' : 'IDENTITY'
    const inputs = mergedInputs(nodesOf(target, 'expr').flatMap(each => [...this.#expression(each, level, how)]))
    this.#known.set(target, inputs)
    return inputs
  }

  /** @param how how the expression reaches the target */
  *#expression(node: TreeNode, level: Level, how: Transformation): Generator<InputColumn> {
    if (node.kind === 'VAR') yield* this.#column(node, level, how)
    else if (node.kind === 'QUERY') yield* transformed(this.#returned(node, 0, level), how)
    else {
      const inside = composed(how, HOW.get(node.kind) ?? 'TRANSFORMATION')
      for (const each of innerNodes(node)) yield* this.#expression(each, level, inside)
    }
  }

  *#column(node: TreeNode, level: Level, how: Transformation): Generator<InputColumn> {
    const from = above(level, value(node, 'varlevelsup'))
    const entry = from && nodesOf(from.query, 'rtable')[Number(value(node, 'varno')) - 1]
    const number = Number(value(node, 'varattno'))
    if (from === undefined || entry === undefined) return
    const kind = value(entry, 'rtekind')
    if (kind === ENTRY.join || kind === ENTRY.group) {
      const behind = nodesOf(entry, 'joinaliasvars', 'groupexprs')[number - 1]
      if (behind !== undefined) yield* this.#expression(behind, from, how)
    } else if (kind === ENTRY.subquery) {
      for (const query of nodesOf(entry, 'subquery')) yield* transformed(this.#returned(query, number - 1, from), how)
    } else if (kind === ENTRY.cte) {
      const at = above(from, value(entry, 'ctelevelsup'))
      const ctes = at === undefined ? [] : nodesOf(at.query, 'cteList')
      const cte = ctes.find(each => value(each, 'ctename') === value(entry, 'ctename'))
      for (const query of cte === undefined ? [] : nodesOf(cte, 'ctequery'))
        yield* transformed(this.#returned(query, number - 1, at), how)
    } else {
      const relation = this.#relations.get(Number(value(entry, 'relid')))
      const name = relation?.columns.get(number)
      // A whole row has no name, and a function or VALUES in FROM no relation.
      const read = relation === undefined ? `${value(node, 'varno')}.${number}` : (name ?? '*')
      const isWhole = relation !== undefined && name === undefined
      yield { table: relation?.name ?? '', column: read, transformations: [isWhole ? composed(how, 'TRANSFORMATION') : how] }
    }
  }
}

/** Whether DISTINCT ON takes a column from one of several rows. */
function isPicked(target: TreeNode, query: TreeNode): boolean {
  if (value(query, 'hasDistinctOn') !== 'true') return false
  const kept = nodesOf(query, 'distinctClause').map(each => value(each, 'tleSortGroupRef'))
  return !kept.includes(value(target, 'ressortgroupref'))
}

function above(level: Level | undefined, steps: string | undefined): Level | undefined {
  let at = level
  for (let up = Number(steps); up > 0; up--) at = at?.outer
  return at
}
