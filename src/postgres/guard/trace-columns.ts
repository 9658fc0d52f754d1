import { type InputColumn, mergedInputs, transformed } from '../../warehouse/column-lineage.ts'
import { innerNodes, nodesOf, type TreeNode, value } from './node-tree.ts'
import type { ReferencedObjects } from './referenced-objects.ts'

interface Level {
  readonly query: TreeNode
  readonly outer: Level | undefined
}

const ENTRY = { table: '0', subquery: '1', join: '2', cte: '6', group: '9' } as const

/**
 * Finds the input columns of each column of an analyzed query's result. A value that an aggregate, a window function or DISTINCT ON
 * takes from several rows is gathered (AGGREGATION).
 */
export function traceResult(root: TreeNode, { relations }: ReferencedObjects): readonly (readonly InputColumn[])[] {
  /** By target. A recursive query meets its own while it is traced, and gets what is known. */
  const known = new Map<TreeNode, readonly InputColumn[]>()

  const target = (found: TreeNode, level: Level): readonly InputColumn[] => {
    const before = known.get(found)
    if (before !== undefined) return before
    known.set(found, [])
    const inputs = mergedInputs(nodesOf(found, 'expr').flatMap(each => expression(each, level)))
    known.set(found, isPicked(found, level.query) ? transformed(inputs, 'AGGREGATION') : inputs)
    return known.get(found) ?? []
  }

  const returned = (query: TreeNode, at: number, outer: Level | undefined): readonly InputColumn[] => {
    const level = { query, outer }
    // The target list of a UNION has the columns of its first part only.
    if (nodesOf(query, 'setOperations').length > 0)
      return mergedInputs(
        nodesOf(query, 'rtable').flatMap(part => nodesOf(part, 'subquery').flatMap(each => returned(each, at, level))),
      )
    const found = nodesOf(query, 'targetList')[at]
    return found === undefined ? [] : target(found, level)
  }

  const column = (node: TreeNode, level: Level): readonly InputColumn[] => {
    const from = above(level, value(node, 'varlevelsup'))
    const entry = from && nodesOf(from.query, 'rtable')[Number(value(node, 'varno')) - 1]
    const number = Number(value(node, 'varattno'))
    if (from === undefined || entry === undefined) return []
    switch (value(entry, 'rtekind')) {
      case ENTRY.table: {
        const relation = relations.get(Number(value(entry, 'relid')))
        const name = relation?.columns.get(number)
        return [{ table: relation?.name ?? '', column: name ?? '*', transformations: [name ? 'IDENTITY' : 'TRANSFORMATION'] }]
      }
      case ENTRY.subquery:
        return nodesOf(entry, 'subquery').flatMap(each => returned(each, number - 1, from))
      case ENTRY.cte: {
        const at = above(from, value(entry, 'ctelevelsup'))
        const cte = at && nodesOf(at.query, 'cteList').find(each => value(each, 'ctename') === value(entry, 'ctename'))
        return cte === undefined ? [] : nodesOf(cte, 'ctequery').flatMap(each => returned(each, number - 1, at))
      }
      case ENTRY.join:
      case ENTRY.group: {
        const behind = nodesOf(entry, 'joinaliasvars', 'groupexprs')[number - 1]
        return behind === undefined ? [] : expression(behind, from)
      }
      default:
        // A function or VALUES in FROM.
        return [{ table: '', column: `${value(node, 'varno')}.${number}`, transformations: ['IDENTITY'] }]
    }
  }

  const expression = (node: TreeNode, level: Level): readonly InputColumn[] => {
    if (node.kind === 'VAR') return column(node, level)
    if (node.kind === 'QUERY') return returned(node, 0, level)
    const isGathered = node.kind === 'AGGREF' || node.kind === 'WINDOWFUNC'
    const inputs = innerNodes(node).flatMap(each => expression(each, level))
    return transformed(inputs, isGathered ? 'AGGREGATION' : node.kind === 'RELABELTYPE' ? 'IDENTITY' : 'TRANSFORMATION')
  }

  const shown = nodesOf(root, 'targetList').filter(each => value(each, 'resjunk') === 'false')
  return shown.map((_, at) => returned(root, at, undefined))
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
