import { shown } from '../../warehouse/guard/rejection.ts'
import { branch, elements, type TreeNode } from '../../warehouse/query-tree.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { lastPart, qualifiedName } from '../../warehouse/table-names.ts'
import { isTableHeading } from '../guard/tree/reference-graph.ts'
import type { ParsedQuery } from '../parsed-query.ts'
import { joinConditions } from './join-conditions.ts'

/**
 * Finds a condition that reads an alias, although the query probably means the column of the same name. Example: `SELECT
 * toStartOfMonth(day) AS day … WHERE day >= '2026-02-15'` compares months and so loses half of February. ClickHouse prefers the
 * alias (`prefer_column_name_to_alias = 0`), but standard SQL reads the column in WHERE, and likewise in ON. Other clauses are
 * not checked: USING always means columns, and GROUP BY, HAVING and ORDER BY are meant to use the alias.
 * @returns a message about the condition; undefined if there is none
 */
export function findHiddenColumn(query: ParsedQuery, schema: Schema): string | undefined {
  return new HiddenColumnFinder(query, schema).find(query.tree, new Map())
}

type Ctes = ReadonlyMap<string, TreeNode>

class HiddenColumnFinder {
  readonly #query: ParsedQuery
  readonly #schema: Schema
  readonly #columnsOfCte = new Map<TreeNode, ReadonlySet<string>>()

  constructor(query: ParsedQuery, schema: Schema) {
    this.#query = query
    this.#schema = schema
  }

  /** Searches a node of the query tree, with every SELECT below it, for such a condition. */
  find(node: TreeNode, outer: Ctes): string | undefined {
    const ctes = node.kind === 'QUERY' ? withCtesOf(node, outer) : outer
    const own = node.kind === 'QUERY' ? this.#findInSelect(node, ctes) : undefined
    if (own !== undefined) return own
    for (const { node: child } of node.branches) {
      const found = this.find(child, ctes)
      if (found !== undefined) return found
    }
    return undefined
  }

  #findInSelect(node: TreeNode, ctes: Ctes): string | undefined {
    const joinTree = branch(node, 'JOIN TREE')
    const aliases = hidingAliases(node)
    if (joinTree === undefined || aliases.size === 0) return undefined
    for (const [clause, condition] of conditionsOf(node, joinTree)) {
      const name = [...namesIn(condition)].find(one => aliases.has(one))
      if (name === undefined || !this.#columnsOf(joinTree, ctes).has(name)) continue
      const called = aliases.get(name)?.attributes.function_name
      const meaning = called === undefined ? '' : `, ${shown(called)}(…)`
      return `In ${clause}, ${shown(name)} means the alias ${shown(name)}${meaning}, not the column ${shown(name)}: give the alias a name that no column has.`
    }
    return undefined
  }

