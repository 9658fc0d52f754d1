import { namedUnit, writtenUnit } from '../figures/units.ts'
import { FUNCTION_WORDS } from '../figures/wording.ts'
import { isSame, ofWord } from '../rows/column-words.ts'
import { nameWords } from '../rows/key-name.ts'
import type { NumberColumn } from '../rows/result-index.ts'
import { ratioOf } from '../workings/difference.ts'
import type { Around, WorkedFigure } from '../workings/worked-figure.ts'
import type { WorkedPart } from '../workings/worked-part.ts'
import { clauseAt } from './clauses.ts'

const PART_OF =
  /(?:ed|ing|en)$|^(?:not|no|new|net|open|late|lost|change|delta|diff|gain|growth|over|under|out|below|above|min|max|un\p{L}+|with|without)$/u

/**
 * Reports a figure whose words name another column than its working reads: "1,204 customers {= orders[1]}", "1,985 trains {= trains_2025[3]} in
 * 2026", "12 per contract {= hours[1] / doctors[1]}".
 */
export function wrongColumn(each: WorkedFigure, around: Around): string | undefined {
  const { figure, parts } = each
  const numbers = around.results.find(({ id }) => id === parts[0]?.query)?.numbers.filter(({ key }) => !key) ?? []
  const own = parts.length > 1 ? undefined : columnOf(parts, numbers)
  const other = own === undefined ? wrongDivisor(each, around, numbers) : otherColumn(each, own, around, numbers)
  return other && `${figure.text} is ${(own ?? columnOf(parts.slice(-1), numbers))?.name}, not ${other}`
}

/** Returns the only column that parts of a working read. */
function columnOf(parts: readonly WorkedPart[], numbers: readonly NumberColumn[]): NumberColumn | undefined {
  const [column = '', ...others] = new Set(parts.map(part => part.column?.toLowerCase()))
  return others.length > 0 ? undefined : numbers.find(({ name }) => name.toLowerCase() === column)
}

function otherColumn(
  each: WorkedFigure,
  own: NumberColumn,
  around: Around,
  numbers: readonly NumberColumn[],
): string | undefined {
  const { figure } = each
  const { text } = around.parsed
  const { start, end } = clauseAt(figure, text)
  const before = text.slice(Math.max(start, around.before?.end ?? 0), figure.start)
  const words = wordsIn(`${before}${text.slice(figure.start, Math.min(end, around.behind?.start ?? end))}`)
  // A state may follow a verb: "203 are active".
  const [noun] = contentWords(
    /^(?:\s(?:is|are|was|were|ist|sind|war|waren|wurden?))?\s\p{L}{3,}/u.exec(text.slice(figure.end, figure.end + 40))?.[0] ?? '',
  )
  // "120 ms" is no cell of `users` where another column is in milliseconds.
  const { unit } = figure
  const isOfOther = unit !== undefined && unit.dimension !== 'part' && own.unit === undefined && own.whole
  const measured = numbers.find(column => column.unit?.dimension === unit?.dimension)
  if (isOfOther && noun === undefined && measured !== undefined) return measured.name
  // "5.69 mg/dL" is no cell of `glucose_mmol_per_l`.
  const measure = own.words[own.words.indexOf('per') - 1]
  const rate = /(?<![\p{L}µ])[\p{L}µ]{1,12}(?=\/\p{L})/u.exec(text.slice(figure.start, figure.end + 12))?.[0]
  if (rate !== undefined && measure !== undefined && writtenUnit(rate)?.dimension !== namedUnit(measure)?.dimension)
    return `in ${rate}`
  // `scrapped` counts some of the column `heats`. So "18 heats {= scrapped[1]}" is right.
  const isPercent = own.unit?.dimension === 'part' && unit === undefined
  if (!isPercent && own.words.some(word => PART_OF.test(word))) return undefined
  const verb = /^(?:times|mal)$/.test(noun ?? '') ? wordsIn(/(?<!\p{L})\p{L}{3,30}\s$/u.exec(before)?.[0] ?? '') : []
  const other = [noun ?? '', ...verb].map(said => ofWord(said, numbers, own)).find(column => column !== undefined)
  const isOwn = !isPercent && own.words.some(word => words.some(written => isSame(written, word)))
  if (other !== undefined && !isOwn) return other.name
  const years = words.filter(word => /^(?:19|20)\d\d$/.test(word))
  const year = years.find(one => numbers.some(column => column.words.includes(one)))
  const isOfYear = year !== undefined && own.words.some(word => /^(?:19|20)\d\d$/.test(word) && !years.includes(word))
  return isOfYear ? `that of ${year}` : undefined
}

/** Returns another column that the words of a share or rate name: "42 % {= 100 * sold[5] / sum(sold)} of the returned pieces", "12 per contract". */
function wrongDivisor(each: WorkedFigure, { parsed: { text } }: Around, numbers: readonly NumberColumn[]): string | undefined {
  const { figure } = each
  const { one, other: divided } = ratioOf(each) ?? {}
  const divisor = columnOf(divided?.parts ?? [], numbers)
  if (divisor === undefined) return undefined
  const isOfSame = one?.parts.some(({ column }) => column?.toLowerCase() === divisor.name.toLowerCase())
  const isShare = figure.unit?.dimension === 'part' && divided?.parts.every(({ isCell }) => !isCell)
  const pattern = isOfSame
    ? /^\s(?:of|der|des|aller|vom)\s(?:the\s|all\s|den\s)?((?:\p{L}{1,30}\s?){1,3})/gu
    : /(?<!\p{L})(?:per|pro|je)\s(\p{L}{3,})/giu
  const place = isOfSame ? text.slice(figure.end, isShare ? figure.end + 60 : figure.end) : text
  const said = contentWords([...place.matchAll(pattern)].map(([, words]) => words).join(' '))
  // The "doctors" of `doctors_with_contract`.
  const own = nameWords(divisor.name.replace(/_(?:with|without|of|in|on|at|by|from|that|not|within|until)_[\s\S]*$/, ''))
  const isOwn = (word: string) => own.some(name => isSame(word, name))
  const named = (word: string) => {
    const column = ofWord(word, numbers)
    return isOfSame && !column?.words.includes(word) ? undefined : column
  }
  // The "failed" of "refunds that failed" tells the whole.
  const isState = (word: string) => Number(PART_OF.test(word))
  const told = said.sort((one, next) => isState(next) - isState(one)).find(word => isOwn(word) || named(word))
  const other = told === undefined || isOwn(told) ? undefined : named(told)
  return other?.unit?.dimension === 'part' ? undefined : other?.name
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
}

function contentWords(text: string): string[] {
  return wordsIn(text).filter(word => !FUNCTION_WORDS.has(word))
}
