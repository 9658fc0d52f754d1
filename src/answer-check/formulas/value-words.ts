import type { Language } from '../../words/language.ts'
import { decimalsOfRatio, styledNumber } from './number-style.ts'

/** Words for counts from zero. German has no word for 1 that fits every noun, so the figure stays. */
const COUNTS: Readonly<Record<Language, readonly string[]>> = {
  en: '0 one two three four five six seven eight nine ten eleven twelve'.split(' '),
  de: '0 1 zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' '),
}
const RATIOS: readonly (Readonly<Record<Language, string>> & { readonly value: number })[] = [
  { value: 0.25, en: 'a quarter', de: 'ein Viertel' },
  { value: 1 / 3, en: 'a third', de: 'ein Drittel' },
  { value: 0.5, en: 'half', de: 'halb' },
  { value: 2 / 3, en: 'two thirds', de: 'zwei Drittel' },
  { value: 0.75, en: 'three quarters', de: 'drei Viertel' },
  { value: 2, en: 'twice', de: 'doppelt' },
]
/** A word stands for a ratio that differs by at most this share. */
const TOLERANCE = 0.04

/** Writes a count up to twelve or a simple ratio in words, and any other value in digits. Capital at the beginning of a line. */
export function inWords(
  value: number,
  isRatio: boolean,
  { before, language }: { readonly before: string; readonly language: Language },
): string {
  const word = isRatio
    ? RATIOS.find(ratio => Math.abs(value - ratio.value) <= TOLERANCE * ratio.value)?.[language]
    : COUNTS[language][value]
  if (word === undefined) return styledNumber(String(value), { language, decimals: decimalsOfRatio(value), isTrimmed: true })
  return /^(?:\s|[-*+•>]|\d{1,3}[.)])*$/u.test(before) ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word
}
