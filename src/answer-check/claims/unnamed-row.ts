import { groupsOf } from '../attachment.ts'
import { WEEKDAYS } from '../figures/number-words.ts'
import { FUNCTION_WORDS, PERIOD_JOINT, REST } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { NamedText } from '../mentions.ts'
import type { Grounds, Parsed } from '../parse-text.ts'
import { saysColumn } from '../rows/column-words.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import { textBefore } from '../text-before.ts'
import type { Problem } from '../unsupported-figure.ts'
import { containsName, hasWordOf, isEndOfAmounts, type OwnedPart, type Sentence, sharesRow } from './row-names.ts'
import { superlativesIn } from './superlatives.ts'

/** Matches the words before a name or figure that a figure is compared with. */
const COMPARED =
  /(?<!\p{L})(?:than|as|als|wie|against|gegen|gegenüber|vs\.?|versus|compared (?:to|with)|instead of|statt|unlike|behind|ahead of|vor|hinter)\s(?:\p{L}+\s){0,2}[`*„“"$€]*$/iu

/** Matches words for a name that was said before. */
const REFERS =
  /(?<!\p{L})(?:its?|they|their|them|there|these|those|both|that|this|es|sie|seine[rnsm]?|ihre[rnsm]?|dort|davon|diese[rnsm]?|beide[nr]?|das|il|elle|ils|elles|son|sa|ses|leurs?|su|sus|ella|ellos)(?!\p{L})/iu

/** Matches words for several things that are known already, such as "that" and "the five". */
const COLLECTIVE =
  /(?<!\p{L})(?:that|these|those|they|both|(?:the|die|all|alle)\s(?:\d+|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|beiden))(?!\p{L})/iu

/** Matches words that tell a row by its place in an order: "the runner-up", "the first", "since then". */
const BY_PLACE =
  /(?<!\p{L})(?:the only|first|second|third|fourth|low|lows|peak\p{L}*|minimum|maximum|mínimo|máximo|last|next|previous|following|runner-up|top|bottom|then|since|now|current(?:ly)?|today|yesterday|so far|weekends?|latest|start|end|beginning|finally|after|before|later|earlier|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|letzte[nrs]?|nächste[nrs]?|danach|davor|seither|seitdem|zuletzt|zuerst|anfangs|anfang|ende|jetzt|heute|gestern|bisher|wochenende|aktuell|vor\p{L}*|premi\p{L}+|derni\p{L}+|précédent\p{L}*|primer\p{L}*|últim\p{L}*|anterior)(?!\p{L})/iu

/** Matches the words before an end of a change: "from 9 to 7". */
const STEP = /(?<!\p{L})(?:(?<from>from|von)|to|auf)\s[$€]?$/iu

/** Matches words that bound all rows, such as "at most" and "no day". */
const OF_ALL =
  /(?<!\p{L})(?:at most|at least|up to|no|none|never|every|each|all|any|rang\p{L}*|höchstens|mindestens|kein\p{L}*|nie|jede[rnsm]?|alle[rn]?|chacune?|cada|tou[ts]\p{L}*|todos)(?!\p{L})/iu

/** Matches the words before an end of a range. */
const BETWEEN = /(?<!\p{L})(?:between|zwischen|entre)\s[$€]?(?:\S+\s(?:\S+\s)?(?:and|und|y|et)\s[$€]?)?$/iu

/** Reports a figure whose working reads a row that neither the sentence nor its context names. */
export function unnamedRow(parts: readonly OwnedPart[], sentence: Sentence): Problem | undefined {
  const figures = new Set(parts.flatMap(({ figure }) => figure ?? []))
  for (const figure of figures) {
    const { text, mentions } = sentence.parsed
    const cells = parts.filter(part => part.figure === figure && part.isCell).slice(0, CHECK_LIMITS.working.namedRows)
    const untold = cells.map(part => untoldName(part, parts, sentence))
    const name = untold.find(found => found !== undefined)
    // The comparison in "5 fewer than the best" tells one of the two rows.
    if (name === undefined || (cells.length > 1 && untold.includes(undefined) && !isOfEach(cells, sentence))) continue
    // "The two made 800" adds up rows that are known already.
    const isNamed = cells.some(part => mentions.some(({ rows }) => rows.has(part.query)))
    if (cells.length > 1 && !isNamed && COLLECTIVE.test(text)) continue
    return { text: figure.text, reason: `${figure.text} is of the row of ${name}, which the sentence does not name` }
  }
  return undefined
}

/** Whether a sentence must name the row of each cell, because it names as many rows as there are cells. */
function isOfEach(cells: readonly OwnedPart[], { parsed }: Sentence): boolean {
  const [query] = cells.map(part => part.query)
  const named = parsed.mentions.filter(({ rows, bounds }) => ((bounds ?? rows).get(query ?? '') ?? []).length === 1)
  return new Set(named.map(({ key }) => key)).size >= new Set(cells.flatMap(part => part.rows)).size
}

/** Returns the name of the row that a working reads, if neither the sentence nor its context tells this row. */
function untoldName(part: OwnedPart, parts: readonly OwnedPart[], { parsed, grounds, context }: Sentence): string | undefined {
  const result = grounds.results.find(({ id }) => id === part.query)
  if (result === undefined || result.rowCount < 2 || part.rows.length > CHECK_LIMITS.working.namedRows) return undefined
  if (isKeyColumn(part.column, result) || isOfAllRows(part.column, result)) return undefined
  // No single row has a highest value that several rows share.
  if (part.aggregate !== undefined && part.rows.length > 1) return undefined
  const { text, mentions } = parsed
  const { figure } = part
  const isSeveral = parts.filter(other => other.figure === figure && other.isCell).length > 1
  // In "August had 20, July 9" the figure 9 looks like a day.
  if (figure?.date !== undefined && !part.isTime) return undefined
  const ofResult = mentions.filter(mention => mention.rows.has(result.id))
  const own = groupsOf(ofResult, text)
    .filter(([first]) => !COMPARED.test(textBefore(text, first?.start ?? 0)))
    .flat()
  // In "5.9 %, below the 6.07 % of Q2" the Q2 belongs to the other figure.
  const isFree = own.every(
    name => name.start > (figure?.end ?? 0) && parts.some(other => other.figure !== figure && sharesRow(name, other)),
  )
  const isCompared = COMPARED.test(textBefore(text, figure?.start ?? 0))
  const keys = parts.filter(other => other.query === result.id && other.isCell && isKeyColumn(other.column, result))
  const numbered = [...text.matchAll(NUMBERED)].slice(0, CHECK_LIMITS.near.strangers)
  // In "it fell from 9 to 7" one of two neighbouring rows tells the other.
  const side = STEP.exec(textBefore(text, figure?.start ?? 0))?.groups
  const timeOf = ([row = 0]: readonly number[]) => result.times[0]?.values[row] ?? row
  const steps = parts.filter(
    ({ query, column, rows }) =>
      query === part.query &&
      column === part.column &&
      Math.abs((rows[0] ?? 0) - (part.rows[0] ?? 0)) === 1 &&
      timeOf(rows) > timeOf(part.rows) === (side?.from !== undefined),
  )
  const isTold = [...part.rows, ...(side ? steps : []).flatMap(({ rows }) => rows)].some(
    row =>
      !isNameable(row, result) ||
      isInNamedPeriod(row, result, isSeveral ? `${text}\n${context.text}` : text, isSeveral) ||
      keys.some(({ rows }) => rows.includes(row)) ||
      isNumbered(row, result, numbered) ||
      isNamedIn(row, result, parsed) ||
      result.rowNames(row).length < result.textColumns.length ||
      ((isFree || isCompared || REFERS.test(text)) && isNamedIn(row, result, context)),
  )
  if (isTold || (figure && (BETWEEN.test(textBefore(text, figure.start)) || isEndOfAmounts(figure, parsed)))) return undefined
  if (isToldByPlace(text) && !hasStranger(part, parsed, grounds, result)) return undefined
  const [row = 0] = part.rows
  return result.rowNames(row)[0] ?? `number ${row + 1}`
}

/** Whether the words before a superlative may be a name that is in no row: "Paris has the most", "the link paris-rome has the highest". */
function hasStranger({ rows }: OwnedPart, { text, mentions }: Parsed, { known }: Grounds, result: ResultIndex): boolean {
  const [claim] = superlativesIn(text)
  if (claim === undefined || mentions.some(mention => mention.rows.has(result.id))) return false
  const names = rows.flatMap(row => result.rowNames(row))
  const joiner = names.map(name => /^[^\s–—→:-]{1,60}([-–—→:])\S{1,60}$/u.exec(name)?.[1]).find(found => found !== undefined)
  const lead = textBefore(text, claim.start)
  return [...lead.matchAll(/(?<![\p{L}\p{N}])\p{L}[\p{L}\p{N}]*(?:[-–—→:][\p{L}\p{N}]+)*/gu)].some(([word]) => {
    const plain = word.toLowerCase()
    if (joiner !== undefined && word.includes(joiner)) return !known.includes(plain)
    return names.length > 0 && /^\p{Lu}\p{Ll}{2,}/u.test(word) && !FUNCTION_WORDS.has(plain)
  })
}

/** Whether the words tell a row without its name: "the first", "at most", "the rest". */
function isToldByPlace(text: string): boolean {
  return BY_PLACE.test(text) || OF_ALL.test(text) || REST.test(text) || superlativesIn(text).length > 0
}

const NUMBERED = /(?<!\p{L})(\p{L}{3,})\s[#`]?(\d{1,15})(?![\d.,]{0,20}\d)/gu

