import { isUnique } from '../catalog/joins/is-unique.ts'
import { isTableHeading } from '../guard/name-graph.ts'
import { branch, elements, type TreeNode } from '../guard/query-tree.ts'
import type { Schema, TableSchema } from '../schema.ts'
import { equalitiesIn, joinConditions, usedColumns } from './join-conditions.ts'
import type { AllowedQuery } from './query-validator.ts'
import { lastPart, qualifiedName } from './table-names.ts'

/** A table of which a sum or an average counts rows several times, and the one that they are joined to. */
interface MultipliedRows {
  readonly table: string
  readonly by: string
  /** The column of `by` that has the same value in several of its rows. */
  readonly column: string
}

/** What stands in FROM. `table` is undefined for what is no table of the schema: it is taken to multiply nothing. */
interface Source {
  readonly names: readonly string[]
  readonly table: TableSchema | undefined
  /** It gives each row of the others one row at most, whatever the join's condition. */
  readonly isSingle: boolean
}

interface Column {
  readonly source: Source
  readonly name: string
}

const ADDS_UP = /^(?:sum|avg|sumkahan|sumwithoverflow)(?:if|ornull|ordefault)*$/i
const SINGLE_STRICTNESS = new Set(['ANY', 'SEMI', 'ANTI', 'ASOF'])

/**
 * Finds a sum or average over a table whose rows a join has certainly multiplied: `sum(orders.amount)` beside refunds that are joined by the customer, who has several. The
 * statistics of the schema tell that the joined column repeats; where they do not, or a condition, GROUP BY or a subquery may leave one row each, nothing is found.
 */
function findMultipliedRows({ tree, tables }: AllowedQuery, schema: Schema): MultipliedRows | undefined {
  const known = new Map(
    schema.tables.filter(table => tables.includes(qualifiedName(table))).map(table => [qualifiedName(table), table]),
  )
  return findBelow(tree, known, new Set())
}

/** The same in words. */
export function doubtOfMultipliedRows(
  query: AllowedQuery,
  schema: Schema,
): { readonly message: string; readonly inShort: string } | undefined {
  const found = findMultipliedRows(query, schema)
  if (found === undefined) return undefined
  const { table, by, column } = found
  return {
    message: `Each row of ${table} is added up several times: once for every row of ${by} that has its ${column}. Bring ${by} to one row per ${column} first (a subquery with GROUP BY), or only ask whether there is one (IN, SEMI JOIN).`,
    inShort: `may add up rows of ${table} several times each, as ${by} has several with the same ${column}`,
  }
}

