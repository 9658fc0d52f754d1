import type { Figure } from '../figures/figure.ts'
import { COUNTED_LOOSELY } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Mention } from '../mentions.ts'
import type { Parsed } from '../parse-text.ts'
import type { Problem } from '../unsupported-figure.ts'

/** Matches the text between a noun and its list: the colon of "two stations: A and B", the comma of "the other three, A, B and C,". */
const OPENS = /(?::|,|—|–|\(|\s(?:are|were|sind|waren))\s?["'„“`]?$/u
/** Matches words that announce an incomplete list, such as "including". */
const OF_SOME =
  /(?<!\p{L})(?:such as|like|including|among|e\.g\.|especially|above all|mostly|led by|ahead|first|followed by|from|between|except|but|not|darunter|etwa|wie|zum beispiel|vor allem|allen voran|außer|von|zwischen|by|per|every|each|je|with|mit)(?!\p{L})/iu
/** Matches the text between two names of a list. The text may contain a figure in brackets or behind a preposition. */
const JOINT = /^(?:\s\([^()]{1,40}\)|\s(?:with|at|on|mit|bei)\s[^,;:]{1,30})?(?:,|,?\s(?:and|und|et|y)|;)\s["'„“`]?$/u
const LAST_JOINT = /(?:and|und|et|y)\s["'„“`]?$/u

/** Reports a number word that differs from the length of its list: "two stations: A, B and C". */
export function wrongList({ text, mentions, written }: Pick<Parsed, 'text' | 'mentions' | 'written'>): Problem | undefined {
  for (const list of listsOf(mentions, text)) {
    const [first] = list
    const goesOn = mentions.some(({ axis, start }) => axis === first?.axis && start > (list.at(-1)?.start ?? 0))
    const count = first === undefined || list.length < 2 || goesOn ? undefined : countOf(first, text, written)
    const value = count?.readings[0]?.value ?? 1
    if (count !== undefined && value > 1 && value !== list.length)
      return { text: count.text, reason: `${count.text} is said, and ${list.length} are named` }
  }
  return undefined
}

/** Returns the figure that counts a list. The figure must be the only number word between the start of the clause and the first name. */
function countOf({ start: end }: Mention, text: string, written: readonly Figure[]): Figure | undefined {
  const lead = text.slice(0, end)
  if (!OPENS.test(lead)) return undefined
  const start = Math.max(...[...lead.matchAll(/[.;!?]\s/g)].map(({ index }) => index), 0)
  const [count, ...others] = written
    .filter(figure => figure.start >= start && figure.end <= end && isSmallCount(figure))
    .filter(figure => !COUNTED_LOOSELY.test(text.slice(figure.end)))
  const isOne = count?.word === 'count' && others.length === 0 && !OF_SOME.test(lead.slice(count.end))
  return isOne ? count : undefined
}

function listsOf(mentions: readonly Mention[], text: string): Mention[][] {
  const lists: Mention[][] = []
  for (const mention of mentions) {
    if (mention.axis === 'range' || mention.axis === 'time') continue
    const list = lists.at(-1)
    const last = list?.at(-1)
    if (list && last?.axis === mention.axis && JOINT.test(text.slice(last.end, mention.start))) list.push(mention)
    else lists.push([mention])
  }
  return lists.filter(list => isWhole(list, text))
}

/** Whether a list is complete. A list without an "and" or brackets may be incomplete. */
function isWhole(list: readonly Mention[], text: string): boolean {
  const [first, last] = [list[0], list.at(-1)]
  if (first === undefined || last === undefined) return false
  const isInBrackets = /\(["'„“`]?$/u.test(text.slice(0, first.start)) && /^["'“”`]?\)/u.test(text.slice(last.end))
  return isInBrackets || LAST_JOINT.test(text.slice(list.at(-2)?.end ?? 0, last.start))
}

function isSmallCount({ word, unit, readings, date }: Figure): boolean {
  const value = readings[0]?.value ?? Number.NaN
  return (
    word === 'count' ||
    (unit === undefined && date === undefined && Number.isInteger(value) && value > 0 && value <= CHECK_LIMITS.listedNames)
  )
}
