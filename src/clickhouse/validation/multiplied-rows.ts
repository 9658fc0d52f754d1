import { branch, elements, type TreeNode } from '../../warehouse/query-tree.ts'
import type { MultipliedRows } from '../../warehouse/query-validator.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { ParsedQuery } from '../parsed-query.ts'
import { equalityIn, joinConditions, usedColumns } from './join-conditions.ts'
import { type Column, hasColumn, isFlag, isUniqueIn, joinedSources, type Source, type Tables } from './joined-sources.ts'
import { boundsIn, conjunctsOf, identifiersIn, pickedBy } from './picking-conditions.ts'

/**
 * Finds a sum or average over rows that a join certainly repeats. Example: a query joins orders with refunds by customer and
 * returns `sum(orders.amount)`. If a customer has several refunds, each order of this customer is added several times. The
 * statistics of the schema must prove that the values of the joined column repeat. Nothing is reported if a condition, GROUP BY
 * or subquery may leave only one row per value.
 */
function findMultipliedRows({ tree, tables }: ParsedQuery, schema: Schema): MultipliedRows | undefined {
  const known = new Map(
    schema.tables.filter(table => tables.includes(qualifiedName(table))).map(table => [qualifiedName(table), table]),
  )
  return findBelow(tree, known, new Set())
}

/** Like `findMultipliedRows`, but returns a message for the author of the query. */
export function doubtOfMultipliedRows(
  query: ParsedQuery,
  schema: Schema,
): { readonly message: string; readonly found: MultipliedRows } | undefined {
  const found = findMultipliedRows(query, schema)
  if (found === undefined) return undefined
  const { table, by, column } = found
  return {
    message: `Each row of ${table} is added up several times: once for every row of ${by} that has its ${column}. Bring ${by} to one row per ${column} first (a subquery with GROUP BY), or only ask whether there is one (IN, SEMI JOIN). Where it is meant once for every row of ${by}, as a price for each sale, write the query as it is.`,
    found,
  }
}

function findBelow(node: TreeNode, tables: Tables, outerCtes: ReadonlySet<string>): MultipliedRows | undefined {
  const own = node.kind === 'QUERY' ? elements(node, 'WITH').flatMap(item => item.attributes.cte_name ?? []) : []
  const ctes = new Set([...outerCtes, ...own])
  const found = node.kind === 'QUERY' ? findInSelect(node, tables, ctes) : undefined
  if (found !== undefined) return found
  for (const { node: child } of node.branches) {
    const below = findBelow(child, tables, ctes)
    if (below !== undefined) return below
  }
  return undefined
}

function findInSelect(query: TreeNode, tables: Tables, ctes: ReadonlySet<string>): MultipliedRows | undefined {
  const joinTree = branch(query, 'JOIN TREE')
  if (joinTree?.kind !== 'JOIN' && joinTree?.kind !== 'CROSS JOIN') return undefined
  const sources = joinedSources(joinTree, false, tables, ctes)
  if (sources === undefined) return undefined
  const scope = new SelectScope(query, joinTree, sources)
  const clauses = ['PROJECTION', 'HAVING', 'ORDER BY'].flatMap(heading => branch(query, heading) ?? [])
  for (const call of clauses.flatMap(sumsIn)) {
    const found = scope.multiplied(call)
    if (found !== undefined) return found
  }
  return undefined
}

/** One SELECT with its joined tables, and the conditions that show whether the join repeats the summed rows. */
class SelectScope {
  readonly #sources: readonly Source[]
  readonly #aliases: ReadonlySet<string>
  /** Pairs of columns that a condition makes equal in every joined row. */
  readonly #equal: readonly (readonly [Column, Column])[]
  /** Columns that a condition or GROUP BY limits to one value within each group of summed rows. */
  readonly #fixed: readonly Column[]
  /** The tables that have a column in GROUP BY. */
  readonly #grouped: ReadonlySet<Source>

