import type { QueryReport } from '../../src/agent/run/result.ts'
import type { CitationCase } from './citation-cases.ts'

export type AlterationKind =
  | 'figure'
  | 'date'
  | 'swap'
  | 'name exchanged'
  | 'names swapped'
  | 'name invented'
  | 'claim turned'
  | 'number word'
export interface Alteration {
  readonly kind: AlterationKind
  readonly answer: string
  readonly what: string
}

interface Span {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Returns wrong variants of an answer. Each has a figure that is off by 1 to 5 %, a shifted time, two swapped figures, or an exchanged or invented
 * name.
 */
export function alterations(given: CitationCase, random: () => number, each: number): Alteration[] {
  // People do not see the workings, so an error in one does not make the answer wrong. A formula contains no figure to change.
  const workings = spansOf(given.answer, /\{[^}]*\}/g)
  const names = nameSpans(given).filter(span => !overlaps(span, workings))
  const dates = spansOf(given.answer, DATE).filter(span => !overlaps(span, [...names, ...workings]))
  const figures = figureSpans(given, [...names, ...dates, ...workings])
  // The question may describe rows, as in "links above 80 %". If the answer repeats this, it is no claim of the answer.
  const claims = spansOf(given.answer, CLAIM).filter(
    span => !overlaps(span, workings) && !given.question.includes(span.text) && isWorked(given, span) && !isOpen(given, span),
  )
  const found = new Map<string, Alteration>()
  const add = (alteration: Alteration | undefined) => {
    if (alteration && alteration.answer !== given.answer) found.set(alteration.answer, alteration)
  }
  for (let round = 0; round < each; round++) {
    add(alteredFigure(given, pick(figures, random), random))
    add(alteredDate(given, pick(dates, random), random))
    add(swapped(given, figures, random))
    add(exchanged(given, pick(names, random), figures, random))
    add(invented(given, pick(names, random), random))
  }
  for (const pair of namePairs(given, names).slice(0, each)) add(swappedNames(given, pair))
  for (const span of claims.slice(0, each)) add(turned(given, span))
  for (const span of wordSpans(given, [...names, ...workings]).slice(0, each)) add(alteredWord(given, span, random))
  return [...found.values()]
}

const NUMBER_WORDS: readonly (readonly string[])[] = [
  ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ['zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf'],
]

/** Returns the number words, such as "seven", in an answer with workings. In other answers, the check is less strict about them. */
function wordSpans({ answer }: CitationCase, taken: readonly Span[]): Span[] {
  if (!answer.includes('{=')) return []
  const words = new RegExp(`(?<![\\p{L}-])(?:${NUMBER_WORDS.flat().join('|')})(?![\\p{L}-])`, 'giu')
  return spansOf(answer, words).filter(span => !overlaps(span, taken))
}

/** Changes a number word by one: "all seven" becomes "all six". */
function alteredWord(given: CitationCase, span: Span, random: () => number): Alteration | undefined {
  const words = NUMBER_WORDS.find(language => language.includes(span.text.toLowerCase())) ?? []
  const at = words.indexOf(span.text.toLowerCase())
  const text = words[at + (random() < 0.5 ? 1 : -1)]
  return text === undefined ? undefined : replaced(given, 'number word', span, text)
}

/** Words that claim an order or a change, each with its opposite. */
const CONTRARIES: readonly (readonly [string, string])[] = [
  ['highest', 'lowest'],
  ['largest', 'smallest'],
  ['longest', 'shortest'],
  ['fastest', 'slowest'],
  ['earliest', 'latest'],
  ['most', 'fewest'],
  ['rose', 'fell'],
  ['risen', 'fallen'],
  ['rise', 'fall'],
  ['increased', 'decreased'],
  ['increase', 'decrease'],
  ['grew', 'shrank'],
  ['up from', 'down from'],
  ['up by', 'down by'],
  ['more than', 'less than'],
  ['higher than', 'lower than'],
  ['longer than', 'shorter than'],
  ['above', 'below'],
  ['höchsten', 'niedrigsten'],
  ['höchste', 'niedrigste'],
  ['größten', 'kleinsten'],
  ['größte', 'kleinste'],
  ['meisten', 'wenigsten'],
  ['mehr als', 'weniger als'],
  ['stieg', 'sank'],
  ['fiel', 'stieg'],
  ['gestiegen', 'gesunken'],
]
const CONTRARY = new Map([
  ...CONTRARIES.map(([one, other]) => [other, one] as const),
  ...CONTRARIES.map(pair => pair),
  ['fewer than', 'more than'] as const,
  ['gained', 'lost'] as const,
  ['ahead of', 'behind'] as const,
])
/**
 * Matches claims of order and change. "Most frequent", "most often" and "most of" rank by another word. Rain that fell on a day is no change.
 */
