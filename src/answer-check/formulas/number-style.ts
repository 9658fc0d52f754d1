import { groupedDigits, type Language } from '../../words/language.ts'

/** A number below this has no thousands separators. */
const GROUPED_FROM = 10_000
/** A number with more digits counts as computed, because stored numbers have fewer. */
const WRITTEN_DIGITS = 9
/** No number is written with more decimals. */
const MOST_DECIMALS = 9

/** How a number is written. */
export interface NumberStyle {
  readonly language: Language
  /** The decimals to write. Undefined keeps the decimals of the text. */
  readonly decimals?: number | undefined
  /** Zeros at the end of the decimals are left out. */
  readonly isTrimmed?: boolean
  /** True if even small numbers have thousands separators, as in a column with a large number. False for years and ids. */
  readonly isGrouped?: boolean | undefined
}

/**
 * Writes a number for people. A value that is not zero never becomes zero.
 * @param text the exact decimal text, or a number in JavaScript's form
 */
export function styledNumber(text: string, { language, decimals, isTrimmed = false, isGrouped }: NumberStyle): string {
  const value = Number(text)
  const least = value === 0 ? 0 : Math.min(MOST_DECIMALS, -Math.floor(Math.log10(Math.abs(value))))
  const isLost = decimals !== undefined && Number(value.toFixed(decimals)) === 0
  const fixed = decimals === undefined && !/e/i.test(text) ? text : value.toFixed(isLost ? least : (decimals ?? MOST_DECIMALS))
  const plain = isTrimmed && fixed.includes('.') ? fixed.replace(/0{1,30}$/, '').replace(/\.$/, '') : fixed
  const isLarge = isGrouped ?? Math.abs(value) >= GROUPED_FROM
  if (isLarge) return groupedDigits(plain, language)
  return language === 'de' ? plain.replace('.', ',') : plain
}

/** Returns the decimals that show a number to three digits: 2 for 1.234, 1 for 37.62, 0 for 123.4. */
export function decimalsToThreeDigits(value: number): number {
  return value === 0 ? 0 : Math.min(MOST_DECIMALS, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))))
}

/** Returns the decimals of a ratio or an average: 36.5, 2.8, 1.46, 0.091. */
export function decimalsOfRatio(value: number): number {
  const size = Math.abs(value)
  if (size >= 1) return size >= 1_000 ? 0 : size >= 2 ? 1 : 2
  return size === 0 ? 0 : Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(size)))
}

/** Returns the decimals that a number of the rows is shown with. Computed numbers have many digits, and are rounded. */
export function decimalsShown(text: string): number {
  const decimals = /^-?\d*\.(\d+)$/.exec(text)?.[1]?.length ?? 0
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  const isComputed = digits.length > WRITTEN_DIGITS || /e/i.test(text)
  return isComputed ? Math.min(decimals || MOST_DECIMALS, Math.max(2, decimalsToThreeDigits(Number(text)) + 1)) : decimals
}