/** Whether the text writes the number of a row behind a word of its column: "train 41388" for `train_no`. A mere `id` has no such word: "order 4". */
function isNumbered(row: number, { numbers }: ResultIndex, numbered: readonly RegExpExecArray[]): boolean {
  return numbered.some(([, word = '', number]) =>
    numbers.some(
      ({ name, whole, values }) => whole && values[row] === Number(number) && (/^id$/i.test(name) || saysColumn(word, name)),
    ),
  )
}

/** Whether the cells of a column are days, hours or other keys. Such a cell names its row. */
function isKeyColumn(column: string | undefined, { times, numbers, textColumns }: ResultIndex): boolean {
  const isIt = ({ name }: { readonly name: string }) => name.toLowerCase() === column?.toLowerCase()
  return (textColumns.length === 0 && times.some(isIt)) || numbers.some(each => each.key && isIt(each))
}

/** Whether all rows have the same value in a column, such as a total by `count() OVER ()`. Then no row must be named. */
function isOfAllRows(column: string | undefined, { numbers }: ResultIndex): boolean {
  const values = numbers.find(({ name }) => name.toLowerCase() === column?.toLowerCase())?.values
  return values?.every(value => value === values[0]) === true
}

function isNamedIn(row: number, result: ResultIndex, { text, mentions }: NamedText): boolean {
  return (
    mentions.some(({ rows }) => rows.get(result.id)?.includes(row)) ||
    isInPeriod(row, result, { text, mentions }) ||
    result.rowNames(row).some(name => containsName(text, name) || hasWordOf(text, name, result))
  )
}