type Tables = ReadonlyMap<string, TableSchema>

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
  const sources = sourcesOf(joinTree, false, tables, ctes)
  if (sources === undefined) return undefined
  const scope = new SelectScope(query, joinTree, sources)
  const clauses = ['PROJECTION', 'HAVING', 'ORDER BY'].flatMap(heading => branch(query, heading) ?? [])
  for (const call of clauses.flatMap(sumsIn)) {
    const found = scope.multiplied(call)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined where something in FROM has rows that are not those of tables: an array. */
function sourcesOf(node: TreeNode, isSingle: boolean, tables: Tables, ctes: ReadonlySet<string>): readonly Source[] | undefined {
  const { alias, identifier, strictness = '' } = node.attributes
  if (node.kind === 'ARRAY_JOIN') return undefined
  if (node.kind === 'JOIN' || node.kind === 'CROSS JOIN') {
    const sides = node.branches
      .filter(({ heading }) => isTableHeading(heading))
      .map(({ heading, node: side }) => {
        const isRight = heading === 'RIGHT TABLE EXPRESSION'
        return sourcesOf(side, isSingle || (isRight && SINGLE_STRICTNESS.has(strictness)), tables, ctes)
      })
    return sides.includes(undefined) ? undefined : sides.flatMap(side => side ?? [])
  }
  const names = [alias ?? [], identifier ?? [], identifier === undefined ? [] : lastPart(identifier)].flat()
  const matching = [...tables].filter(
    ([name]) => name === identifier || (!identifier?.includes('.') && lastPart(name) === identifier),
  )
  const isTable = identifier !== undefined && !ctes.has(identifier) && matching.length === 1
  return [{ names, table: isTable ? matching[0]?.[1] : undefined, isSingle }]
}

/** What is known of the rows that one SELECT adds up. */
class SelectScope {
  readonly #sources: readonly Source[]
  readonly #aliases: ReadonlySet<string>
  /** Pairs of columns that are equal in each row. */
  readonly #equal: readonly (readonly [Column, Column])[]
  /** Columns that have one value in all rows that are added up together. */
  readonly #fixed: readonly Column[]
  /** The tables of which GROUP BY names a column. */
  readonly #grouped: ReadonlySet<Source>

  constructor(query: TreeNode, joinTree: TreeNode, sources: readonly Source[]) {
    this.#sources = sources
    this.#aliases = new Set(elements(query, 'PROJECTION').flatMap(({ attributes: { alias } }) => alias ?? []))
    const conditions = [...['WHERE', 'PREWHERE'].flatMap(heading => branch(query, heading) ?? []), ...joinConditions(joinTree)]
    const equalities = conditions.flatMap(equalitiesIn)
    const sides = equalities.map(([left, right]) => [this.#column(left), this.#column(right)] as const)
    const grouped = elements(query, 'GROUP BY').flatMap(item => this.#column(item) ?? [])
    this.#grouped = new Set(grouped.map(({ source }) => source))
    this.#equal = [
      ...sides.flatMap(([left, right]) => (left && right ? [[left, right] as const] : [])),
      ...usedColumns(joinTree).flatMap(name => this.#sharing(name)),
    ]
    this.#fixed = [...grouped, ...sides.flatMap(([left, right]) => (left && right ? [] : (left ?? right ?? [])))]
  }

  multiplied(call: TreeNode): MultipliedRows | undefined {
    const [argument] = elements(call, 'ARGUMENTS')
    const names = argument === undefined ? [] : identifiersIn(argument)
    const columns = names.map(node => this.#column(node))
    const added = new Set(columns.flatMap(column => (column === undefined ? [] : column.source)))
    const [first] = added
    if (columns.includes(undefined) || first?.table === undefined) return undefined
    // The average over one of its rows, however often it is counted, is right.
    const isAverage = call.attributes.function_name?.toLowerCase().startsWith('avg') === true
    if (isAverage && [...added].some(source => this.#grouped.has(source))) return undefined
    const by = this.#multiplierOf(added)
    return by && { table: qualifiedName(first.table), by: qualifiedName(by.table), column: by.column }
  }

  /** A table of which a row of the others certainly meets several. */
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
      if (isUnique(source.table, bound) === false) return { table: source.table, column }
    }
    return undefined
  }

  #tellsRowsApart(source: Source, determined: ReadonlySet<Source>): boolean {
    const bound = this.#boundColumns(source, determined)
    const { table } = source
    if (table === undefined) return true
    // Of several columns together nothing is known but of the sorting key: they are given the benefit of the doubt.
    return bound.length > 1 || bound.some(name => isUnique(table, [name]) !== false)
  }

  /** The columns of a source whose value is given with the rows of others, or for all rows. */
  #boundColumns(source: Source, determined: ReadonlySet<Source>): readonly string[] {
    const joined = this.#equal.flatMap(([left, right]) => {
      if (left.source === source && determined.has(right.source)) return left.name
      return right.source === source && determined.has(left.source) ? right.name : []
    })
    const fixed = this.#fixed.filter(column => column.source === source).map(({ name }) => name)
    return [...new Set([...joined, ...fixed])]
  }

  /** The column that an identifier certainly means. */
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

  /** USING: the sources that have the column are equal in it. */
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

function hasColumn({ table }: Source, name: string): boolean {
  return table?.columns.some(column => column.name === name) === true
}

/**
 * Calls that add up rows of this SELECT: not over a window, and not in subqueries. What is divided by more than a unit may well be meant by the row: bytes by capacity, the sum
 * over 24 hours by 24.
 */
function sumsIn(node: TreeNode): readonly TreeNode[] {
  const { function_name: name = '' } = node.attributes
  if (node.kind === 'QUERY' || node.kind === 'UNION') return []
  if (ADDS_UP.test(name) && branch(node, 'WINDOW') === undefined) return [node]
  const [, divisor] = elements(node, 'ARGUMENTS')
  if (name === 'divide' && divisor !== undefined && !isUnit(divisor)) return []
  return node.branches.flatMap(child => sumsIn(child.node))
}

/** A power of ten or of 1,024. */
function isUnit({ kind, attributes: { constant_value: value = '' } }: TreeNode): boolean {
  const number = Number(value.slice(value.indexOf('_') + 1))
  return kind === 'CONSTANT' && (Number.isInteger(Math.log10(number)) || Number.isInteger(Math.log2(number) / 10))
}

function identifiersIn(node: TreeNode): readonly TreeNode[] {
  if (node.attributes.identifier !== undefined) return [node]
  return node.branches.flatMap(child => identifiersIn(child.node))
}
