/**
 * A node of `EXPLAIN QUERY TREE run_passes = 1, passes = 1`, in which names are resolved and constants computed. Its parser is
 * more lenient than the guard's, because no permission depends on it.
 */
export interface ResolvedNode {
  /** The kind of the node, such as `QUERY`, `COLUMN` or `CONSTANT`. */
  readonly kind: string
  readonly id: string
  /** The rest of the node's line in EXPLAIN: its attributes. */
  readonly text: string
  readonly branches: readonly { readonly heading: string; readonly node: ResolvedNode }[]
  /** The columns that a QUERY node returns, from left to right. Each is a text such as `id UInt32`. */
  readonly returned: readonly string[]
}

const NODE = /^([A-Z][A-Z_ ]*) id: (\d+)(?:, (.*))?$/s
const RETURNED = 'PROJECTION COLUMNS'
/**
 * Matches the attributes of a COLUMN node. The first lookahead checks the end of the text. The second finds the first
 * `column_name: ` and tries no other. Without them, a text with many of these would take quadratic time.
 */
const COLUMN = /^(?=.*, source_id: \d+$)(?=(.*?(?:^|, )column_name: ))\1(.*), result_type: (.*), source_id: (\d+)$/s

/** Parses lines of EXPLAIN into a tree. Returns undefined if they do not form exactly one tree. */
export function readResolvedTree(lines: readonly string[]): ResolvedNode | undefined {
  const reader = new Reader(lines.filter(line => line !== ''))
  const root = reader.node(0)
  return reader.isAtEnd ? root : undefined
}

export function resolvedBranch(node: ResolvedNode, heading: string): ResolvedNode | undefined {
  return node.branches.find(child => child.heading === heading)?.node
}

/** Returns the elements of the LIST that follows a heading below the node. */
export function resolvedElements(node: ResolvedNode, heading: string): readonly ResolvedNode[] {
  return resolvedBranch(node, heading)?.branches.map(child => child.node) ?? []
}

class Reader {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length
  }

  node(depth: number): ResolvedNode | undefined {
    const match = NODE.exec(this.#textAt(depth) ?? '')
    if (match === null) return undefined
    this.#at += 1
    const [, kind = '', id = '', text = ''] = match
    const branches: { heading: string; node: ResolvedNode }[] = []
    let returned: readonly string[] = []
    for (let line = this.#textAt(depth + 2); line !== undefined; line = this.#textAt(depth + 2)) {
      if (kind === 'LIST') {
        const node = this.node(depth + 2)
        if (node === undefined) break
        branches.push({ heading: '', node })
        continue
      }
      this.#at += 1
      if (line === RETURNED) returned = this.#texts(depth + 4)
      const node = line === RETURNED ? undefined : this.node(depth + 4)
      if (node !== undefined) branches.push({ heading: line.trimEnd(), node })
    }
    return { kind, id, text, branches, returned }
  }

  #texts(depth: number): readonly string[] {
    const texts: string[] = []
    for (let line = this.#textAt(depth); line !== undefined; line = this.#textAt(depth)) {
      texts.push(line)
      this.#at += 1
    }
    return texts
  }

  /** Returns the next line without its indent, or undefined if the line has another depth. */
  #textAt(depth: number): string | undefined {
    const line = this.#lines[this.#at]
    return line !== undefined && line.length - line.trimStart().length === depth ? line.slice(depth) : undefined
  }
}

/** Parses the line of a COLUMN node into name, type and source. Returns undefined for any other node. */
export function resolvedColumn(
  node: ResolvedNode,
): { readonly name: string; readonly type: string; readonly sourceId: string } | undefined {
  const [, , name, type, sourceId] = COLUMN.exec(node.text) ?? []
  return name === undefined || type === undefined || sourceId === undefined ? undefined : { name, type, sourceId }
}