/** Whether a row lies between two days of a period: "from 6 to 9 July". */
function isInPeriod(row: number, { id }: ResultIndex, { text, mentions }: NamedText): boolean {
  return mentions.some((mention, at) => {
    const own = (mention.bounds ?? mention.rows).get(id) ?? []
    if (own.includes(row)) return true
    const next = mentions[at + 1]
    if (next === undefined || !PERIOD_JOINT.test(text.slice(mention.end, next.start))) return false
    const to = (next.bounds ?? next.rows).get(id) ?? []
    const [from, until] = [own[0] ?? Number.NaN, to.at(-1) ?? Number.NaN]
    return row >= Math.min(from, until) && row <= Math.max(from, until)
  })
}

/** Whether a sentence must repeat a row's name word for word. A name such as "under 30 min" may be put in other words. */
function isNameable(row: number, result: ResultIndex): boolean {
  const names = result.rowNames(row)
  if (names.length === 0) return result.times.length > 0 || result.numbers.some(({ key }) => key)
  return names.some(
    name => (/^\p{Lu}/u.test(name) || /^\p{L}[\p{L}\p{N}]*(?:[-_:/.]\p{L}?|\d)/u.test(name)) && !WEEKDAYS.has(name.toLowerCase()),
  )
}

/** Whether a row lies in a quarter that a text names, or in such a year if a working reads several rows. */
function isInNamedPeriod(row: number, { times }: ResultIndex, text: string, isSeveral: boolean): boolean {
  const quarters = [...text.matchAll(/(?<![\p{L}\d])(?:Q([1-4])|([1-4])\.\s?Quartal)(?![\d\p{L}])/gu)]
  return times.some(({ values }) => {
    const day = new Date(values[row] ?? Number.NaN)
    const isOfQuarter = quarters.some(([, one, other]) => Number(one ?? other) === 1 + Math.floor(day.getUTCMonth() / 3))
    return isOfQuarter || (isSeveral && text.includes(String(day.getUTCFullYear())))
  })
}
