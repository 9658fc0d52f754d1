import { groupsOf } from '../attachment.ts'
import type { Figure, TextRange } from '../figures/figure.ts'
import { SAYS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Mention } from '../mentions.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'
import { clauseAt } from './clauses.ts'
import {
  axisIn,
  containsName,
  hasWordOf,
  isEndOfAmounts,
  isLeftOut,
  isLevel,
  type OwnedPart,
  type Sentence,
  sharesRow,
} from './row-names.ts'

/** The names of one kind in a sentence, such as cities, and the part of a working that they may be about. */
interface Claimed {
  readonly part: OwnedPart
  readonly figure: Figure
  readonly result: ResultIndex
  /** The names of this kind. */
  readonly names: readonly Mention[]
  readonly axis: string
}

/**
 * Reports a figure that the sentence says of other rows than its working reads. A sentence says a figure of the name in its
 * clause, or of the name at the same place in the order of names and figures.
 */
export function wrongRow(parts: readonly OwnedPart[], sentence: Sentence): Problem | undefined {
  const claims = claimsOf(parts, sentence)
  const cells = claims.filter(({ part }) => part.isCell)
  return [
    crossed(claims, parts, sentence),
    ...cells.map(claim => misnamed(claim, parts, sentence)),
    ...parts.map(
      part => strayName(part, parts, sentence) ?? strangerInList(part, parts, sentence) ?? wholeOfOne(part, parts, sentence),
    ),
  ].find(problem => problem !== undefined)
}

function claimsOf(parts: readonly OwnedPart[], { parsed, grounds }: Sentence): Claimed[] {
  return parts.flatMap((part): Claimed[] => {
    const result = grounds.results.find(({ id }) => id === part.query)
    const { figure } = part
    const isOne = part.isCell ? part.rows.length <= CHECK_LIMITS.working.namedRows : part.about.length === 1
    if (result === undefined || figure === undefined || !isOne) return []
    const known = parsed.mentions.filter(
      mention => mention.rows.has(part.query) && mention.axis !== 'range' && !isLeftOut(mention, parsed),
    )
    return [...new Set(known.map(mention => axisIn(mention, result)))].flatMap(axis => {
      const names = known.filter(mention => axisIn(mention, result) === axis)
      // In "in week 23" the figure itself is the name.
      return names.some(({ start }) => start === figure.start) ? [] : [{ part, figure, result, axis, names }]
    })
  })
}

/**
 * Reports two figures of one column that stand in the other order than their names: "B and A have 5 and 4", "A has 5 and B 4" for
 * exchanged cells. Between "from" and "to", and where a figure stands apart from all names, the order tells nothing.
 */
function crossed(claims: readonly Claimed[], parts: readonly OwnedPart[], { parsed }: Sentence): Problem | undefined {
  const { text } = parsed
  const placed = claims.flatMap(claim => {
    const { figure, names, part } = claim
    const own = parts.filter(other => other.figure === figure)
    const rows = new Set(own.flatMap(each => (each.isCell ? each.rows : [part.rows[0] ?? -1])))
    const columns = own.map(({ column }) => column).join()
    const [name, ...others] = names.filter(each =>
      part.isCell ? sharesRow(each, part) : each.key === part.about[0]?.name.toLowerCase(),
    )
    const isOne = rows.size === 1 && others.length === 0 && !isEndOfAmounts(figure, parsed)
    return name !== undefined && isOne ? [{ ...claim, name, columns }] : []
  })
  for (const one of placed) {
    for (const other of placed) {
      const isAlike = one.axis === other.axis && one.columns === other.columns
      if (!isAlike || one.figure.start >= other.figure.start || one.name.start <= other.name.start) continue
      const said = text.slice(other.name.start, other.name.end)
      return { text: one.figure.text, reason: `${one.figure.text} stands where ${said} does, whose row it is not` }
    }
  }
  return undefined
}

/** Matches the words behind a name in parentheses, which belongs to the figure before: "7.8 min (Malmö) to 15.5 min". */
const CLOSED = /^[^()]*\)/

