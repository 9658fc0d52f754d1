import { answerWords } from '../../words/answer.ts'
import { type Language, numberText } from '../../words/language.ts'
import { CATALOG_ANSWER_LIMITS } from '../limits.ts'
import { onOneLine } from '../sql/plain-text.ts'
import type { CostEstimate } from './estimate.ts'

/** Writes a number of bytes, such as "1.2 TB". The units are decimal, as in ClickHouse. */
export function describeBytes(bytes: number, language: Language = 'en'): string {
  return inUnits(bytes, answerWords(language).bytes, language)
}

/** Writes a count: 4123456789 becomes "4.1 billion". Counts below 100,000 are exact. */
export function describeCount(count: number, language: Language = 'en'): string {
  return count < 100_000 ? numberText(Math.round(count), language) : inUnits(count, answerWords(language).counts, language)
}

/** Describes a cost, such as "about 1.2 TB (4.1 billion rows) of `events`". */
export function describeCost({ bytes, rows, tables, isCatalog }: CostEstimate, language: Language = 'en'): string {
  const words = answerWords(language)
  const names = tables.slice(0, CATALOG_ANSWER_LIMITS.costlyTables).map(({ table }) => tableAsCode(table))
  const more = tables.length - names.length
  const counted = describeCount(rows, language)
  return isCatalog ? words.readsAtMost(counted, names, more) : words.reads(describeBytes(bytes, language), counted, names, more)
}

/** Returns a table's name without its database, in backticks. */
export function tableAsCode(qualified: string): string {
  const name = qualified.slice(qualified.indexOf('.') + 1)
  return `\`${onOneLine(name, 60)}\``
}

function inUnits(value: number, units: readonly string[], language: Language): string {
  const steps = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  const scaled = value / 1000 ** steps
  const digits = scaled < 10 && steps > 0 ? Number(scaled.toFixed(1)) : Math.round(scaled)
  return `${numberText(digits, language)} ${units[steps] ?? ''}`.trim()
}
