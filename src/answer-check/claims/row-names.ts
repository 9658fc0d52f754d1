import { groupsOf } from '../attachment.ts'
import type { Figure } from '../figures/figure.ts'
import { PERIOD_JOINT } from '../figures/wording.ts'
import type { Mention, NamedText } from '../mentions.ts'
import type { Grounds, Parsed } from '../parse-text.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { WorkedPart } from '../workings/worked-part.ts'

/** The sentence that contains workings. */
export interface Sentence {
  readonly parsed: Parsed
  readonly grounds: Grounds
  /** The lines that the sentence continues. */
  readonly context: NamedText
}

export type OwnedPart = WorkedPart & { readonly figure: Figure | undefined }

/** Words that exclude the name behind them. */
const APART =
  /(?<!\p{L})(?:outside|except|excluding|without|besides|apart from|other than|leaving (?:out|aside)|not|außer|ohne|nicht|sauf|hors|sans|excepto|sin|salvo|tranne|senza)(?:\s(?:for|the|rows?|of|in|die|den|dem|der|le|la|les|el|los|las|il|von))*\s[`*„“"]*$/iu
const JOINED = /(?<!\p{L})(?:and|or|und|oder)(?!\p{L})/iu

/** Whether words such as "outside" exclude a name. In "outside February and March" they exclude the whole list. */
export function isLeftOut(mention: Mention, { text, mentions }: Parsed): boolean {
  const list = groupsOf(
    mentions.filter(({ axis }) => axis === mention.axis),
    text,
  ).find(group => group.includes(mention))
  const first = list?.[0]
  const isJoined = first !== undefined && JOINED.test(text.slice(first.end, list?.at(-1)?.start))
  return APART.test(text.slice(0, (isJoined ? first : mention).start))
}

/** Whether the name's row has the same value as the working's rows. Then "as many as B" is true, and either row may be cited. */
export function isLevel({ rows }: Mention, { query, column, rows: own }: WorkedPart, { numbers }: ResultIndex): boolean {
  const values = numbers.find(({ name }) => name.toLowerCase() === column?.toLowerCase())?.values
  const named = rows.get(query) ?? []
  return values !== undefined && named.some(row => own.every(at => values[at] === values[row]))
}

export function sharesRow(mention: Mention, part: WorkedPart): boolean {
  const rows = mention.rows.get(part.query) ?? []
  return rows.length < part.rows.length ? rows.some(row => part.rows.includes(row)) : part.rows.some(row => rows.includes(row))
}

/** Returns the column that holds the name in this result. Different results may hold the name in different columns. */
export function axisIn({ key, axis }: Mention, { entities, parts }: ResultIndex): string {
  const [column] = (entities.get(key) ?? parts.get(key))?.columns ?? []
  return column ?? axis
}

/** Whether a text contains a name as a whole word. */
export function containsName(written: string, given: string): boolean {
  const [text, name] = [written.toLowerCase(), given.toLowerCase()]
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`
    if (!/[\p{L}\p{N}]/u.test(around)) return true
  }
  return false
}

/** Whether the figure is an end of a range: "between 5 and 9", "from 5 to 9". */
export function isEndOfAmounts(figure: Figure, { text, written }: Parsed): boolean {
  const [before, behind] = [written.findLast(({ end }) => end <= figure.start), written.find(({ start }) => start >= figure.end)]
  const isRange = (one?: Figure, other?: Figure) =>
    one !== undefined &&
    other !== undefined &&
    /(?<!\p{L})(?:between|from|zwischen|von)\s[$€]?$/iu.test(text.slice(0, one.start)) &&
    PERIOD_JOINT.test(text.slice(one.end, other.start))
  return isRange(figure, behind) || isRange(before, figure)
}

/** Whether the text contains all words of the name, or a word that no other name has: "Koło" for `Restaurant Koło`. */
export function hasWordOf(text: string, name: string, { parts }: ResultIndex): boolean {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(word => word.length >= 3 || /\d/.test(word))
  const isSaid = (word: string) => containsName(text, word) || containsName(text, `${word}s`)
  const isOwn = (word: string) => word.length >= 4 && word !== name && (parts.get(word.toLowerCase())?.values ?? 1) === 1
  return words.length > 0 && (words.every(isSaid) || words.some(word => isOwn(word) && isSaid(word)))
}
