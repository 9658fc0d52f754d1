import type { TreeNode } from '../../warehouse/query-tree.ts'
import { type SqlToken, splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'

/** One `*` or COLUMNS('…') in the query's text as the engine has printed it. */
interface Mark {
  readonly from: number
  readonly to: number
  /** The pattern in COLUMNS('…'). Undefined for `*`. */
  readonly pattern: string | undefined
}

/**
 * Puts a mark in place of each `*` and COLUMNS('…') of a query on tables with private columns. The mark identifies this matcher
 * in the query tree. In the executed text, the checked column names replace the matcher. So the query reads the same columns even
 * if the table changes in the meantime. A matcher without a mark is refused if it could read a private column.
 */
export class MatcherMarks {
  readonly text: string
  readonly tokens: readonly SqlToken[]
  readonly #canonical: string
  readonly #marks = new Map<string, Mark>()

  constructor(canonical: string, tokens: readonly SqlToken[], scope: GuardScope) {
    this.#canonical = canonical
    this.text = canonical
    this.tokens = tokens
    if (![...(scope.columns?.values() ?? [])].some(({ restricted }) => restricted.size > 0)) return
    let prefix = 'matched_'
    while (canonical.includes(prefix)) prefix += '_'
    for (const mark of findMarks(tokens)) this.#marks.set(`${prefix}${this.#marks.size}_`, mark)
    this.text = this.#written(name => `COLUMNS('${name}')`)
    this.tokens = splitTokens(this.text) ?? []
  }

  /** Puts the original `*` and COLUMNS('…') back into the tree. The attribute `mark` then identifies each of them. */
  readTree(node: TreeNode): TreeNode {
    if (this.#marks.size === 0) return node
    const name = node.attributes.columns_pattern ?? ''
    const mark = node.kind === 'MATCHER' ? this.#marks.get(name) : undefined
    const matcherType = mark?.pattern === undefined ? 'ASTERISK' : 'COLUMNS_REGEXP'
    const attributes =
      mark === undefined
        ? node.attributes
        : { ...node.attributes, matcher_type: matcherType, columns_pattern: mark.pattern, mark: name }
    return {
      ...node,
      attributes,
      branches: node.branches.map(({ heading, node: child }) => ({ heading, node: this.readTree(child) })),
    }
  }

  /**
   * Returns the canonical text, in which `COLUMNS` with column names replaces some matchers.
   * @param columns the column names by mark; a matcher without names here stays as it is
   */
  expanded(columns: ReadonlyMap<string, readonly string[]>): string {
    return this.#written(mark => {
      const names = columns.get(mark)
      return names === undefined ? undefined : `COLUMNS(${names.map(quoted).join(', ')})`
    })
  }

  #written(replacement: (mark: string) => string | undefined): string {
    let text = ''
    let at = 0
    for (const [name, { from, to }] of this.#marks) {
      text += this.#canonical.slice(at, from) + (replacement(name) ?? this.#canonical.slice(from, to))
      at = to
    }
    return text + this.#canonical.slice(at)
  }
}

function findMarks(tokens: readonly SqlToken[]): readonly Mark[] {
  return tokens.flatMap((token, index): Mark[] => {
    const end = ({ at, text }: SqlToken) => at + text.length
    if (token.text === '*' && isWhereOperandStands(tokens[index - 1]))
      return [{ from: token.at, to: end(token), pattern: undefined }]
    const [bracket, pattern, close] = tokens.slice(index + 1, index + 4)
    const isColumns = token.kind === 'word' && token.text === 'COLUMNS' && bracket?.text === '(' && pattern?.kind === 'string'
    return isColumns && close?.text === ')' ? [{ from: token.at, to: end(close), pattern: pattern.value }] : []
  })
}

/** Whether an operand may follow this token. If it may, a `*` after the token means all columns. Otherwise the `*` is a multiplication. */
function isWhereOperandStands(before: SqlToken | undefined): boolean {
  return before?.kind === 'symbol'
    ? '(,.'.includes(before.text)
    : before?.kind === 'word' && ['SELECT', 'DISTINCT'].includes(before.text)
}

function quoted(name: string): string {
  return `\`${name.replace(/[\\`]/g, character => `\\${character}`)}\``
}
