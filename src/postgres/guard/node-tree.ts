import { POSTGRES_LIMITS } from '../limits.ts'

/** A node of the tree that the server prints after analysis, such as `{VAR :varno 1 :varattno 2 …}`. */
export interface TreeNode {
  readonly kind: string
  /** The values of each field. Most fields have one. Names are as the server escapes them. */
  readonly fields: ReadonlyMap<string, readonly TreeValue[]>
}

export type TreeValue = string | TreeNode | readonly TreeValue[]

/** A bracket, or a run of other characters, each of which may be escaped. */
const TOKENS = /[(){}]|(?:\\[\s\S]?|[^ \n\t(){}\\])+/g
/** Stands for a field's missing value. */
export const ABSENT = '<>'
/** The server breaks the printed tree into lines of at most this many bytes. */
const LINE_BYTES = 78

/**
 * Parses a printed tree in linear time. Undefined for any text that is not certainly read as the server meant it.
 *
 * The server puts a line end in place of a blank, or within a word of 78 bytes. The latter could separate a backslash from the
 * bracket that it escapes, so a text with such a line is not understood. Names with line ends of their own must be refused before.
 */
export function parseNodeTree(text: string): TreeNode | undefined {
  if (text.split('\n').some(isBrokenWord)) return undefined
  const tokens = text.match(TOKENS) ?? []
  let at = 0
  /** @param take gets each value up to the closing bracket. @returns whether all were read */
  const readUntil = (end: string, depth: number, take: (value: TreeValue) => boolean): boolean => {
    while (tokens[at] !== end) {
      const value = read(depth)
      if (value === undefined || !take(value)) return false
    }
    at++
    return true
  }
  const read = (depth: number): TreeValue | undefined => {
    const token = tokens[at++] ?? ')'
    if (/^[)}]$/.test(token) || depth > POSTGRES_LIMITS.guard.maxDepth) return undefined
    if (token === '(') {
      const list: TreeValue[] = []
      return readUntil(')', depth + 1, value => list.push(value) > 0) ? list : undefined
    }
    if (token !== '{') return token
    const kind = tokens[at++] ?? '}'
    const fields = new Map<string, TreeValue[]>()
    let values: TreeValue[] | undefined
    const isRead = readUntil('}', depth + 1, value => {
      // A word after a label is its value, even if it looks like a label: a name may be `:relid`.
      const isLabel = typeof value === 'string' && value.startsWith(':') && values?.length !== 0
      if (!isLabel) return values !== undefined && values.push(value) > 0
      values = []
      return !fields.has(value.slice(1)) && fields.set(value.slice(1), values).size > 0
    })
    return isRead && values?.length !== 0 && !/^[(){}]$/.test(kind) ? { kind, fields } : undefined
  }
  const root = read(0)
  return root !== undefined && isNode(root) && at === tokens.length ? root : undefined
}

function isBrokenWord(line: string): boolean {
  return line.indexOf(' ', 1) === -1 && Buffer.byteLength(line) >= LINE_BYTES
}

/** Returns the only value of a field, if it is a word. */
export function value(node: TreeNode, field: string): string | undefined {
  const found = node.fields.get(field)
  return found?.length === 1 && typeof found[0] === 'string' ? found[0] : undefined
}

/** Returns the nodes of some fields, also those in lists of lists. */
export function nodesOf({ fields }: TreeNode, ...names: readonly string[]): readonly TreeNode[] {
  const flat = (each: TreeValue): readonly TreeNode[] =>
    isNode(each) ? [each] : typeof each === 'string' ? [] : each.flatMap(flat)
  return names.flatMap(name => (fields.get(name) ?? []).flatMap(flat))
}

/** Returns the nodes of all fields. */
export function innerNodes(node: TreeNode): readonly TreeNode[] {
  return nodesOf(node, ...node.fields.keys())
}

/** Returns the words of a list such as `(o 23 25)`, without its kind. A single word is a list of its own, and `<>` an empty one. */
export function wordsOf(node: TreeNode, field: string): readonly TreeValue[] {
  const [list = ABSENT] = node.fields.get(field) ?? []
  if (isNode(list)) return [list]
  return typeof list === 'string' ? (list === ABSENT ? [] : [list]) : list.slice(1)
}

export function isNode(each: TreeValue): each is TreeNode {
  return typeof each !== 'string' && !Array.isArray(each)
}
