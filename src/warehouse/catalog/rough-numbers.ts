import { catalogWords } from '../../words/catalog.ts'
import { type Language, numberText } from '../../words/language.ts'

/**
 * Rounds a number to two significant digits for a prompt: 1234567 becomes "about 1.2 million". The exact row count would change
 * each minute, and a single changed byte makes the provider's prompt cache useless.
 */
export function roughCount(count: number, language: Language = 'en'): string {
  if (count < 20) return String(count)
  const { about, units } = catalogWords(language)
  const magnitude = 10 ** (Math.floor(Math.log10(count)) - 1)
  const rounded = Math.round(count / magnitude) * magnitude
  if (rounded >= 1_000_000_000) return about(`${trim(rounded / 1_000_000_000, language)} ${units.billion}`)
  if (rounded >= 1_000_000) return about(`${trim(rounded / 1_000_000, language)} ${units.million}`)
  return about(numberText(rounded, language))
}

/**
 * Writes a share between 0 and 1 as a percentage: 0.256 becomes "26 %". Below 0.01 it becomes "under 1 %", above 0.99 "over 99
 * %", and exactly 1 "always".
 */
export function roughShare(share: number, language: Language = 'en'): string {
  const words = catalogWords(language)
  if (share === 1) return words.always
  if (share < 0.01) return words.under('1 %')
  return share > 0.99 ? words.over('99 %') : `${Math.round(share * 100)} %`
}

/** Writes a range of times. A range of more than two days is given in days, a shorter one in minutes. */
export function timeRange(min: string, max: string, language: Language = 'en'): string {
  const [from, to] = [Date.parse(`${min.slice(0, 10)}Z`), Date.parse(`${max.slice(0, 10)}Z`)]
  const length = to - from > 2 * 86_400_000 ? 10 : 16
  const [first, last] = [min.slice(0, length), max.slice(0, length)]
  const { alwaysThe, range } = catalogWords(language)
  return first === last ? alwaysThe(first) : range(first, last)
}

/** Writes a range of numbers. Fractions are rounded to three significant digits, or to whole numbers from 100 on. */
export function numberRange(min: string, max: string, language: Language = 'en'): string {
  const { alwaysThe, range } = catalogWords(language)
  return min === max ? alwaysThe(roughNumber(min)) : range(roughNumber(min), roughNumber(max))
}

function roughNumber(value: string): string {
  if (!/[.e]/.test(value)) return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return Math.abs(number) >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)))
}

function trim(value: number, language: Language): string {
  return numberText(Number(value.toFixed(1)), language)
}
