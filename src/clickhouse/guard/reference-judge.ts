import { type Rejection, rejection, shown } from '../../warehouse/guard/rejection.ts'
import { outOfScope, tableInScope } from '../../warehouse/guard/table-scope.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import { elements, type TreeNode } from '../../warehouse/query-tree.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import { firstPart } from '../../warehouse/table-names.ts'
import { CALL_BOUNDS } from './calls/call-bounds.ts'
import type { FunctionList } from './calls/function-list.ts'
import { ALLOWED_TABLE_FUNCTIONS, ALTERNATIVES, IN_FUNCTIONS } from './calls/function-rules.ts'
import { judgeStructure, judgeTextArguments, type TextArguments } from './calls/text-arguments.ts'
import {
  columnRefused,
  matchedColumns,
  restrictedByMatcher,
  restrictedByName,
  restrictedByTable,
  restrictedOf,
} from './column-access.ts'
import type { KnownColumns } from './tree/known-columns.ts'
import type { NameScope } from './tree/name-scope.ts'
import { QueryColumns } from './tree/query-columns.ts'
import { aliasKey, cteKey, definitionKey, inOperand, type ReferenceGraph } from './tree/reference-graph.ts'
import { namesInFrom, type TableSource, tableSource } from './tree/table-source.ts'

/**
 * Judges each name in a query that may refer to something outside it, such as a table or a function. Refuses a name if any rule
 * of the engine could give it a forbidden meaning. Collects the used names and the first fault.
 */
export class ReferenceJudge {
  readonly tables = new Set<string>()
  readonly functions = new Set<string>()
  fault: Rejection | undefined
  /** The columns that each `*` or COLUMNS('…') reads from a table with private columns, by its mark (see `MatcherMarks`). */
  readonly matched = new Map<string, readonly string[]>()
  /** The tables in all FROM clauses of the query, also in subqueries. */
  readonly anywhere: readonly TableSource[]
  readonly columns: QueryColumns
  readonly #scope: GuardScope
  readonly #functionList: FunctionList
  readonly #graph: ReferenceGraph
  readonly #written: (name: string) => string
  /** The definitions `identifier AS alias` in which the identifier certainly means a value and not a table. */
  readonly #aliasesOfValues = new Set<string>()

  constructor(deps: {
    readonly scope: GuardScope
    readonly functions: FunctionList
    readonly graph: ReferenceGraph
    readonly anywhere: readonly TableSource[]
    /** Returns an identifier as the query spells it. */
    readonly written: (name: string) => string
    readonly renamesColumns: boolean
  }) {
    this.#written = deps.written
    this.columns = new QueryColumns({
      scope: deps.scope,
      renamesColumns: deps.renamesColumns,
      isCte: name => deps.graph.isCte(name),
      meansCte: (name, names) => this.#meansCte(name, names),
    })
    this.anywhere = deps.anywhere
    this.#scope = deps.scope
    this.#functionList = deps.functions
    this.#graph = deps.graph
  }

