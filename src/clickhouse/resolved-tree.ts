/**
 * One node of `EXPLAIN QUERY TREE run_passes = 1, passes = 1`: names are resolved to tables and subqueries, constants are computed. Unlike the guard's
 * reading of the unresolved tree this one is lenient: nothing is allowed because of it.
 */
export interface ResolvedNode {
  /** `QUERY`, `COLUMN`, `CONSTANT`, … */
  readonly kind: string
  readonly id: string
  /** The attributes as they stand in the line. */
  readonly text: string
  readonly branches: readonly { readonly heading: string; readonly node: ResolvedNode }[]
  /** Of a QUERY: what it returns, `name type`, in order. */
  readonly returned: readonly string[]
}

const NODE = /^([A-Z][A-Z_ ]*) id: (\d+)(?:, (.*))?$/s
const RETURNED = 'PROJECTION COLUMNS'
/** It looks ahead for the end, and for the first place and no other: without that, a text full of such places takes time by its square. */
const COLUMN = /^(?=.*, source_id: \d+$)(?=(.*?(?:^|, )column_name: ))\1(.*), result_type: (.*), source_id: (\d+)$/s

/** Reads the lines of EXPLAIN; undefined where they are not one tree, to their end. */
export function readResolvedTree(lines: readonly string[]): ResolvedNode | undefined {
  const reader = new Reader(lines.filter(line => line !== ''))
  const root = reader.node(0)
  return reader.isAtEnd ? root : undefined
}

/** The child under a heading, if there is one. */
export function resolvedBranch(node: ResolvedNode, heading: string): ResolvedNode | undefined {
  return node.branches.find(child => child.heading === heading)?.node
}

/** The elements of the LIST under a heading. */
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

  /** The text of the next line if it stands at this depth. */
  #textAt(depth: number): string | undefined {
    const line = this.#lines[this.#at]
    return line !== undefined && line.length - line.trimStart().length === depth ? line.slice(depth) : undefined
  }
}

/** What a COLUMN says of itself; undefined where a node is none. */
export function resolvedColumn(
  node: ResolvedNode,
): { readonly name: string; readonly type: string; readonly sourceId: string } | undefined {
  const [, , name, type, sourceId] = COLUMN.exec(node.text) ?? []
  return name === undefined || type === undefined || sourceId === undefined ? undefined : { name, type, sourceId }
}