  /** Returns the names that are certainly columns of the tables in FROM. */
  #columnsOf(node: TreeNode, ctes: Ctes): ReadonlySet<string> {
    switch (node.kind) {
      case 'IDENTIFIER':
        return this.#columnsOfName(node.attributes.identifier ?? '', ctes)
      case 'QUERY': {
        const joinTree = branch(node, 'JOIN TREE')
        const from = joinTree === undefined ? new Set<string>() : this.#columnsOf(joinTree, withCtesOf(node, ctes))
        return new Set(elements(node, 'PROJECTION').flatMap(item => namesOfItem(item, from)))
      }
      case 'UNION':
        return new Set(
          elements(node, 'QUERIES')
            .slice(0, 1)
            .flatMap(first => [...this.#columnsOf(first, ctes)]),
        )
      case 'JOIN':
      case 'CROSS JOIN':
      case 'ARRAY_JOIN': {
        const tables = node.branches.filter(({ heading }) => isTableHeading(heading))
        return new Set(tables.flatMap(table => [...this.#columnsOf(table.node, ctes)]))
      }
      default:
        return new Set()
    }
  }

  #columnsOfName(name: string, ctes: Ctes): ReadonlySet<string> {
    const cte = ctes.get(name)
    // Inside a CTE, the CTE's own name means a table. So the CTE is removed before its columns are looked up.
    if (cte !== undefined) {
      const columns = this.#columnsOfCte.get(cte) ?? this.#columnsOf(cte, new Map([...ctes].filter(([other]) => other !== name)))
      this.#columnsOfCte.set(cte, columns)
      return columns
    }
    const read = this.#query.tables.find(table => table === name || (!name.includes('.') && lastPart(table) === name))
    const table = this.#schema.tables.find(known => qualifiedName(known) === read)
    return new Set(table?.columns.map(column => column.name))
  }
}

/** Returns the conditions of a SELECT that filter or join rows, each with its keyword: `WHERE`, `PREWHERE` or `ON`. */
function conditionsOf(node: TreeNode, joinTree: TreeNode): readonly (readonly [string, TreeNode])[] {
  const clauses = ['PREWHERE', 'WHERE'].flatMap(clause => {
    const condition = branch(node, clause)
    return condition === undefined ? [] : [[clause, condition] as const]
  })
  return [...clauses, ...joinConditions(joinTree).map(condition => ['ON', condition] as const)]
}

function withCtesOf(node: TreeNode, outer: Ctes): Ctes {
  const own = elements(node, 'WITH').flatMap(item => {
    const { cte_name: name } = item.attributes
    return name === undefined ? [] : [[name, item] as const]
  })
  return new Map([...outer, ...own])
}

/**
 * Returns the aliases that may hide a column. In a SELECT list, these are all aliases of more than a plain column, however deeply
 * nested. In WITH, they are only aliases made from a column of the same name, such as `lower(city) AS city`; other aliases in
 * WITH are meant for use in conditions.
 */
function hidingAliases(node: TreeNode): ReadonlyMap<string, TreeNode> {
  const selected = elements(node, 'PROJECTION').flatMap(aliased)
  const computed = elements(node, 'WITH').filter(
    ({ attributes: { alias, cte_name: cte } }) => alias !== undefined && cte === undefined,
  )
  const remade = computed.filter(item => namesIn(item).has(item.attributes.alias ?? ''))
  return new Map([...remade, ...selected].map(item => [item.attributes.alias ?? '', item]))
}

function aliased(node: TreeNode): readonly TreeNode[] {
  const own = node.attributes.alias !== undefined && node.kind !== 'IDENTIFIER' && node.kind !== 'LAMBDA' ? [node] : []
  const isClosed = node.kind === 'QUERY' || node.kind === 'UNION' || node.kind === 'LAMBDA'
  return isClosed ? own : [...own, ...node.branches.flatMap(child => aliased(child.node))]
}

/** Returns the names of columns and aliases in an expression, without those in subqueries and without lambda parameters. */
function namesIn(node: TreeNode): ReadonlySet<string> {
  const { identifier } = node.attributes
  if (node.kind === 'QUERY' || node.kind === 'UNION') return new Set()
  const inner = new Set(node.branches.flatMap(child => [...namesIn(child.node)]))
  if (node.kind === 'LAMBDA') {
    for (const { attributes } of elements(node, 'ARGUMENTS')) inner.delete(attributes.identifier ?? '')
  }
  return identifier === undefined ? inner : new Set([...inner, identifier])
}

/** @param from the names of the columns that `*` stands for */
function namesOfItem({ kind, attributes, branches }: TreeNode, from: ReadonlySet<string>): readonly string[] {
  const { alias, identifier, matcher_type: matcher } = attributes
  if (kind === 'MATCHER') return matcher === 'ASTERISK' && branches.length === 0 ? [...from] : []
  if (alias !== undefined) return [alias]
  return identifier === undefined ? [] : [lastPart(identifier)]
}