  constructor(query: TreeNode, joinTree: TreeNode, sources: readonly Source[]) {
    this.#sources = sources
    this.#aliases = new Set(elements(query, 'PROJECTION').flatMap(({ attributes: { alias } }) => alias ?? []))
    const clauses = [...['WHERE', 'PREWHERE'].flatMap(heading => branch(query, heading) ?? []), ...joinConditions(joinTree)]
    const conditions = clauses.flatMap(conjunctsOf)
    const sides = conditions.flatMap(equalityIn).map(([left, right]) => [this.#column(left), this.#column(right)] as const)
    const grouped = groupedBy(query).flatMap(item => this.#column(item) ?? [])
    this.#grouped = new Set(grouped.map(({ source }) => source))
    this.#equal = [
      ...sides.flatMap(([left, right]) => (left && right ? [[left, right] as const] : [])),
      ...usedColumns(joinTree).flatMap(name => this.#sharing(name)),
    ]
    this.#fixed = [
      ...grouped,
      ...sides.flatMap(([left, right]) => (left && right ? [] : (left ?? right ?? []))),
      ...conditions.flatMap(pickedBy).flatMap(item => this.#column(item) ?? []),
      ...this.#periods(conditions),
    ]
  }

  multiplied(call: TreeNode): MultipliedRows | undefined {
    const [argument] = elements(call, 'ARGUMENTS')
    const added = argument === undefined ? [] : addedNames(argument).map(node => this.#column(node))
    const named = elements(call, 'ARGUMENTS')
      .flatMap(identifiersIn)
      .map(node => this.#column(node))
    const [first] = added
    if (first?.source.table === undefined || named.includes(undefined) || added.every(column => column && isFlag(column)))
      return undefined
    // The arguments include conditions, as in `sumIf(x, condition)`. Such a condition may select a single row, just like one in
    // WHERE.
    const sources = new Set(named.flatMap(column => column?.source ?? []))
    // If each group has a single row of a table, the average over it is correct even if the join repeats that row.
    const isAverage = call.attributes.function_name?.toLowerCase().startsWith('avg') === true
    if (isAverage && [...sources].some(source => this.#grouped.has(source))) return undefined
    const by = this.#multiplierOf(sources)
    return by && { table: qualifiedName(first.source.table), by: qualifiedName(by.table), column: by.column }
  }

  /**
   * Returns a table that repeats the summed rows, because several of its rows certainly match one row of another table.
   * `determined` collects the tables of which each summed row certainly or possibly matches only one row.
   */
  #multiplierOf(added: ReadonlySet<Source>): { readonly table: TableSchema; readonly column: string } | undefined {
    const determined = new Set([...added, ...this.#sources.filter(({ isSingle, table }) => isSingle || table === undefined)])
    for (let grown = true; grown; ) {
      const next = this.#sources.find(source => !determined.has(source) && this.#tellsRowsApart(source, determined))
      grown = next !== undefined
      if (next !== undefined) determined.add(next)
    }
    for (const source of this.#sources) {
      const bound = this.#boundColumns(source, determined)
      const [column, ...others] = bound
      if (determined.has(source) || source.table === undefined || column === undefined || others.length > 0) continue
      if (isUniqueIn(source, bound) === false && !this.#hangsOnOthers(source, determined)) return { table: source.table, column }
    }
    return undefined
  }

  /**
   * Whether conditions join the source only with sources outside `determined`. It may then have only one row for each row of
   * those.
   */
  #hangsOnOthers(source: Source, determined: ReadonlySet<Source>): boolean {
    const partners = this.#equal.flatMap(([left, right]) => {
      if (left.source === source) return right.source
      return right.source === source ? left.source : []
    })
    return partners.length > 0 && !partners.some(partner => determined.has(partner))
  }

  #tellsRowsApart(source: Source, determined: ReadonlySet<Source>): boolean {
    const bound = this.#boundColumns(source, determined)
    const { table } = source
    if (table === undefined) return true
    // Several columns together are known to repeat only if they are the sorting key. Otherwise they are assumed to be unique.
    return bound.length > 1 || bound.some(name => isUniqueIn(source, [name]) !== false)
  }

  /** Returns the columns of `source` that have a single value for a given row of the `determined` sources. */
  #boundColumns(source: Source, determined: ReadonlySet<Source>): readonly string[] {
    const joined = this.#equal.flatMap(([left, right]) => {
      if (left.source === source && determined.has(right.source)) return left.name
      return right.source === source && determined.has(left.source) ? right.name : []
    })
    const fixed = this.#fixed.filter(column => column.source === source).map(({ name }) => name)
    return [...new Set([...joined, ...fixed])]
  }

  /**
   * Returns both columns of a period that contains a point in time: `since` and `until` in `t.since <= o.day AND o.day <
   * t.until`. Usually only one period contains it, so the condition leaves one row.
   */
  #periods(conditions: readonly TreeNode[]): readonly Column[] {
    const bounds = conditions.flatMap(boundsIn).flatMap(({ column: node, ...bound }) => {
      const column = this.#column(node)
      return column === undefined ? [] : { ...bound, column }
    })
    return bounds.flatMap(({ column: { source, name }, isBelow, other }) => {
      const isEnd = bounds.some(
        end => end.column.source === source && end.column.name !== name && end.isBelow !== isBelow && end.other === other,
      )
      return isEnd ? { source, name } : []
    })
  }

  /** Returns the column that an identifier certainly means, or undefined in case of doubt. */
  #column({ attributes: { identifier } }: TreeNode): Column | undefined {
    if (identifier === undefined) return undefined
    const dot = identifier.lastIndexOf('.')
    const name = identifier.slice(dot + 1)
    const qualifier = identifier.slice(0, Math.max(dot, 0))
    if (dot < 0 && this.#aliases.has(name)) return undefined
    const owners = this.#sources.filter(source =>
      dot < 0 ? source.table === undefined || hasColumn(source, name) : source.names.includes(qualifier),
    )
    const [owner, ...others] = owners
    return owner !== undefined && others.length === 0 ? { source: owner, name } : undefined
  }