  /** Judges a name in FROM: it means a CTE, or else a table. An alias of an expression has no meaning there. */
  table(identifier: string, names: NameScope): void {
    // The tree shows `system.one` for a query without FROM. The token check refuses a query that names `system.one` itself.
    if (identifier === 'system.one') return
    if (this.#meansCte(identifier, names)) return
    const table = tableInScope(identifier, this.#scope)
    if (table !== undefined) this.tables.add(table)
    else if (this.#graph.isCte(identifier) && !this.#leadsBack(cteKey(identifier), names)) this.refuse(cteElsewhere(identifier))
    else this.refuse(outOfScope(identifier, this.#scope, 'from'))
  }

  tableFunction(node: TreeNode): void {
    const name = node.attributes.table_function_name ?? ''
    if (ALLOWED_TABLE_FUNCTIONS.has(name.toLowerCase())) {
      if (name.toLowerCase() === 'values') this.#textArguments(judgeStructure(node, this.#functionList))
      return
    }
    const message = `Table function ${shown(name)} is not allowed; only numbers, generateSeries and values are, and the available tables.`
    this.refuse(rejection('table_function', message))
  }

  /** Returns the tables in a query's FROM whose columns are known, without CTEs. */
  sources(query: TreeNode, names: NameScope): readonly TableSource[] {
    return namesInFrom(query).flatMap(node => {
      const source = this.#meansCte(node.attributes.identifier ?? '', names) ? undefined : tableSource(node, this.#scope)
      return source === undefined ? [] : [source]
    })
  }

  /**
   * Returns the columns in the FROM of each SELECT that uses this item of the WITH list. They matter because the engine resolves
   * the item there.
   */
  columnsWhereUsed(query: TreeNode, alias: string | undefined, names: NameScope): readonly KnownColumns[] {
    const isMeant = (name: string) => alias === undefined || this.#graph.leads(aliasKey(name), aliasKey(alias))
    return this.columns.whereUsed(query, isMeant, names)
  }

  /** Judges a name in an expression. Refuses the name if it may mean a forbidden column or function. */
  column(identifier: string, names: NameScope): void {
    // If the query's own tables have such a column, the name cannot mean a column of an outer query.
    const sources = this.#meansColumn(identifier, names) ? names.ownSources : names.sources
    const asRow = this.#graph.isAlias(identifier) ? undefined : restrictedByTable(identifier, sources)
    const restricted = restrictedByName(this.#written(identifier), sources) ?? asRow
    if (restricted !== undefined) {
      const isAlias = restricted.name === identifier && this.#graph.isAlias(identifier)
      this.refuse(columnRefused(restricted, this.#scope, isAlias ? 'alias' : 'name'))
    }
    if (!identifier.includes('.')) this.#functionWithoutBrackets(identifier, names)
  }

  /** Judges a definition `identifier AS alias`. `names` are the names visible at the identifier. */
  alias(alias: string, identifier: string, names: NameScope): void {
    const isCertain = this.#isValue(identifier, names) || this.#meansColumn(identifier, names)
    if (isCertain && this.#graph.timesDefined(alias, identifier) === 1 && !this.#graph.isParameter(identifier)) {
      this.#aliasesOfValues.add(definitionKey(alias, identifier))
    }
  }

  /**
   * Judges a name that may be a function call without parentheses, as in `SELECT current_user`. The engine first tries columns
   * and aliases.
   */
  #functionWithoutBrackets(name: string, names: NameScope): void {
    const known = this.#functionList.findListed(name)
    if (known === undefined || names.parameters.has(name)) return
    if ((names.aliases.has(name) || names.values.has(name)) && !this.#leadsBack(aliasKey(name), names)) return
    const { certain, possible } = names.visible()
    if (certain.has(name)) return
    const isNothingElse = possible?.has(name) === false && !names.mayBeAliases.has(name)
    if (!known.allowed && (known.bare || isNothingElse)) this.refuse(isNothingElse ? functionRefused(name) : mayBeFunction(name))
    if (known.allowed && known.bare && isNothingElse) this.functions.add(known.name)
  }

  matcher(node: TreeNode, names: NameScope): void {
    const restricted = restrictedByMatcher(node, names)
    if (restricted !== undefined) this.refuse(columnRefused(restricted, this.#scope, 'all'))
    const columns = matchedColumns(node, names)
    if (columns === undefined) return
    const { mark } = node.attributes
    const known = mark === undefined ? undefined : this.matched.get(mark)
    if (mark === undefined || typeof columns === 'string' || (known !== undefined && known.join('\n') !== columns.join('\n'))) {
      const message =
        'This reads all columns of a table of which some are private, together with others; name the columns, or write t.* EXCEPT (…) for that table.'
      this.refuse(rejection('out_of_scope', message))
    } else this.matched.set(mark, columns)
  }

  naturalJoin({ ownSources }: NameScope): void {
    const [restricted] = restrictedOf(ownSources)
    if (restricted !== undefined) this.refuse(columnRefused(restricted, this.#scope, 'natural'))
  }

  /** Judges a function call, and those of its arguments that may be more than values, such as lambdas. */
  call(node: TreeNode, names: NameScope): void {
    const name = node.attributes.function_name ?? ''
    const known = this.#functionList.find(name)
    if (known === undefined) {
      if (!names.lambdas.has(name)) this.refuse(this.#unknownFunction(name))
      return
    }
    if (!known.allowed) this.refuse(functionRefused(name))
    this.functions.add(known.name)
    const isStored = (operand: TreeNode) => isColumnOf(operand, names.sources)
    this.#textArguments(judgeTextArguments(known.name, node, this.#functionList, isStored))
    if (IN_FUNCTIONS.has(name.toLowerCase())) this.#in(node, names)
    if (known.higherOrder) this.#functionReferences(node, names)
  }

  /**
   * Whether a function certainly passes only values to the lambdas among its arguments. False if an alias has the function's
   * name, because the alias may hide the function.
   */
  callsLambdas({ attributes: { function_name: name = '' } }: TreeNode): boolean {
    return this.#functionList.find(name)?.higherOrder === true && !this.#graph.isAlias(name)
  }

  notUnderstood(node: TreeNode): void {
    const part = node.kind.toLowerCase().replaceAll('_', ' ')
    this.refuse(rejection('not_understood', `A part of the query (${part}) is not understood where it stands.`))
  }

  refuse(fault: Rejection): void {
    this.fault ??= fault
  }

  #textArguments({ functions, refused }: TextArguments): void {
    for (const name of functions) this.functions.add(name)
    if (refused === undefined) return
    const message = `${shown(refused)} is not understood; a type, or an aggregate function that is named in a text, must be a plain text with constants as parameters.`
    this.refuse(rejection('function', message))
  }

  /**
   * Refuses a function's name in place of a lambda: `arrayMap(file, …)` calls `file()`. The cost limits would not see the
   * arguments of that call.
   */
  #functionReferences(node: TreeNode, names: NameScope): void {
    const [first, ...others] = elements(node, 'ARGUMENTS')
    if (first === undefined || first.kind === 'LAMBDA' || others.length === 0) return
    for (const { attributes } of [first, ...others]) {
      const identifier = attributes.identifier
      if (identifier === undefined) continue
      for (const name of [identifier, ...this.#graph.identifiersBehind(identifier)]) {
        const known = this.#functionList.find(name)
        if (known?.allowed === false) this.refuse(functionRefused(name))
        else if (known !== undefined && Object.hasOwn(CALL_BOUNDS, known.base) && !this.#meansColumn(name, names)) {
          this.refuse(
            rejection('function', `${shown(name)} must be called with its arguments here, as in x -> ${shown(name)}(x, …).`),
          )
        }
      }
    }
  }

  #in(node: TreeNode, names: NameScope): void {
    for (const { attributes } of elements(node, 'ARGUMENTS')) {
      if (attributes.identifier !== undefined) this.#cteOperand(attributes.identifier, names)
    }
    const operand = inOperand(node)
    if (operand?.kind === 'IDENTIFIER') this.#inOperand(operand.attributes.identifier ?? '', names)
  }

  /**
   * Judges a bare name left or right of IN, which may mean a CTE, directly or through aliases. Next to IN, the engine ignores
   * that a CTE is recursive: the CTE's reference to itself then reads the table of the same name. So such a name is refused.
   */
  #cteOperand(identifier: string, names: NameScope): void {
    if (this.#meansColumn(identifier, names) || names.arguments.has(identifier)) return
    const unsure = [...this.#meanings(identifier)].find(
      name => this.#graph.isCte(name) && (this.#graph.isRecursiveCte(name) || !this.#isCte(name, names)),
    )
    if (unsure === undefined) return
    const message = `${shown(unsure)}, alone beside IN, could come to mean another table than the CTE; write (SELECT … FROM ${shown(unsure)}), or the column with its table.`
    this.refuse(rejection('out_of_scope', message))
  }

  /** Returns a name and all names for which it may stand. With `b AS x, a AS b`, `x` gives `x`, `b` and `a`. */
  #meanings(identifier: string): ReadonlySet<string> {
    const meanings = new Set([identifier])
    for (const name of meanings) for (const behind of this.#graph.identifiersBehind(name)) meanings.add(behind)
    return meanings
  }

  /**
   * Judges a bare name after IN, as in `id IN paid`. The engine looks for a column or alias of this name, then for a CTE, then
   * for a table.
   */
  #inOperand(identifier: string, names: NameScope): void {
    const first = firstPart(identifier)
    if (this.#meansColumn(identifier, names) || names.arguments.has(identifier)) return
    const isFound = this.#isCte(identifier, names) || this.#isValue(identifier, names)
    const table = tableInScope(identifier, this.#scope)
    const isSafe = (isFound || table !== undefined) && !names.parameters.has(first) && this.#aliasesAreTables(first, new Set())
    if (!isSafe) this.refuse(outOfScope(identifier, this.#scope, 'in'))
    else if (!isFound && table !== undefined) this.#wholeTable(identifier, table)
  }

  /**
   * Whether an alias after IN can only mean tables that the query is allowed to read. In `WITH secrets AS u SELECT … IN u`, the
   * alias `u` means the table `secrets`. So each bare name behind the alias must be an allowed table. If the alias stands for a
   * qualified name, the engine reads the table that is called like the alias, so this table must be allowed too.
   */
  #aliasesAreTables(alias: string, seen: ReadonlySet<string>): boolean {
    if (seen.has(alias)) return false
    return [...this.#graph.identifiersBehind(alias)].every(identifier => {
      if (this.#aliasesOfValues.has(definitionKey(alias, identifier))) {
        return this.#aliasesAreTables(firstPart(identifier), new Set([...seen, alias]))
      }
      const table = tableInScope(identifier, this.#scope)
      const own = identifier.includes('.') ? tableInScope(alias, this.#scope) : table
      if (table !== undefined) this.#wholeTable(identifier, table)
      if (own !== undefined) this.#wholeTable(alias, own)
      return table !== undefined && own !== undefined && this.#aliasesAreTables(firstPart(identifier), new Set([...seen, alias]))
    })
  }

  /** Judges a table after IN, as in `id IN paid`. The engine reads all its columns, so none may be restricted. */
  #wholeTable(identifier: string, table: string): void {
    this.tables.add(table)
    const columns = this.#scope.columns?.get(table)
    const [restricted] = columns === undefined ? [] : restrictedOf([{ table, columns, qualifiers: [identifier] }])
    if (restricted !== undefined) this.refuse(columnRefused(restricted, this.#scope, 'all'))
  }

  /** Whether a name in an expression certainly means a column of this query's own tables. */
  #meansColumn(identifier: string, names: NameScope): boolean {
    return names.columns.has(identifier) && !names.mayBeAliases.has(firstPart(identifier))
  }

  #meansCte(identifier: string, names: NameScope): boolean {
    const isRecursion = names.recursion === identifier && names.inside.at(-1) === cteKey(identifier)
    return isRecursion || this.#isCte(identifier, names)
  }

  #isCte(identifier: string, names: NameScope): boolean {
    return names.ctes.has(identifier) && !this.#leadsBack(cteKey(identifier), names)
  }

  #isValue(identifier: string, names: NameScope): boolean {
    return names.values.has(identifier) && !this.#leadsBack(aliasKey(identifier), names)
  }

  /**
   * Whether a name may lead back to a definition around this place, as the inner `t` in `WITH t AS (SELECT * FROM t)`. The engine
   * then gives the name another meaning, such as the table `t`.
   */
  #leadsBack(name: string, names: NameScope): boolean {
    return names.inside.some(definition => this.#graph.leads(name, definition))
  }

  #unknownFunction(name: string): Rejection {
    const near = nearNames(name, this.#functionList.allowedNames())
    return rejection(
      'function',
      `Function ${shown(name)} does not exist${near.length === 0 ? '.' : `; did you mean ${near.join(' or ')}?`}`,
    )
  }
}

function isColumnOf({ attributes: { identifier = '' } }: TreeNode, sources: readonly TableSource[]): boolean {
  const name = identifier.slice(identifier.lastIndexOf('.') + 1)
  return name !== '' && sources.some(({ columns }) => columns.readable.has(name))
}

function functionRefused(name: string): Rejection {
  const advice = ALTERNATIVES.find(([pattern]) => pattern.test(name))?.[1]
  const reason =
    'a query may call functions of analysis, not those that reach files, dictionaries, the server or other services, or that cost too much'
  return rejection('function', `Function ${shown(name)} is not allowed${advice === undefined ? `: ${reason}.` : `. ${advice}`}`)
}

/**
 * Returns the rejection of a CTE that is read where it is not defined. The message does not reveal whether a table has that name.
 */
function cteElsewhere(name: string): Rejection {
  const message = `The CTE ${shown(name)} is not defined where it is read; define it in the same WITH list before what reads it, or around it.`
  return rejection('out_of_scope', message)
}

function mayBeFunction(name: string): Rejection {
  const message = `${shown(name)} may mean the function ${shown(name)}(), which is not allowed; if it is a column, write it with its table, as in t.${shown(name)}.`
  return rejection('function', message)
}
