import { textBefore } from '../text-before.ts'
import type { Figure, Reading, TextRange } from './figure.ts'
import { MULTIPLIERS } from './number-words.ts'
import { decimalMark } from './text-language.ts'
import { type Unit, writtenUnit } from './units.ts'

const NAMES = [...MULTIPLIERS.keys()].filter(name => name.length > 2).sort((one, other) => other.length - one.length)
/** Matches a multiplier behind a number: `k` and `mn` with or without a space, "million" behind one. */
const MULTIPLIER = new RegExp(
  `^\\s?(?:[KMBTkm]|[Bbmt]n)(?![\\p{L}\\p{N}/²³])|^\\s(?:${NAMES.join('|').replaceAll('.', '\\.')})(?!\\p{L})`,
  'u',
)
const UNIT = /^[\s\u00a0\u202f-]?(percentage points?|per cent|%|‰|[$€£]|[\p{L}µμ]+(?:\/[sh](?!\p{L}))?)/u

export function readWrittenNumber(
  text: string,
  match: RegExpExecArray,
  language: string,
): (Partial<Figure> & TextRange) | undefined {
  const [whole, signText, currency, body, exponent = 'e0'] = match
  if (body === undefined) return undefined
  const start = match.index
  const bare = text.slice(start + whole.length)
  const { multiplier, length } = multiplierAfter(bare)
  const end = start + whole.length + length
  const after = text.slice(end)
  const unit = unitAfter(after)
  const isWord = /^[\p{L}]/u.test(bare) || /^[:/_-][\p{L}\p{N}]/u.test(bare)
  if (isWord && length === 0 && !unit && !/^(?:(?:x|-fold|fach|st|nd|rd|th|s)(?!\p{L})|-\p{L})/u.test(after)) return undefined
  const scale = multiplier * 10 ** Number(exponent.slice(1))
  const readings = readingsOf(body, language).map(digits => reading(digits, scale))
  // "7M" may be bytes or millions, and "5 m" may be minutes, so the reading without a multiplier is kept too.
  const sign = signOf(signText, text.slice(0, start))
  const money = currency ? writtenUnit(currency.trim()) : undefined
  const ordinal =
    /^(?:st|nd|rd|th)(?!\p{L})/u.test(after) ||
    (/^\.(?:[\s,;)]|$)/u.test(after) &&
      /^\d{1,2}$/.test(body) &&
      /(?:am|im|beim|vom|zum|der|das|den|dem|des|ab|bis|,|und)\s$/iu.test(textBefore(text, start)))
  const found = unit?.unit ?? money
  return {
    start: signText !== undefined && sign === 0 ? start + signText.length : start,
    end: unit ? end + unit.length : end,
    readings,
    sign,
    ordinal,
    ...(found && { unit: found }),
  }
}

/** Returns the sign of a number. A dash before a space only separates, and a dash between words or figures joins them. */
function signOf(sign: string | undefined, before: string): 1 | -1 | 0 {
  if (sign === undefined || /[±]/.test(sign) || /^[-–]\s$/.test(sign) || /[\d\p{L})%]$/u.test(before)) return 0
  if (/\s$/.test(sign) && /[\d\p{L}]\s$/u.test(before)) return 0
  return /\+/.test(sign) ? 1 : -1
}

export function multiplierAfter(after: string): { multiplier: number; length: number } {
  const [written = ''] = MULTIPLIER.exec(after) ?? []
  return { multiplier: MULTIPLIERS.get(written.trim()) ?? 1, length: written.length }
}

export function unitAfter(after: string): { unit: Unit; length: number } | undefined {
  const match = UNIT.exec(after)
  const unit = match?.[1] === undefined ? undefined : writtenUnit(match[1])
  return unit && match ? { unit, length: match[0].length } : undefined
}

/** Returns the decimal numbers that a written number may stand for. */
function readingsOf(body: string, language: string): string[] {
  const plain = body.replace(/['’\u00a0\u202f ]/gu, '')
  const marks: string[] = plain.match(/[.,]/g) ?? []
  if (marks.length === 0) return [plain]
  const last = marks[marks.length - 1] ?? '.'
  const other = last === '.' ? ',' : '.'
  if (marks.includes(other)) return [plain.replaceAll(other, '').replace(last, '.')]
  const grouped = plain.replaceAll(last, '')
  if (marks.length > 1) return [grouped]
  const decimal = plain.replace(last, '.')
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(plain)) return [decimal]
  const mark = decimalMark(language)
  if (mark === undefined) return last === ',' ? [grouped, decimal] : [decimal, grouped]
  return [mark === last ? decimal : grouped]
}

function reading(digits: string, multiplier: number): Reading {
  const decimals = digits.split('.')[1]?.length ?? 0
  const zeros = decimals === 0 ? (/(?<!0)0*$/.exec(digits)?.[0].length ?? 0) : 0
  const significant = Math.min(zeros, digits.length - 1)
  return {
    value: Number(digits) * multiplier,
    digits,
    step: 10 ** -decimals * multiplier,
    looseStep: 10 ** (significant - decimals) * multiplier,
    multiplier,
  }
}
