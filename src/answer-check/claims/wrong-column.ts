import { namedUnit, writtenUnit } from '../figures/units.ts'
import { FUNCTION_WORDS } from '../figures/wording.ts'
import { isSame, ofWord } from '../rows/column-words.ts'
import type { Around, WorkedFigure } from '../workings/worked-figure.ts'
import { clausesOf } from './clauses.ts'

/**
 * Reports a figure whose noun names another column than its working reads: "1,204 customers {= orders[1]}", "1,985 trains {= trains_2025[3]} in 2026".
 */
export function wrongColumn(
  { figure, parts }: WorkedFigure,
  { parsed: { text }, results, before, behind }: Around,
): string | undefined {
  const [part, ...rest] = parts
  const numbers = results.find(({ id }) => id === part?.query)?.numbers.filter(({ key }) => !key) ?? []
  const own = numbers.find(({ name }) => name.toLowerCase() === part?.column?.toLowerCase())
  if (own === undefined || rest.length > 0) return undefined
  const isPercent = own.unit?.dimension === 'part' && figure.unit === undefined && figure.word === undefined
  const clause = clausesOf(text).find(({ start, end }) => figure.start >= start && figure.end <= end)
  const from = Math.max(clause?.start ?? 0, before?.end ?? 0)
  const to = Math.min(clause?.end ?? text.length, behind?.start ?? text.length)
  const words = wordsIn(text.slice(from, to))
  // A state may follow a verb: "203 are active".
  const [noun] = contentWords(
    /^(?:\s(?:is|are|was|were|ist|sind|war|waren|wurden?))?\s\p{L}{3,}/u.exec(text.slice(figure.end, figure.end + 40))?.[0] ?? '',
  )
  // "120 ms" is no cell of `users` where another column is in milliseconds.
  const { unit } = figure
  const isOfOther = unit !== undefined && unit.dimension !== 'part' && own.unit === undefined && own.whole
  const measured = numbers.find(column => column.unit?.dimension === unit?.dimension)
  if (isOfOther && measured !== undefined && noun === undefined) return `${figure.text} is ${own.name}, not ${measured.name}`
  const verb = wordsIn(
    /(?<!\p{L})\p{L}{3,30}\s$/u.exec(text.slice(Math.max(from, figure.start - 40), figure.start))?.[0] ?? '',
  ).at(-1)
  if (isPercent && noun !== undefined && ofWord(noun, numbers, own) !== undefined)
    return `${figure.text} is ${own.name}, not ${noun}`
  // "5.69 mg/dL" is no cell of `glucose_mmol_per_l`.
  const measure = own.words[own.words.indexOf('per') - 1]
  const rate = /(?<![\p{L}µ])[\p{L}µ]{1,12}(?=\/\p{L})/u.exec(text.slice(figure.start, figure.end + 12))?.[0]
  if (rate !== undefined && measure !== undefined && writtenUnit(rate)?.dimension !== namedUnit(measure)?.dimension)
    return `${figure.text} is ${own.name}, not in ${rate}`
  // `scrapped` counts some of the column `heats`. So "18 heats {= scrapped[1]}" is right.
  if (own.words.some(word => PART_OF.test(word))) return undefined
  for (const said of [noun, noun !== undefined && isCount(noun) ? verb : undefined]) {
    const other = said === undefined ? undefined : ofWord(said, numbers, own)
    if (other === undefined) continue
    if (own.words.some(word => words.some(written => isSame(written, word)))) continue
    return `${figure.text} is ${own.name}, not ${other.name}`
  }
  const years = words.filter(word => /^(?:19|20)\d\d$/.test(word))
  const year = years.find(one => !own.words.includes(one) && numbers.some(column => column.words.includes(one)))
  const isOfYear = year !== undefined && own.words.some(word => /^(?:19|20)\d\d$/.test(word) && !years.includes(word))
  return isOfYear ? `${figure.text} is ${own.name}, not that of ${year}` : undefined
}

const PART_OF =
  /(?:ed|ing|en)$|^(?:not|no|new|net|open|late|lost|change|delta|diff|gain|growth|over|under|out|below|above|min|max|un\p{L}+|with|without)$/u

/** Reports a share whose words name another whole than its working: "42 % {= 100 * sold[5] / sum(sold)} of the returned pieces". */
export function wrongWholeOfShare(
  { figure, parts, expression }: WorkedFigure,
  { parsed: { text }, results }: Around,
): string | undefined {
  const [part] = parts
  const numbers = results.find(({ id }) => id === part?.query)?.numbers.filter(({ key }) => !key) ?? []
  const read = new Set(parts.flatMap(({ column }) => column?.toLowerCase() ?? []))
  const [own, ...others] = numbers.filter(({ name }) => read.has(name.toLowerCase()))
  if (
    own === undefined ||
    others.length > 0 ||
    figure.unit?.dimension !== 'part' ||
    !/\/\s*(?:[QE]\d+\.)?sum\([^()]*\)/i.test(expression)
  )
    return undefined
  const said =
    /^\s(?:of|der|des|aller|vom)\s(?:the\s|all\s|den\s)?((?:\p{L}{1,30}\s?){1,3})/u.exec(
      text.slice(figure.end, figure.end + 60),
    )?.[1] ?? ''
  // The "failed" of "refunds that failed" tells the whole.
  const isState = (word: string) => Number(PART_OF.test(word))
  for (const word of contentWords(said).sort((one, other) => isState(other) - isState(one))) {
    if (own.words.some(name => isSame(word, name))) return undefined
    const other = ofWord(word, numbers, own)
    if (other?.words.includes(word) && other.unit?.dimension !== 'part')
      return `${figure.text} is a share of ${own.name}, not of ${other.name}`
  }
  return undefined
}

function isCount(noun: string): boolean {
  return /^(?:times|mal)$/.test(noun)
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
}

function contentWords(text: string): string[] {
  return wordsIn(text).filter(word => !FUNCTION_WORDS.has(word))
}
