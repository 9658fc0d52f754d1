import type { Figure, TextRange } from './figures/figure.ts'
import type { Mention } from './mentions.ts'
import type { ResultIndex } from './rows/result-index.ts'
import type { Scope } from './support.ts'

/**
 * The rows that a figure may be about, in one reading of the words around it. "A and B have 5 each" has a scope for A and one for
 * B, and a row of both must show the 5.
 */
export type Attachment = readonly Scope[]

type Group = readonly Mention[]

const LIST_GAP =
  /^[\s*`"”“']*(?:(?:,|;|and|und|et|y|e|or|oder|ou|o|&|\+|-|–|→|to|bis|zu|as well as|sowie|,\s*(?:and|und))[\s*`"“']*)?$/iu
/** Returns the possible readings of the rows that a figure describes. Of each kind of name, takes the nearest one before or behind the figure. */
export function attachments(
  figure: Figure,
  all: readonly Mention[],
  text: string,
  results: readonly ResultIndex[],
): readonly Attachment[] {
  const segment = segmentOf(figure, text)
  const open = all.filter(mention => mention.axis !== 'range')
  const near = open.filter(mention => mention.start >= segment.start && mention.end <= segment.end)
  const mentions = near.length > 0 ? near : open
  const isElsewhere = near.length === 0 && (segment.start > 0 || segment.end < text.length)
  let ways: Group[][] = [[]]
  for (const axis of new Set(mentions.map(mention => mention.axis))) {
    const own = mentions.filter(mention => mention.axis === axis)
    ways = ways.flatMap(way => nearestGroups(figure, own, text).map(group => [...way, group])).slice(0, 16)
  }
  const read = ways.flatMap(way => attachmentOf(way, results))
  if (isElsewhere) return [...read, [new Map()]]
  return read.length > 0 ? read : ways.flatMap(way => way.flatMap(group => attachmentOf([group], results)))
}

/** Returns the part of a text around a span, up to the next semicolons. */
export function segmentOf(span: TextRange, text: string): TextRange {
  const next = text.indexOf('; ', span.end)
  return { start: text.lastIndexOf('; ', span.start) + 1, end: next < 0 ? text.length : next }
}

/** Returns the groups of names that a figure may belong to: the nearest before it, and the nearest behind it. */
function nearestGroups(figure: Figure, mentions: readonly Mention[], text: string): Group[] {
  const groups = groupsOf(mentions, text)
  const before = groups.findLast(group => (group.at(-1)?.end ?? 0) <= figure.start)
  const behind = groups.find(group => (group[0]?.start ?? 0) >= figure.end)
  return [before, behind].filter(group => group !== undefined)
}

/** Groups the names of one kind that form a list, joined only by commas and "and". */
export function groupsOf(mentions: readonly Mention[], text: string): Mention[][] {
  const groups: Mention[][] = []
  for (const mention of mentions) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && LIST_GAP.test(text.slice(last.end, mention.start))) group.push(mention)
    else groups.push([mention])
  }
  return groups
}

/** Returns the rows that hold all of the names. If no row holds all names of a list such as "A and B", returns a scope for each of them. */
function attachmentOf(way: readonly Group[], results: readonly ResultIndex[]): Attachment[] {
  const all = way.flat()
  if (all.length === 0) return [[new Map()]]
  const joint = scopeOf(all, results)
  if (scopeHasRows(joint)) return [[joint]]
  const list = way.find(group => group.length > 1)
  if (list === undefined) return []
  const others = way.filter(group => group !== list).flat()
  const each = list.map(member => scopeOf([member, ...others], results))
  return each.every(scopeHasRows) ? [each] : []
}

export function scopeHasRows(scope: Scope): boolean {
  return [...scope.values()].some(rows => rows.length > 0)
}

/**
 * Returns, per query, the rows with all names. A result without any of the names is in scope only if it has one row, since that needs no name.
 */
export function scopeOf(mentions: readonly Mention[], results: readonly ResultIndex[]): Scope {
  const scope = new Map<string, readonly number[]>()
  for (const result of results) {
    const known = mentions.map(mention => mention.rows.get(result.id)).filter(rows => rows !== undefined)
    if (known.length === 0) {
      if (result.rowCount > 1) scope.set(result.id, [])
      continue
    }
    const [first = [], ...rest] = known
    const others = rest.map(rows => new Set(rows))
    scope.set(result.id, others.length === 0 ? first : first.filter(row => others.every(rows => rows.has(row))))
  }
  return scope
}