  /** Returns pairs of equal columns for a name in USING: the first source's column with that of each other source. */
  #sharing(name: string): readonly (readonly [Column, Column])[] {
    const [first, ...others] = this.#sources.filter(source => source.table === undefined || hasColumn(source, name))
    return first === undefined
      ? []
      : others.map(
          source =>
            [
              { source: first, name },
              { source, name },
            ] as const,
        )
  }
}

/** Returns the expressions of GROUP BY. The query may give them as aliases, numbers, sets or ALL. */
function groupedBy(query: TreeNode): readonly TreeNode[] {
  const selected = elements(query, 'PROJECTION')
  if (query.attributes.is_group_by_all === '1') return selected
  const items = elements(query, 'GROUP BY').flatMap(item => (item.kind === 'LIST' ? item.branches.map(({ node }) => node) : item))
  return items.map(item => {
    const { identifier, constant_value: value } = item.attributes
    const number = /^UInt64_(\d+)$/.exec(value ?? '')?.[1]
    if (number !== undefined) return selected[Number(number) - 1] ?? item
    return selected.find(({ attributes: { alias } }) => alias !== undefined && alias === identifier) ?? item
  })
}

const ADDS_UP = /^(?:sum|avg|sumkahan|sumwithoverflow)(?:if|ornull|ordefault)*$/i
const DIVIDES = /^(?:intDiv|divide)(?:OrNull|OrZero|Decimal)?$/i
/** Matches functions that return true or false, such as `equals`. A sum of their results only counts rows. */
const ASKS =
  /^(?:not)?(?:equals|less|greater|lessOrEquals|greaterOrEquals|and|or|xor|not|i?like|(?:global)?(?:not)?(?:null)?in|isNull|isNotNull|isNotDistinctFrom|isDistinctFrom|empty|match|startsWith|endsWith|has|hasAny|hasAll)$/i

/**
 * Returns the calls in this SELECT that sum over rows, except window functions. Sums in a division, such as bytes by capacity,
 * are left out, because they may be meant per row. Sums in a division that only converts a unit are included.
 */
function sumsIn(node: TreeNode): readonly TreeNode[] {
  const { function_name: name = '' } = node.attributes
  if (node.kind === 'QUERY' || node.kind === 'UNION') return []
  if (ADDS_UP.test(name) && branch(node, 'WINDOW') === undefined) return [node]
  const [, divisor] = elements(node, 'ARGUMENTS')
  if (DIVIDES.test(name) && divisor !== undefined && !isUnit(divisor)) return []
  return node.branches.flatMap(child => sumsIn(child.node))
}

/**
 * Returns the names of the values that a call sums. `sum(if(paid, amount, 0))` sums only `amount`. `sum(country = 'DE')` only
 * counts rows, so it sums nothing.
 */
function addedNames(node: TreeNode): readonly TreeNode[] {
  const { identifier, function_name: name = '' } = node.attributes
  if (identifier !== undefined) return [node]
  if (ASKS.test(name)) return []
  const all = elements(node, 'ARGUMENTS')
  const isLast = (index: number) => index === all.length - 1
  if (name === 'if') return all.slice(1).flatMap(addedNames)
  if (name === 'multiIf') return all.filter((_, index) => index % 2 === 1 || isLast(index)).flatMap(addedNames)
  if (name === 'caseWithExpression')
    return all.filter((_, index) => index > 0 && (index % 2 === 0 || isLast(index))).flatMap(addedNames)
  return node.branches.flatMap(child => addedNames(child.node))
}

/** Whether a constant only converts a unit. It is then a power of 10 or of 1,024. */
function isUnit({ kind, attributes: { constant_value: value = '' } }: TreeNode): boolean {
  const number = Number(value.slice(value.indexOf('_') + 1))
  return kind === 'CONSTANT' && (Number.isInteger(Math.log10(number)) || Number.isInteger(Math.log2(number) / 10))
}
