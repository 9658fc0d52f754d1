import { type Rejection, rejection, shown } from '../../warehouse/guard/rejection.ts'
import type { TreeNode } from '../../warehouse/query-tree.ts'
import type { SqlToken } from '../../warehouse/sql/sql-tokens.ts'
import { isTableHeading } from './tree/reference-graph.ts'

/**
 * Matches names that EXPLAIN prints unambiguously. Others could be misread: a comma could begin another attribute, a line break
 * another line, and a dot could end a qualifier.
 */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}\p{S}\p{Pd}\p{Pc} !#%&'()*/:;?@[\]{}§¶¿¡·"]+$/u
/**
 * Matches names of printable characters. If such a name is not a `PLAIN_NAME`, it is allowed only where the guard can replace it
 * with one.
 */
const PRINTABLE_NAME = /^[\p{L}\p{M}\p{N}\p{S}\p{P} ]+$/u
/**
 * Nodes of these kinds may have an unusual alias, because an alias is only a heading of the result or a reference within the
 * query.
 */
const ALIASED = new Set(['CONSTANT', 'FUNCTION', 'IDENTIFIER', 'QUERY', 'UNION'])

/** Returns a rejection if the quoted name is not allowed here. `Avg. price` is allowed alone, but not before or after a dot. */
export function findNameFault(name: SqlToken, before: SqlToken | undefined, next: SqlToken | undefined): Rejection | undefined {
  if (PLAIN_NAME.test(name.value)) return undefined
  const isAlone = before?.text !== '.' && next?.text !== '.'
  return PRINTABLE_NAME.test(name.value) && !/[`\\]/.test(name.value) && isAlone ? undefined : nameFault(name.text)
}

/**
 * Replaces each unusual name in the text for EXPLAIN with a plain name that the query does not use. An unusual name may be an
 * alias in a SELECT list, or refer to a column. It must not be a table, a CTE, a function or a lambda parameter.
 */
export class UnusualNames {
  readonly text: string
  readonly #writtenNames = new Map<string, string>()
  /** Matches the plain names that replace unusual ones, and nothing else in the text. */
  readonly #standIn: RegExp

  constructor(canonical: string, tokens: readonly SqlToken[]) {
    let prefix = 'renamed_'
    while (canonical.includes(prefix)) prefix += '_'
    const standIns = new Map<string, string>()
    let text = ''
    let at = 0
    for (const token of tokens) {
      if (token.kind !== 'name' || PLAIN_NAME.test(token.value)) continue
      const standIn = standIns.get(token.value) ?? `${prefix}${standIns.size}_`
      standIns.set(token.value, standIn)
      this.#writtenNames.set(standIn, token.value)
      text += `${canonical.slice(at, token.at)}${standIn}`
      at = token.at + token.text.length
    }
    this.text = text + canonical.slice(at)
    this.#standIn = new RegExp(`${prefix}\\d+_`, 'g')
  }

  /** Returns the unusual name that this plain name replaces. Returns any other name unchanged. */
  written(name: string): string {
    return this.#writtenNames.get(name) ?? name
  }

  /** Puts the unusual names back into a text. */
  writtenText(text: string): string {
    return text.replace(this.#standIn, standIn => {
      const name = this.#writtenNames.get(standIn)
      return name === undefined ? standIn : shown(name)
    })
  }

  /** Puts the unusual names back into a tree. */
  writtenTree(node: TreeNode): TreeNode {
    if (this.#writtenNames.size === 0) return node
    const { alias, identifier } = node.attributes
    const attributes = {
      ...node.attributes,
      ...(alias === undefined ? {} : { alias: this.written(alias) }),
      ...(identifier === undefined ? {} : { identifier: this.written(identifier) }),
    }
    const branches = node.branches.map(({ heading, node: child }) => ({ heading, node: this.writtenTree(child) }))
    return { ...node, attributes, branches }
  }

  /** Finds an unusual name in a place where it is not allowed. */
  findFault(root: TreeNode): Rejection | undefined {
    if (this.#writtenNames.size === 0) return undefined
    const aliases = new Set<string>()
    const misplaced = this.#findMisplaced(root, true, aliases)
    if (misplaced !== undefined) return nameFault(this.written(misplaced))
    // `a.b` may refer to the alias `a.b`, or to a column. This is harmless only if the alias stands for that very column, as in
    // o.id AS `o.id`.
    const referred = new Set<string>()
    const others = new Set<string>()
    this.#look(root, aliases, referred, others)
    const alias = [...aliases].find(name => referred.has(name) && others.has(name))
    return alias === undefined ? undefined : nameFault(alias)
  }

  /**
   * Collects two sets of aliases. In `referred` are those to which some name in the query may refer. In `others` are those that
   * stand for something other than the column of the same name.
   */
  #look(
    { kind, attributes, branches }: TreeNode,
    aliases: ReadonlySet<string>,
    referred: Set<string>,
    others: Set<string>,
  ): void {
    for (const name of [attributes.identifier, attributes.qualified_identifier])
      for (const part of beginningsOf(name)) if (aliases.has(part)) referred.add(part)
    const alias = attributes.alias === undefined ? undefined : this.written(attributes.alias)
    const isItself = kind === 'IDENTIFIER' && this.written(attributes.identifier ?? '') === alias
    if (alias !== undefined && !isItself) others.add(alias)
    for (const { node } of branches) this.#look(node, aliases, referred, others)
  }

  #findMisplaced(node: TreeNode, isTable: boolean, aliases: Set<string>): string | undefined {
    for (const [key, value] of Object.entries(node.attributes)) {
      const standIn = value?.match(this.#standIn)?.find(name => this.#writtenNames.has(name))
      if (standIn === undefined) continue
      const mayBeHere = key === 'alias' ? ALIASED.has(node.kind) : key === 'identifier' && value === standIn
      if (isTable || !mayBeHere) return standIn
      if (key === 'alias') aliases.add(this.written(standIn))
    }
    for (const { heading, node: child } of node.branches) {
      const isName = isTableHeading(heading) || (node.kind === 'LAMBDA' && heading === 'ARGUMENTS')
      const names = node.kind === 'LIST' && isTable ? true : isName
      const misplaced = this.#findMisplaced(child, names, aliases)
      if (misplaced !== undefined) return misplaced
    }
    return undefined
  }
}

/** Yields each beginning of a dotted name. For `a.b.c`, these are `a`, `a.b` and `a.b.c`. */
function* beginningsOf(name: string | undefined): Generator<string, void> {
  if (name === undefined) return
  yield name
  for (const { index } of name.matchAll(/\./g)) yield name.slice(0, index)
}

function nameFault(name: string): Rejection {
  return rejection(
    'identifier',
    `The quoted name ${shown(name)} has a character that is not allowed there; use letters, digits, spaces and underscores.`,
  )
}