const CLAIM = new RegExp(
  `(?<!\\p{L}|at )(?:${[...CONTRARY.keys()].join('|')})(?!\\p{L}|(?<=fell|fall|fallen|fiel) (?:on|between|within|that day|nur)(?!\\p{L})|(?<=most|least) (?:\\p{L}+(?:ed|ent|able|ible|ive|ic|al|ant|ful|ous|ly)|common|often|of|popular|severe|punctual)(?!\\p{L}))`,
  'gu',
)
/** Matches a plural noun after "most". "The most orders" and "costs the most" have different opposites. */
const OF_THINGS = /^\s(?:\p{L}+\s)?\p{L}+s(?!\p{L})/u

/** Matches words before a claim that make its opposite possibly true, as in "does not rise". */
const OPEN_CLAIM = /(?<!\p{L})(?:not?|never|none|nothing|kein\p{L}*|nicht)\s(?:\S+\s){0,3}$/iu

function isOpen({ answer }: CitationCase, { start, end }: Span): boolean {
  return OPEN_CLAIM.test(answer.slice(Math.max(0, start - 40), start)) || /^ (?:all|off)(?!\p{L})/u.test(answer.slice(end))
}

function turned(given: CitationCase, span: Span): Alteration {
  const isOfThings = OF_THINGS.test(given.answer.slice(span.end))
  const contrary = span.text === 'most' && !isOfThings ? 'least' : CONTRARY.get(span.text)
  return replaced(given, 'claim turned', span, contrary ?? span.text)
}

/**
 * Whether a claim may be altered. In an answer with workings, only claims in a sentence with a working may, because the others cannot be computed.
 */
function isWorked({ answer }: CitationCase, { start, end }: Span): boolean {
  if (!answer.includes('{=')) return true
  const line = lineOf(answer, start)
  if (line.text.startsWith('|')) return false
  const before =
    answer
      .slice(line.start, start)
      .split(/\[Q[\d, Q]+\]\.?\s|(?<=\p{L}{3}|\})[.!?]\s/u)
      .at(-1) ?? ''
  const behind = answer.slice(end, line.end).split(/(?<=\[Q[\d, Q]+\])\.?\s/)[0] ?? ''
  return `${before}${behind}`.includes('{=')
}

const MONTH = '(?:Jan|Feb|Mar|Mär|Apr|May|Mai|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez)\\p{L}*\\.?'
const DATE = new RegExp(
  `\\d{4}-\\d{2}-\\d{2}|(?<!\\d)\\d{1,2}:\\d{2}|(?<!\\d)\\d{1,2}(?:\\.|st|nd|rd|th)? ${MONTH}(?!\\p{L})|(?<!\\p{L})${MONTH} \\d{1,2}(?![\\d.,]\\d|\\d)`,
  'gu',
)
const FIGURE = /(?<![\p{L}\p{N}_.,:/-])\d+(?:[.,]\d{3})*(?:[.,]\d+)?(?![\p{N}_:]|[.,/-]\d)/gu
/** Matches words such as "about" or "at least" before a number. A slightly changed number may then still be right. */
const OPEN =
  /(?:over|under|more than|less than|at least|nearly|almost|gut|knapp|weniger als|about|around|roughly|rund)\s(?:EUR |[$€])?$/i

function figureSpans(given: CitationCase, taken: readonly Span[]): Span[] {
  const conditions = new Set(
    `${given.question} ${given.queries.map(query => `${query.question} ${query.sql}`).join(' ')}`.match(/\d+(?:[.,]\d+)*/g),
  )
  return spansOf(given.answer, FIGURE).filter(span => {
    const line = lineOf(given.answer, span.start)
    if (overlaps(span, taken) || conditions.has(span.text)) return false
    // A year is a part of a date, and is not changed alone.
    if (/^(?:19|20)\d\d$/.test(span.text)) return false
    if (/^\s*\d+[.)]\s/.test(line.text) && span.start === line.start) return false
    if (
      /\|\s*$/.test(given.answer.slice(line.start, span.start)) &&
      /^\s*\|\s*#/.test(tableHeader(given.answer, span.start)) &&
      given.answer.slice(line.start, span.start).trim() === '|'
    )
      return false
    return !OPEN.test(given.answer.slice(0, span.start)) && !/^s\b/.test(given.answer.slice(span.end))
  })
}

