import type { Language } from '../words/language.ts'

/** Units for which a large number is written with a prefix: 1,200,000 B becomes 1.2 MB. */
const SCALED = new Set(['B', 'bit', 'bit/s', 'Wh', 'W'])
const SCALES: readonly (readonly [number, string])[] = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]
/** Units that English writes before the number. */
const BEFORE = new Set(['$', '€', '£'])
/** Numbers of at least this size are shortened, such as "12.5M", because all their digits would not fit. */
const LONG = 1e7

/** Writes a number and its unit in short form: "1,234 ms", "$12.5M", "99.98 %"; in German "1.234 ms", "12,5 Mio. $", "99,98 %". */
export function valueText(value: number, unit: string, language: Language = 'en'): string {
  const scale = SCALED.has(unit) ? SCALES.find(([size]) => Math.abs(value) >= size) : undefined
  if (scale !== undefined) return `${digits(value / scale[0], language)} ${scale[1]}${unit}`
  const text = Math.abs(value) >= LONG ? compact(value, language) : digits(value, language)
  if (language === 'en' && BEFORE.has(unit)) return text.startsWith('-') ? `-${unit}${text.slice(1)}` : `${unit}${text}`
  return unit === '' ? text : `${text} ${unit}`
}

/** Writes a number with four significant digits: 12.345 becomes 12.35. Digits before the decimal point are never rounded. */
function digits(value: number, language: Language): string {
  const size = Math.abs(value)
  if (size !== 0 && size < 1e-4) return value.toExponential(2)
  const decimals = size >= 1_000 || size === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(size)))
  return value.toLocaleString(language, { maximumFractionDigits: Math.min(decimals, 6) })
}

function compact(value: number, language: Language): string {
  if (Math.abs(value) >= 1e15) return value.toExponential(2)
  return value.toLocaleString(language, { notation: 'compact', maximumSignificantDigits: 4 })
}

/** Writes a row count in short form: "999,999", "1.23M"; in German "999.999", "1,23 Mio.". */
export function countText(count: number, language: Language = 'en'): string {
  return count < 1e6
    ? digits(count, language)
    : count.toLocaleString(language, { notation: 'compact', maximumSignificantDigits: 3 })
}
