import type { TreeNode } from '../../warehouse/query-tree.ts'
import { type SqlToken, splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'

/** One `*` or COLUMNS('…') in the canonical text of a query. */
interface Mark {
  readonly from: number
  readonly to: number
  /** The pattern in COLUMNS('…'). Undefined for `*`. */
  readonly pattern: string | undefined
}

/**
 * Tracks each `*` and COLUMNS('…') of a query on tables with private columns. For EXPLAIN, a unique mark replaces it, which
 * identifies it in the tree. In the text that runs, the checked column names replace it, so the query reads only these, even if
 * the table changes in the meantime. If it gets no mark but could read a private column, the query is refused.
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

  /** Puts the original `*` and COLUMNS('…') back into the tree, each with its mark as an attribute. */
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
   * Returns the canonical text with `COLUMNS(name, …)` in place of each `*` or COLUMNS('…') whose columns are given.
   * @param columns the column names by mark
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

/** Whether an operand may follow this token. A `*` in its place means all columns; elsewhere, it multiplies. */
function isWhereOperandStands(before: SqlToken | undefined): boolean {
  return before?.kind === 'symbol'
    ? '(,.'.includes(before.text)
    : before?.kind === 'word' && ['SELECT', 'DISTINCT'].includes(before.text)
}

function quoted(name: string): string {
  return `\`${name.replace(/[\\`]/g, character => `\\${character}`)}\``
}
