import type { TreeNode } from '../../../warehouse/query-tree.ts'
import { branch, elements } from '../../../warehouse/query-tree.ts'
import { firstPart } from '../../../warehouse/table-names.ts'
import { IN_FUNCTIONS } from '../calls/function-rules.ts'

/**
 * The names of a query as a graph. An edge leads from a CTE or alias to each name in its definition: in `WITH t AS (SELECT * FROM
 * u)`, from `t` to `u`. In `WITH t AS (SELECT * FROM t)`, the inner `t` is not the CTE, because the engine is still resolving it.
 * It is another `t`, such as a table. So a name that leads back to itself may be a table, and must be checked as one. The graph
 * compares only spellings. It may have more edges than the engine follows, but never fewer.
 */
export class ReferenceGraph {
  readonly #edges = new Map<string, Set<string>>()
  readonly #aliasedIdentifiers = new Map<string, Set<string>>()
  readonly #aliases = new Set<string>()
  readonly #ctes = new Set<string>()
  readonly #recursiveCtes = new Set<string>()
  readonly #parameters = new Set<string>()
  readonly #timesDefined = new Map<string, number>()

  constructor(root: TreeNode<string>) {
    this.#visit(root, [], false)
  }

  /** Whether the engine may have to resolve `to` while it resolves `from`. Both are CTEs or aliases. */
  leads(from: string, to: string): boolean {
    const seen = new Set<string>([from])
    const waiting = [from]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (name === to) return true
      for (const next of this.#edges.get(name) ?? []) {
        if (!seen.has(next)) waiting.push(next)
        seen.add(next)
      }
    }
    return false
  }

  /** Returns every bare name `x` that the query defines as `x AS alias`. The engine puts `x` in place of the alias. */
  identifiersBehind(alias: string): ReadonlySet<string> {
    return this.#aliasedIdentifiers.get(alias) ?? new Set()
  }

  /** Returns how often the query defines `identifier AS alias`. */
  timesDefined(alias: string, identifier: string): number {
    return this.#timesDefined.get(definitionKey(alias, identifier)) ?? 0
  }

  isParameter(name: string): boolean {
    return this.#parameters.has(name)
  }

  isAlias(name: string): boolean {
    return this.#aliases.has(name)
  }

  isCte(name: string): boolean {
    return this.#ctes.has(name)
  }

  /** Whether the query has a recursive CTE of this name, that is, one that reads its own rows. */
  isRecursiveCte(name: string): boolean {
    return this.#recursiveCtes.has(name)
  }

  #visit(node: TreeNode<string>, inside: readonly string[], isTable: boolean): void {
    const { alias, cte_name: cteName, identifier, function_name: functionName } = node.attributes
    const defined = [...inside]
    if (cteName !== undefined) {
      this.#ctes.add(cteName)
      if (node.attributes.is_recursive_cte === '1') this.#recursiveCtes.add(cteName)
      defined.push(cteKey(cteName))
    }
    if (alias !== undefined && !isTable) {
      this.#aliases.add(alias)
      defined.push(aliasKey(alias))
    }
    if (alias !== undefined && identifier !== undefined && !isTable) {
      const identifiers = this.#aliasedIdentifiers.get(alias) ?? new Set()
      this.#aliasedIdentifiers.set(alias, identifiers.add(identifier))
      this.#timesDefined.set(definitionKey(alias, identifier), this.timesDefined(alias, identifier) + 1)
    }
    if (node.kind === 'LAMBDA') {
      for (const { attributes } of elements(node, 'ARGUMENTS')) this.#parameters.add(attributes.identifier ?? '')
    }
    if (identifier !== undefined) {
      const first = firstPart(identifier)
      this.#connect(defined, isTable ? cteKey(first) : aliasKey(first))
    }
    if (functionName !== undefined) {
      this.#connect(defined, aliasKey(functionName))
      const operand = IN_FUNCTIONS.has(functionName.toLowerCase()) ? inOperand(node) : undefined
      if (operand?.attributes.identifier !== undefined) this.#connect(defined, cteKey(firstPart(operand.attributes.identifier)))
    }
    for (const child of node.branches) this.#visit(child.node, defined, isTableHeading(child.heading))
  }

  #connect(from: readonly string[], to: string): void {
    for (const name of from) {
      const targets = this.#edges.get(name)
      if (targets === undefined) this.#edges.set(name, new Set([to]))
      else targets.add(to)
    }
  }
}

export function cteKey(name: string): string {
  return `cte ${name}`
}

export function aliasKey(name: string): string {
  return `alias ${name}`
}

/** Joins an alias and an identifier into one key. No name contains the line break between them. */
export function definitionKey(alias: string, identifier: string): string {
  return `${alias}\n${identifier}`
}

/** Returns the right operand of IN, such as `paid` in `id IN paid`. Returns undefined if there is none. */
export function inOperand<Kind extends string>(node: TreeNode<Kind>): TreeNode<Kind> | undefined {
  return branch(node, 'ARGUMENTS')?.branches[1]?.node
}

/** Whether a bare name under this heading of the tree means a table. */
export function isTableHeading(heading: string): boolean {
  return (
    heading === 'JOIN TREE' ||
    heading === 'TABLE EXPRESSION' ||
    heading === 'LEFT TABLE EXPRESSION' ||
    heading === 'RIGHT TABLE EXPRESSION'
  )
}
