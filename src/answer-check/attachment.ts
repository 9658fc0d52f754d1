import type { Figure, TextRange } from './figures/figure.ts'
import type { Mention } from './mentions.ts'
import type { ResultIndex } from './rows/result-index.ts'
import type { Scope } from './support.ts'

/** One reading of the words around a figure, as scopes. A scope holds the rows that the figure may describe. The figure must hold in every scope. */
export type Attachment = readonly Scope[]

export interface Attachments {
  readonly ways: readonly Attachment[]
  /** The wording binds the figure to one name: "A (3)", "A: 3", "3 in A". */
  readonly tight: boolean
}

type Group = readonly Mention[]

const LIST_GAP =
  /^[\s*`"”“']*(?:(?:,|;|and|und|et|y|e|or|oder|ou|o|&|\+|-|–|→|to|bis|zu|as well as|sowie|,\s*(?:and|und))[\s*`"“']*)?$/iu
const LINK =
  "(?:'s|’s|has|have|had|with|at|is|was|were|are|on|of|about|only|just|over|under|around|nearly|almost|roughly|lost|for|by|lag|now|a|an|hat|hatte|haben|hatten|mit|bei|lag|liegt|rund|etwa|knapp|gut|sind|waren|ist|nur|um|auf|von|each|both|je)"
const TIGHT_BEFORE = new RegExp(
  `^[\\s*\`"”)]*(?:(?:[:=(]|(?<=\\s)[-–—]\\s|→)[\\s*]*)?(?:(?:${LINK}\\s+){1,3}|(?!\\*))[$€£+−*-]*$`,
  'iu',
)
/** Matches the text between two names of a list: at most one word, then a comma, a slash or a conjunction. */
const ENUMERATED =
  /^\s*(?:[\p{L}/%]+(?:\s*,(?:\s*(?:and|und))?|\s+(?:and|und|vs\.?|bzw\.)|\s+\/|(?<=\/))|,(?:\s*(?:and|und))?|(?<=\s)(?:and|und|vs\.?|bzw\.)|\/)\s*[$€£]?$/iu
/** Matches a comma or a semicolon, but not a comma inside a number. */
const BREAK = /[,;](?!\d)/
const CLAUSE = /[,;:](?!\d)|\s(?:and|und|while|während)\s/
/** Matches words such as "the day before". They refer to a row that the sentence does not name. */
const ELSEWHEN = /(?:day|week|month|year|one|period)\s(?:before|earlier|prior)|previous|prior|vortag|vormonat|vorjahr/i
/**
 * Matches a period right behind a figure, such as "in the latest week" in "7 in the latest week". It replaces a period that is named earlier in the
 * sentence.
 */
const OWN_PERIOD =
  /^\s?\S{0,8}\s(?:(?:in|over|for|during|im|in den)\s(?:the\s)?(?:latest|last|past|current|most recent|letzten?|aktuellen)|now|today|currently|jetzt|heute|aktuell)(?!\p{L})/iu
/** Matches a pronoun, which stands for an earlier name. */
export const PRONOUN = /(?<!\p{L})(?:its?|their|they|them|davon|deren|dessen|seine[rnsm]?|ihre[rnsm]?|es|sie)(?!\p{L})/iu
const APPOSITION = /^[\s%\p{L}]*,\s(?:is|are|was|were|ist|sind|war|on|in|by|at)\s/u
const IN_PARENTHESES = /^(?:\s+(?!and\s|und\s|or\s)\p{L}+){0,3}\s*\(\s*[`*]*$/u
const TIGHT_BEHIND =
  /^(?:\s+(?:(?:\p{L}+\s)?(?:are|is|were|was|of\s(?:them|these|which)(?:\s(?:are|on|in|from))?|davon(?:\sin|\sauf)?|in|on|for|from|to|by|at|of|sind|ist|waren|in|auf|bei|für|von|aus|an|am|um|im|zum)\s+(?:the\s+|a\s+|den\s+|dem\s+|der\s+)?(?:(?:epoch|epoche|direction|richtung|week|month|region|version|status|code)\s)?)?)[`*"“]*$/iu

/**
 * Returns the possible readings of the rows that a figure describes. For each kind of name, the nearest name before or behind the figure counts. If
 * figures and names are listed side by side, the name at the same place counts. If the words allow only one reading, returns just that one.
 */
export function attachments(
  figure: Figure,
  figures: readonly Figure[],
  all: readonly Mention[],
  text: string,
  results: readonly ResultIndex[],
): Attachments {
  const segment = segmentOf(figure, text)
  const isElsewhen = OWN_PERIOD.test(text.slice(figure.end))
  const open = all
    .filter(mention => mention.axis !== 'range')
    .filter(mention => !(isElsewhen && (mention.axis === 'time' || mention.axis === 'key') && mention.end <= figure.start))
  const near = open.filter(mention => mention.start >= segment.start && mention.end <= segment.end)
  const mentions = near.length > 0 ? near : open
  const parallel = inParallel(figure, figures, mentions, text)
  if (parallel !== undefined) return { ways: [[scopeOf([parallel], results)]], tight: true }
  const isElsewhere =
    near.length === 0 && (segment.start > 0 || segment.end < text.length) && !PRONOUN.test(text.slice(segment.start, segment.end))
  const axes = [...new Set(mentions.map(mention => mention.axis))]
  let ways: Group[][] = [[]]
  let tight = false
  for (const axis of axes) {
    const options = axisOptions(
      figure,
      figures,
      mentions.filter(mention => mention.axis === axis),
      text,
    )
    if (options.length === 1 && options[0]?.length) tight ||= isTight(options[0], figure, text)
    if (options.length > 0) ways = ways.flatMap(way => options.map(option => [...way, option])).slice(0, 16)
  }
  const exact = ways.flatMap(way => attachmentOf(way, results))
  const read = exact.length > 0 ? exact : ways.flatMap(way => attachmentOf(withoutCrossed(way, figure, figures), results))
  // If the words bind several names to the figure, but no row holds all of them, nothing supports the figure.
  const bound = tight || inOneParenthesis(figure, undefined, text) !== undefined
  if (read.length === 0 && bound) {
    const torn = ways.find(
      way => way.length > 1 && results.some(result => way.flat().every(mention => mention.rows.has(result.id))),
    )
    if (torn) return { ways: [[scopeOf(torn.flat(), results)]], tight: true }
  }
  if (isElsewhere) return { ways: [...read, [new Map()]], tight: false }
  return { ways: read.length > 0 ? read : ways.flatMap(way => way.flatMap(group => attachmentOf([group], results))), tight }
}

/**
 * Returns the part of a text around a span, up to the next semicolons. A single dash also ends a part.
 * A pair of dashes encloses an aside and ends no part.
 */
export function segmentOf(span: TextRange, text: string): TextRange {
  const start = text.lastIndexOf('; ', span.start) + 1
  const next = text.indexOf('; ', span.end)
  const end = next < 0 ? text.length : next
  const dash = text.indexOf(' — ', start)
  if (dash < 0 || dash >= end || text.slice(dash + 1, end).includes(' — ')) return { start, end }
  return dash < span.start ? { start: dash + 1, end } : { start, end: dash }
}

/**
 * Drops the names that are separated from the figure by another figure: in "A 2.3 holds 5, B 4", A is dropped for the 4. Only used if no row holds
 * all the names.
 */
function withoutCrossed(way: readonly Group[], figure: Figure, figures: readonly Figure[]): readonly Group[] {
  const crossed = (group: Group) => {
    const start = group[0]?.start ?? 0
    const end = group.at(-1)?.end ?? 0
    return figures.some(
      other =>
        other !== figure &&
        ((other.start >= end && other.end <= figure.start) || (other.start >= figure.end && other.end <= start)),
    )
  }
  const near = way.filter(group => !crossed(group))
  return near.length > 0 && near.length < way.length ? near : way
}

function isTight(group: Group, figure: Figure, text: string): boolean {
  const end = group.at(-1)?.end ?? 0
  if (end <= figure.start) return TIGHT_BEFORE.test(text.slice(end, figure.start))
  const gap = text.slice(figure.end, group[0]?.start)
  return TIGHT_BEHIND.test(gap) || IN_PARENTHESES.test(gap)
}

function axisOptions(figure: Figure, figures: readonly Figure[], mentions: readonly Mention[], text: string): Group[] {
  const groups = groupsOf(mentions, text)
  const before = groups.findLast(group => (group.at(-1)?.end ?? 0) <= figure.start)
  const behind = groups.find(group => (group[0]?.start ?? 0) >= figure.end)
  const gapBefore = before && text.slice(before.at(-1)?.end, figure.start)
  const gapBehind = behind && text.slice(figure.end, behind[0]?.start)
  const rivals = groups.filter(group => (group.at(-1)?.end ?? 0) <= figure.start).slice(-2)
  if (rivals.length === 2 && isContrasted(figure, figures, text)) return rivals
  if (before && gapBefore !== undefined && TIGHT_BEFORE.test(gapBefore)) {
    const either = /^[\s\p{L}]+$/u.test(gapBefore) && gapBehind !== undefined && TIGHT_BEHIND.test(gapBehind)
    return either && behind ? [before, behind] : [before]
  }
  const elsewhere = ELSEWHEN.test(text.slice(Math.max(0, figure.start - 30), figure.start))
  const outside =
    gapBehind !== undefined && /^\s?%?\)\s(?:in|on|for|from|at|auf|bei|für|von|aus)\s(?:\p{L}+\s)?[`*]*$/u.test(gapBehind)
  if (!elsewhere && before && inOneParenthesis(figure, behind, text) === false)
    return outside && behind ? [behind, before] : [before]
  if (behind && gapBehind !== undefined && IN_PARENTHESES.test(gapBehind)) return [behind]
  const crossed =
    before && figures.some(other => other !== figure && other.start >= (before.at(-1)?.end ?? 0) && other.end <= figure.start)
  if (behind && gapBehind !== undefined && TIGHT_BEHIND.test(gapBehind))
    return before && !crossed && !BREAK.test(gapBefore ?? '') ? [behind, before] : [behind]
  if (before && behind && !CLAUSE.test(gapBefore ?? '') && BREAK.test(gapBehind ?? '')) return [before]
  const options: Group[] = [before, behind].filter(group => group !== undefined)
  // After a comma the sentence may return to its first name: "A has as many as B (9), but only 90".
  const first = groups[0]
  if (before && first && first !== before && gapBefore !== undefined && BREAK.test(gapBefore)) options.push(first)
  // The name in the next clause may belong to another figure. "The day before" may mean a day that is not named. So a reading without the name is
  // tried too.
  if (!before && gapBehind !== undefined && CLAUSE.test(gapBehind) && !APPOSITION.test(gapBehind)) options.push([])
  if (elsewhere) options.push([])
  // A name behind another figure belongs to that figure.
  const isBehindAnother =
    behind !== undefined && figures.some(other => other.start >= figure.end && other.end <= (behind[0]?.start ?? 0))
  if (!before && isBehindAnother) options.push([])
  return options
}

/** Whether the figure is contrasted with another figure: in "(9,840 vs. 5,120)" each of the two may belong to either of the two names before them. */
function isContrasted(figure: Figure, figures: readonly Figure[], text: string): boolean {
  const at = figures.indexOf(figure)
  const pairs = [[figures[at - 1], figure] as const, [figure, figures[at + 1]] as const]
  return pairs.some(
    ([one, other]) =>
      one !== undefined &&
      other !== undefined &&
      /^\s?\S{0,8}\s?(?:vs\.?|versus|gegen|against|gegenüber|compared (?:to|with))\s[$€£]?$/iu.test(
        text.slice(one.end, other.start),
      ),
  )
}

/** Whether the name behind the figure is in the same parentheses as the figure. Undefined if the figure is not in parentheses. */
function inOneParenthesis(figure: Figure, behind: Group | undefined, text: string): boolean | undefined {
  const open = text.lastIndexOf('(', figure.start)
  const close = text.indexOf(')', figure.end)
  if (open < 0 || close < 0 || text.slice(open, figure.start).includes(')')) return undefined
  return (behind?.[0]?.start ?? text.length) < close
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

/** If as many figures as names are listed, returns the name at the figure's place in its list: "A, B and C have 3, 2 and 1". */
function inParallel(figure: Figure, figures: readonly Figure[], mentions: readonly Mention[], text: string): Mention | undefined {
  const runs: Figure[][] = []
  for (const other of figures) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const gap = last === undefined ? '' : text.slice(last.end, other.start)
    if (run && last && ENUMERATED.test(gap) && !mentions.some(mention => mention.start >= last.end && mention.end <= other.start))
      run.push(other)
    else runs.push([other])
  }
  const run = runs.find(candidate => candidate.includes(figure))
  if (run === undefined || run.length < 2) return undefined
  const first = run[0]
  const last = run.at(-1)
  for (const axis of new Set(mentions.map(mention => mention.axis))) {
    const groups = groupsOf(
      mentions.filter(mention => mention.axis === axis),
      text,
    )
    const group =
      groups.findLast(candidate => (candidate.at(-1)?.end ?? 0) <= (first?.start ?? 0)) ??
      groups.find(candidate => (candidate[0]?.start ?? 0) >= (last?.end ?? 0))
    if (group !== undefined && group.length === run.length) return group[run.indexOf(figure)]
  }
  return undefined
}

/** Returns the rows that hold all of the names. If no row holds all of them, each name of a list becomes a reading of its own. */
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
 * Returns, per query, the rows with all names. A result that contains none of the names counts only if it has one row, or if its SQL contains a name.
 */
export function scopeOf(mentions: readonly Mention[], results: readonly ResultIndex[]): Scope {
  const scope = new Map<string, readonly number[]>()
  for (const result of results) {
    const known = mentions.map(mention => mention.rows.get(result.id)).filter(rows => rows !== undefined)
    if (known.length === 0) {
      const open = result.rowCount <= 1 || mentions.some(mention => result.sql.toLowerCase().includes(mention.key))
      if (!open) scope.set(result.id, [])
      continue
    }
    const [first = [], ...rest] = known
    const others = rest.map(rows => new Set(rows))
    scope.set(result.id, others.length === 0 ? first : first.filter(row => others.every(rows => rows.has(row))))
  }
  return scope
}
