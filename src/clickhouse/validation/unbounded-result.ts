import { branch, elements, type TreeNode } from '../../warehouse/query-tree.ts'
import type { AllowedQuery } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { lastPart, qualifiedName } from '../../warehouse/table-names.ts'

/** Clauses that may reduce the number of rows. */
const REDUCING = ['PREWHERE', 'WHERE', 'GROUP BY', 'HAVING', 'QUALIFY', 'LIMIT BY', 'LIMIT', 'OFFSET']
const REDUCING_FLAGS = ['is_distinct', 'is_group_by_all', 'is_limit_by_all'] as const

/**
 * Reports a result that certainly exceeds the row limit: a whole table without filter, aggregation or limit. Returns undefined if that is uncertain.
 */
export function findUnboundedResult(query: AllowedQuery, schema: Schema, maxRows: number): string | undefined {
  const rows = new RowCounter(query, schema).leastRows(query.tree, new Map())
  if (rows <= maxRows) return undefined
  return `The result has no bound: it would have at least ${rows.toLocaleString('en')} rows, of which only ${maxRows.toLocaleString('en')} can be returned. Aggregate, filter, or end with ORDER BY … LIMIT.`
}

type Ctes = ReadonlyMap<string, TreeNode>

/** Computes the minimum number of rows of a part of a query, without running it. It is 0 if nothing is certain. */
class RowCounter {
  readonly #query: AllowedQuery
  readonly #schema: Schema

  constructor(query: AllowedQuery, schema: Schema) {
    this.#query = query
    this.#schema = schema
  }

  leastRows(node: TreeNode, outer: Ctes): number {
    switch (node.kind) {
      case 'UNION':
        if (node.attributes.union_mode !== 'UNION_ALL' || node.attributes.is_recursive_cte === '1') return 0
        return elements(node, 'QUERIES').reduce((sum, part) => sum + this.leastRows(part, outer), 0)
      case 'QUERY':
        return this.#rowsOfQuery(node, outer)
      case 'IDENTIFIER':
        return this.#rowsOfName(node, outer)
      case 'JOIN':
        return this.#rowsOfJoin(node, outer)
      case 'CROSS JOIN':
        return node.branches.reduce((product, { node: table }) => product * this.leastRows(table, outer), 1)
      case 'ARRAY_JOIN':
        return node.attributes.is_left === '1' ? this.#rowsBelow(node, 'TABLE EXPRESSION', outer) : 0
      default:
        return 0
    }
  }

  #rowsOfQuery(node: TreeNode, outer: Ctes): number {
    const isReduced =
      REDUCING.some(heading => branch(node, heading) !== undefined) ||
      REDUCING_FLAGS.some(flag => node.attributes[flag] === '1') ||
      ['WITH', 'PROJECTION', 'ORDER BY'].some(heading => elements(node, heading).some(item => this.#aggregates(item)))
    if (isReduced) return 0
    const ctes = new Map(outer)
    for (const item of elements(node, 'WITH')) {
      if (item.attributes.cte_name !== undefined) ctes.set(item.attributes.cte_name, item)
    }
    return this.#rowsBelow(node, 'JOIN TREE', ctes)
  }

  #rowsOfName({ attributes }: TreeNode, ctes: Ctes): number {
    const name = attributes.identifier ?? ''
    if (attributes.final === '1' || attributes.sample_size !== undefined) return 0
    const cte = ctes.get(name)
    // A CTE may read a table of the same name. So inside its body, the name does not mean the CTE.
    if (cte !== undefined) return this.leastRows(cte, new Map([...ctes].filter(([other]) => other !== name)))
    const table = this.#query.tables.find(read => read === name || (!name.includes('.') && lastPart(read) === name))
    return this.#schema.tables.find(known => qualifiedName(known) === table)?.rows ?? 0
  }

  #rowsOfJoin(node: TreeNode, outer: Ctes): number {
    const { kind = '', strictness = '' } = node.attributes
    const keepsLeft = ['LEFT', 'FULL'].includes(kind) && !['SEMI', 'ANTI'].includes(strictness)
    return keepsLeft ? this.#rowsBelow(node, 'LEFT TABLE EXPRESSION', outer) : 0
  }

  #rowsBelow(node: TreeNode, heading: string, ctes: Ctes): number {
    const child = branch(node, heading)
    return child === undefined ? 0 : this.leastRows(child, ctes)
  }

  /** Whether an expression aggregates rows: it calls an aggregate function outside windows and subqueries. */
  #aggregates(node: TreeNode): boolean {
    if (node.kind === 'QUERY' || node.kind === 'UNION') return false
    const isWindow = branch(node, 'WINDOW') !== undefined
    if (!isWindow && this.#query.aggregates.has(node.attributes.function_name ?? '')) return true
    return node.branches.some(child => this.#aggregates(child.node))
  }
}