function tableHeader(answer: string, at: number): string {
  const lines = answer.slice(0, at).split('\n')
  let index = lines.length - 1
  while (index > 0 && lines[index - 1]?.startsWith('|')) index--
  return lines[index] ?? ''
}

function lineOf(answer: string, at: number): Span {
  const start = answer.lastIndexOf('\n', at - 1) + 1
  const end = answer.indexOf('\n', at)
  return { start, end: end < 0 ? answer.length : end, text: answer.slice(start, end < 0 ? undefined : end) }
}

function nameSpans(given: CitationCase): (Span & { query: QueryReport; column: number })[] {
  const spans: (Span & { query: QueryReport; column: number })[] = []
  for (const query of given.queries) {
    query.columns.forEach((column, index) => {
      if (!/String/.test(column.type)) return
      const values = [...new Set(query.rows.map(row => row[index]))]
        .filter(value => typeof value === 'string' && value.length > 2 && value.length < 60)
        .sort((one, other) => String(other).length - String(one).length)
      for (const value of values) {
        for (let at = given.answer.indexOf(String(value)); at >= 0; at = given.answer.indexOf(String(value), at + 1)) {
          const span = { start: at, end: at + String(value).length, text: String(value), query, column: index }
          const around = `${given.answer[at - 1] ?? ' '}${given.answer[span.end] ?? ' '}`
          if (!/[\p{L}\p{N}]/u.test(around) && !overlaps(span, spans)) spans.push(span)
        }
      }
    })
  }
  return spans
}

function alteredFigure(given: CitationCase, span: Span | undefined, random: () => number): Alteration | undefined {
  if (span === undefined) return undefined
  const digits = span.text.replace(/\D/g, '')
  const value = BigInt(digits)
  const share = BigInt(Math.round((0.01 + 0.04 * random()) * 10_000))
  const step = (value * share + 5_000n) / 10_000n
  const change = step > 0n ? step : 1n
  const altered = random() < 0.5 && value > change ? value - change : value + change
  const text = altered.toString().padStart(digits.length, '0')
  if (text.length !== digits.length) return undefined
  let at = 0
  return replaced(
    given,
    'figure',
    span,
    span.text.replace(/\d/g, () => text[at++] ?? ''),
  )
}

function alteredDate(given: CitationCase, span: Span | undefined, random: () => number): Alteration | undefined {
  if (span === undefined) return undefined
  const change = random() < 0.5 ? 1 : 2
  const text = span.text.includes(':')
    ? span.text.replace(/\d{2}$/, minutes => String((Number(minutes) + change * 7) % 60).padStart(2, '0'))
    : span.text.replace(/\d{1,2}(?!.*\d)/, day => String((Number(day) % 28) + change).padStart(day.length, '0'))
  return replaced(given, 'date', span, text)
}

function swapped(given: CitationCase, figures: readonly Span[], random: () => number): Alteration | undefined {
  const one = pick(figures, random)
  if (one === undefined) return undefined
  const other = pick(
    figures.filter(candidate => candidate.text !== one.text && sameKind(given.answer, one, candidate)),
    random,
  )
  if (other === undefined) return undefined
  const [first, second] = one.start < other.start ? [one, other] : [other, one]
  const { answer } = given
  const text =
    answer.slice(0, first.start) + second.text + answer.slice(first.end, second.start) + first.text + answer.slice(second.end)
  return { kind: 'swap', answer: text, what: `${first.text} <> ${second.text}` }
}

/** Whether two figures have the same unit and are in the same sentence, or in the same column of a table or list. */
function sameKind(answer: string, one: Span, other: Span): boolean {
  const lines = [one, other].map(span => lineOf(answer, span.start))
  const [oneLine, otherLine] = lines
  if (oneLine === undefined || otherLine === undefined) return false
  const unit = (span: Span) =>
    `${/[$€]$/.exec(answer.slice(0, span.start))?.[0] ?? ''}${/^\s?(?:%|[mkM]?s\b|Mbit\/s|Gbit\/s|k\b|M\b)/.exec(answer.slice(span.end))?.[0] ?? ''}`
  if (unit(one) !== unit(other)) return false
  if (oneLine.start === otherLine.start)
    return (
      !oneLine.text.startsWith('|') &&
      !/[.!?]\s/.test(answer.slice(Math.min(one.end, other.end), Math.max(one.start, other.start)))
    )
  const place = (line: Span, span: Span) =>
    `${line.text.slice(0, 2)}${line.text.slice(0, span.start - line.start).split(/\||\d[\d.,]*/).length}`
  return /^\s*[|-]/.test(oneLine.text) && place(oneLine, one) === place(otherLine, other)
}

