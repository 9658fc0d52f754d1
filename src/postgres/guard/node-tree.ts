import { POSTGRES_LIMITS } from '../limits.ts'

/** A node of the tree that the server prints after analysis, such as `{VAR :varno 1 :varattno 2 …}`. */
export interface TreeNode {
  readonly kind: string
  /** The values of each field. Most fields have one. Names are as the server escapes them. */
  readonly fields: ReadonlyMap<string, readonly TreeValue[]>
}

export type TreeValue = string | TreeNode | readonly TreeValue[]

/** A bracket, or a run of other characters, each of which may be escaped. */
const TOKEN = /[ \n\t]*(?:([(){}])|((?:\\[\s\S]|[^ \n\t(){}\\])+))/y
/** Stands for a field's missing value. */
export const ABSENT = '<>'
/** The server breaks the printed tree into lines of at most this many bytes. */
const LINE_BYTES = 78

interface OpenNode {
  readonly kind: string
  readonly fields: Map<string, TreeValue[]>
  label: string | undefined
}

/**
 * Parses a printed tree in linear time. Undefined for any text that is not certainly read as the server meant it.
 *
 * The server puts a line end in place of a blank, or within a word of 78 bytes. The latter could separate a backslash from the
 * bracket that it escapes, so a text with such a line is not understood. Names with line ends of their own must be refused before.
 */
export function parseNodeTree(text: string): TreeNode | undefined {
  if (text.split('\n').some(isBrokenWord)) return undefined
  const open: (OpenNode | TreeValue[])[] = []
  const add = (value: TreeValue) => {
    const parent = open.at(-1)
    if (parent === undefined) return false
    if (Array.isArray(parent)) return parent.push(value) > 0
    return addToNode(parent, value)
  }
  let root: TreeNode | undefined
  for (TOKEN.lastIndex = 0; ; ) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null) return open.length === 0 && text.slice(at).trim() === '' ? root : undefined
    const [, bracket, word = ''] = match
    if (root !== undefined || open.length > POSTGRES_LIMITS.guard.maxDepth) return undefined
    if (bracket === '(') open.push([])
    else if (bracket === '{') {
      const kind = TOKEN.exec(text)?.[2]
      if (kind === undefined) return undefined
      open.push({ kind, fields: new Map(), label: undefined })
    } else if (bracket === undefined) {
      if (!add(word)) return undefined
    } else {
      const closed = open.pop()
      if (closed === undefined || Array.isArray(closed) !== (bracket === ')')) return undefined
      if (!Array.isArray(closed) && !hasValue(closed)) return undefined
      if (open.length > 0) {
        if (!add(closed)) return undefined
      } else if (Array.isArray(closed)) return undefined
      else root = closed
    }
  }
}

/** A word after a label is its value, even if it looks like a label: a name may be `:relid`. */
function addToNode(node: OpenNode, value: TreeValue): boolean {
  const values = node.label === undefined ? undefined : node.fields.get(node.label)
  const isLabel = typeof value === 'string' && value.startsWith(':') && values?.length !== 0
  if (!isLabel) return values !== undefined && values.push(value) > 0
  node.label = value.slice(1)
  if (node.fields.has(node.label)) return false
  node.fields.set(node.label, [])
  return true
}

function hasValue({ label, fields }: OpenNode): boolean {
  return label === undefined || fields.get(label)?.length !== 0
}

function isBrokenWord(line: string): boolean {
  return line.indexOf(' ', 1) === -1 && Buffer.byteLength(line) >= LINE_BYTES
}

/** Returns the only value of a field, if it is a word. */
export function value(node: TreeNode, field: string): string | undefined {
  const found = node.fields.get(field)
  return found?.length === 1 && typeof found[0] === 'string' ? found[0] : undefined
}

/** Returns the nodes of a field, also of the list that it holds. */
export function nodesOf(node: TreeNode, field: string): readonly TreeNode[] {
  return (node.fields.get(field) ?? []).flatMap(each =>
    isNode(each) ? [each] : typeof each === 'string' ? [] : each.filter(isNode),
  )
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