/** Words between a figure and the name right behind it: "5,017 visits on 2 November". */
const BEHIND =
  /^\s?(?:(?!(?:to|and|or|than|more|less|fewer|und|oder|bis|als|mit)\s)\p{Ll}+\s)?(?:on|in|at|for|am|im|bei|für)\s(?:the\s|der\s|dem\s)?[`*„“"]*$/u

/** Reports a name that the sentence gives to a figure, although the figure's working reads another row. */
function misnamed(claim: Claimed, parts: readonly OwnedPart[], sentence: Sentence): Problem | undefined {
  const { part, figure, result, names } = claim
  const { parsed } = sentence
  const { text, written } = parsed
  if (isEndOfAmounts(figure, parsed)) return undefined
  const strangers = names.filter(name => !sharesRow(name, part) && !isLevel(name, part, result))
  const problem = (name: Mention | undefined) => {
    const said = text.slice(name?.start, name?.end)
    return (
      name && {
        text: figure.text,
        reason: `${figure.text} is worked out from other rows than that of ${said}, which it is said of`,
      }
    )
  }
  const isOwned = (name: Mention) =>
    parts.some(
      other =>
        other !== part &&
        other.query === part.query &&
        other.isCell &&
        other.rows.length < Math.max(result.rowCount, 2) &&
        sharesRow(name, other),
    )
  if (!names.some(name => sharesRow(name, part))) {
    const isTwice = (name: Mention) => strangers.some(other => other.key === name.key && other.start < name.start)
    return problem(strangers.find(name => !isOwned(name)) ?? strangers.find(isTwice))
  }
  const clause = clauseAt(figure, text)
  const isIn = ({ start, end }: TextRange) => start >= clause.start && end <= clause.end
  const inside = names.filter(isIn)
  const isAlone = inside.length === 1 && !written.some(other => other !== figure && isIn(other) && other.date === undefined)
  const isListed = (name: Mention) => groupsOf(names, text).some(group => group.length > 1 && group.includes(name))
  if (part.rows.length > 1 || parts.filter(other => other.figure === figure).length > 1) return undefined
  return problem(
    strangers.find(
      name =>
        !isListed(name) &&
        ((name.start >= figure.end && BEHIND.test(text.slice(figure.end, name.start))) ||
          (isAlone && inside.includes(name) && name.end <= figure.start && !CLOSED.test(text.slice(name.end, figure.start)))),
    ),
  )
}

/** Matches words for everything there is, such as "all products together". */
const OF_WHOLE = /(?<!\p{L})(?:all \p{L}+ together|in all|in total|altogether|insgesamt|alle \p{L}+ zusammen)(?!\p{L})/iu

/** Reports a working whose condition has one name while the text has another name of the same column. */
function strayName(part: OwnedPart, parts: readonly OwnedPart[], { parsed: { text }, grounds }: Sentence): Problem | undefined {
  const { about, figure } = part
  const result = grounds.results.find(({ id }) => id === part.query)
  const own = parts.filter(other => other.figure === figure).flatMap(other => other.about)
  if (figure === undefined || result === undefined || about.length === 0) return undefined
  if (own.some(({ name }) => containsName(text, name) || (name.includes('_') && hasWordOf(text, name, result)))) return undefined
  const { start } = clauseAt(figure, text)
  const clause = text.slice(start, figure.start)
  const isShare = figure.unit?.dimension === 'part'
  const isStrange =
    OF_WHOLE.test(text) ||
    about.some(({ others }) =>
      others.some(
        other => containsName(text, other) || (isShare && ['', 's', 'es'].some(ending => containsName(clause, other + ending))),
      ),
    )
  const name = about[0]?.name
  return isStrange
    ? { text: figure.text, reason: `the working of ${figure.text} is about ${name}, which the sentence does not name` }
    : undefined
}

/** Reports a listed name that is not among the working's rows: "three {= count(loss > 1)} of them: A, B and C". */
function strangerInList(part: OwnedPart, parts: readonly OwnedPart[], { parsed, grounds }: Sentence): Problem | undefined {
  const { text } = parsed
  const rowCount = grounds.results.find(({ id }) => id === part.query)?.rowCount
  const isLone = parts.filter(({ figure }) => figure === part.figure).length === 1
  // In "Barmenia and Helvetia each paid for three {= count(insurer = 'Barmenia')}" the working of one name stands for both.
  const isOfEach = SAYS.each.test(text) && part.about.length > 0
  if (!isLone || part.rows.length < 2 || part.rows.length === rowCount || (isOfEach && part.column !== undefined))
    return undefined
  const known = parsed.mentions.filter(({ rows, axis }) => rows.has(part.query) && axis !== 'range')
  // Numbers are a list of the working's rows if there are as many: "Three {= count(loss > 1)}: 5009, 5238 and 5331".
  const isList = (group: readonly Mention[]) =>
    group.length > 1 && (group[0]?.axis !== 'key' || (!part.isCell && group.length === part.rows.length))
  for (const axis of new Set(known.map(mention => mention.axis))) {
    const groups = groupsOf(
      known.filter(mention => mention.axis === axis),
      text,
    )
    for (const group of groups.filter(members => isList(members) && members.some(mention => sharesRow(mention, part)))) {
      const isOwned = (name: Mention) =>
        (isOfEach && name.rows.get(part.query)?.length === part.rows.length) ||
        parts.some(
          other => other !== part && other.query === part.query && other.column === part.column && sharesRow(name, other),
        )
      const stranger = group.find(mention => !sharesRow(mention, part) && !isOwned(mention))
      const said = text.slice(stranger?.start, stranger?.end)
      if (stranger !== undefined)
        return { text: said, reason: `${said} is none of the rows that ${part.figure?.text ?? 'a figure'} is about` }
    }
  }
  return undefined
}

const TOGETHER = /(?<!\p{L})(?:together|combined|in all|total|zusammen|insgesamt)(?!\p{L})/iu
const OF_TOTAL = /(?<!\p{L})(?:of|out of|among|from|in|than|von|aus|unter|als|sur|de)\s(?:\p{L}+\s){0,2}[$€]?$/iu

/** Reports a total of all rows that its clause gives to one name: "Line 48 lost 98 {= sum(cancelled)} trips". */
function wholeOfOne(part: OwnedPart, parts: readonly OwnedPart[], { parsed, grounds }: Sentence): Problem | undefined {
  const { figure, aggregate, rows, query } = part
  const rowCount = grounds.results.find(({ id }) => id === query)?.rowCount
  const isWhole = /^(?:sum|avg|median)$/.test(aggregate ?? '') && rows.length > 1 && rows.length === rowCount
  if (figure === undefined || !isWhole || parts.some(other => other !== part && other.figure === figure)) return undefined
  const { text, mentions } = parsed
  const { start } = clauseAt(figure, text)
  const [name, ...others] = mentions.filter(mention => mention.start >= start && mention.end <= figure.start)
  const isOfSome = others.length === 0 && name?.axis !== 'time' && name?.rows.get(query)?.length !== rows.length
  if (!name?.rows.has(query) || !isOfSome || OF_TOTAL.test(text.slice(start, figure.start)) || TOGETHER.test(text))
    return undefined
  return { text: figure.text, reason: `${figure.text} is of all rows, and not of ${text.slice(name.start, name.end)} alone` }
}