function exchanged(
  given: CitationCase,
  span: (Span & { query: QueryReport; column: number }) | undefined,
  figures: readonly Span[],
  random: () => number,
): Alteration | undefined {
  if (span === undefined || given.question.includes(span.text)) return undefined
  const line = lineOf(given.answer, span.start)
  if (!figures.some(figure => figure.start >= line.start && figure.end <= line.end)) return undefined
  const own = span.query.rows.filter(row => row[span.column] === span.text).flat()
  const numbers = new Set(own.filter(cell => cell !== span.text).map(String))
  const others = span.query.rows.filter(
    row =>
      row[span.column] !== span.text &&
      row[span.column] !== null &&
      !row.some((cell, index) => index !== span.column && numbers.has(String(cell))),
  )
  const other = pick(others, random)?.[span.column]
  if (typeof other !== 'string' || other === '') return undefined
  return replaced(given, 'name exchanged', span, other)
}

/** Returns pairs of neighbouring names from the same result column. Their line must have several workings that cite single cells. */
function namePairs({ answer }: CitationCase, names: readonly (Span & { query: QueryReport; column: number })[]) {
  const sorted = [...names].sort((one, other) => one.start - other.start)
  return sorted.flatMap((one, at) => {
    const line = lineOf(answer, one.start)
    const isOf = (name: Span) => name.start >= line.start && name.end <= line.end
    const other = sorted[at + 1]
    if (other === undefined || !isOf(other) || one.query !== other.query || one.column !== other.column) return []
    const own = sorted.filter(isOf)
    const isOnce = [one, other].every(name => own.filter(({ text }) => text === name.text).length === 1)
    const cells = answer.slice(line.start, line.end).match(/\{= ?[\w.]+\[[^\]]*\]\}/g) ?? []
    return isOnce && one.text !== other.text && cells.length > 1 ? [[one, other] as const] : []
  })
}

function swappedNames({ answer }: CitationCase, [one, other]: readonly [Span, Span]): Alteration {
  const [before, between, behind] = [answer.slice(0, one.start), answer.slice(one.end, other.start), answer.slice(other.end)]
  return {
    kind: 'names swapped',
    answer: `${before}${other.text}${between}${one.text}${behind}`,
    what: `${one.text} and ${other.text}`,
  }
}

function invented(given: CitationCase, span: Span | undefined, random: () => number): Alteration | undefined {
  if (span === undefined || given.question.includes(span.text)) return undefined
  // A change in an ordinary lower-case word would only be a spelling mistake, not another name.
  if (/^\p{Ll}+$/u.test(span.text)) return undefined
  const places = [...span.text.matchAll(/[\p{L}\d]/gu)].map(match => match.index)
  const at = places[Math.floor(random() * (places.length - 1)) + 1] ?? 0
  const old = span.text[at] ?? ''
  const letters = /\d/.test(old) ? '0123456789' : 'bdfgklmnprstvz'
  const replacement = letters[Math.floor(random() * letters.length)] ?? ''
  if (replacement === old.toLowerCase()) return undefined
  return replaced(
    given,
    'name invented',
    span,
    span.text.slice(0, at) + (/\p{Lu}/u.test(old) ? replacement.toUpperCase() : replacement) + span.text.slice(at + 1),
  )
}

function replaced(given: CitationCase, kind: AlterationKind, span: Span, text: string): Alteration {
  return {
    kind,
    answer: given.answer.slice(0, span.start) + text + given.answer.slice(span.end),
    what: `${span.text} -> ${text}`,
  }
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(match => ({ start: match.index, end: match.index + match[0].length, text: match[0] }))
}

function overlaps(span: Span, others: readonly Span[]): boolean {
  return others.some(other => span.start < other.end && span.end > other.start)
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)]
}

/** Returns a generator of random numbers with a seed, so that runs can be repeated. The algorithm is mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
