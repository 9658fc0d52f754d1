import { type Rejection, rejection, shown } from '../../../warehouse/guard/rejection.ts'
import type { NodeKind, TreeBranch, TreeNode } from '../../../warehouse/query-tree.ts'
import { NAMED_HEADING, NODE_GRAMMAR } from './query-tree-grammar.ts'

/** Longer kinds come first, because a short kind may be the beginning of a longer one. */
const KINDS = (Object.keys(NODE_GRAMMAR) as NodeKind[]).sort((a, b) => b.length - a.length)
const REPLACEMENT = /^REPLACEMENT NAME .+ EXPRESSION$/

/**
 * Parses the lines of EXPLAIN strictly. Each line must match the grammar at its depth, and the node numbers must be consecutive.
 * So a forged line is noticed: it breaks the numbering.
 */
export function readQueryTree(lines: readonly string[]): TreeNode | Rejection {
  try {
    return new TreeReader(lines).read()
  } catch (error) {
    if (error instanceof UnknownLine) return error.fault
    throw error
  }
}

class UnknownLine extends Error {
  readonly fault: Rejection

  constructor(line: string | undefined) {
    super('unknown line')
    this.fault = /^ *SETTINGS /.test(line ?? '')
      ? rejection('settings', 'SETTINGS are not allowed; leave the clause out.')
      : rejection('not_understood', `A part of the query is not understood (${shown(line ?? 'end')}); write it in another way.`)
  }
}

class TreeReader {
  readonly #lines: readonly string[]
  #at = 0
  #nextId = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  }

  read(): TreeNode {
    const root = this.#node(0)
    if (this.#at < this.#lines.length) throw new UnknownLine(this.#lines[this.#at])
    return root
  }

  #node(depth: number): TreeNode {
    const text = this.#take(depth)
    const kind = KINDS.find(name => text.startsWith(`${name} id: `))
    if (kind === undefined) throw new UnknownLine(text)
    const attributes = NODE_GRAMMAR[kind].line.exec(text)?.groups
    if (attributes === undefined || attributes.id !== String(this.#nextId)) throw new UnknownLine(text)
    this.#nextId += 1
    return { kind, attributes, branches: this.#branches(kind, attributes, depth + 2, text) }
  }

  #branches(
    kind: NodeKind,
    attributes: Readonly<Record<string, string | undefined>>,
    depth: number,
    text: string,
  ): readonly TreeBranch[] {
    if (kind === 'LIST') {
      const count = Number(attributes.nodes)
      // The engine ends the line of a LIST before it prints the elements. So a LIST without elements, as in GROUPING SETS ((a),
      // ()), gives an empty line.
      if (count === 0 && this.#lines[this.#at] === '') this.#at += 1
      return this.#repeat(count, () => ({ heading: '', node: this.#node(depth) }))
    }
    if (kind === 'MATCHER') return this.#hasMore(depth) ? [{ heading: '', node: this.#list(depth) }] : []
    if (kind === 'REPLACE COLUMN TRANSFORMER') return this.#replacements(depth)
    const { headings, repeated } = NODE_GRAMMAR[kind]
    const branches: TreeBranch[] = []
    while (this.#hasMore(depth)) {
      const line = this.#take(depth)
      const heading = kind !== 'LAMBDA' && NAMED_HEADING.test(line) ? 'EXPRESSION' : line
      const expected = Object.hasOwn(headings, heading) ? headings[heading] : undefined
      const again = heading !== repeated && branches.some(other => other.heading === heading)
      if (expected === undefined || again) throw new UnknownLine(line)
      branches.push({
        heading: heading.trimEnd(),
        node: expected === 'list' ? this.#list(depth + 2) : this.#node(depth + 2),
      })
    }
    if (branches.length === 0 && ['QUERY', 'UNION', 'LAMBDA', 'JOIN', 'CROSS JOIN', 'ARRAY_JOIN', 'SORT'].includes(kind)) {
      throw new UnknownLine(text)
    }
    return branches
  }

  #list(depth: number): TreeNode {
    const node = this.#node(depth)
    if (node.kind !== 'LIST') throw new UnknownLine(node.kind)
    return node
  }

  #replacements(depth: number): readonly TreeBranch[] {
    const line = this.#take(depth)
    const count = /^REPLACEMENTS (\d+)$/.exec(line)?.[1]
    if (count === undefined) throw new UnknownLine(line)
    return this.#repeat(Number(count), () => {
      const heading = this.#take(depth + 2)
      if (!REPLACEMENT.test(heading)) throw new UnknownLine(heading)
      return { heading: '', node: this.#node(depth + 4) }
    })
  }

  #repeat(count: number, read: () => TreeBranch): readonly TreeBranch[] {
    const branches: TreeBranch[] = []
    for (let index = 0; index < count; index += 1) branches.push(read())
    return branches
  }

  /** Returns the next line without its indent. Throws if the line has another depth. */
  #take(depth: number): string {
    const line = this.#lines[this.#at]
    if (line === undefined || indentOf(line) !== depth) throw new UnknownLine(line)
    this.#at += 1
    return line.slice(depth)
  }

  #hasMore(depth: number): boolean {
    const line = this.#lines[this.#at]
    return line !== undefined && indentOf(line) >= depth
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
