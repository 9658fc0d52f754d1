import pg from 'pg'
import type { Cell } from '../../warehouse/warehouse.ts'

/** An array as the server writes it. NULL elements are null. */
export type ArrayText = readonly (string | null | ArrayText)[]

/** The OID of `text[]`, which the driver's types leave out. */
const TEXT_ARRAY: number = 1009
/** Parses an array in the server's spelling, such as `{1,NULL,"a,b",{…}}`. */
export const parseArray: (text: string) => ArrayText = pg.types.getTypeParser(TEXT_ARRAY as typeof pg.types.builtins.TEXT)

/**
 * Turns the values of one column from the server's text into cells, and names the column's ClickHouse type. Some types depend on
 * the values, so every value is observed before the first is turned into a cell.
 */
export interface ValueForm {
  observe(text: string): void
  /** The type of the observed values, without `Nullable`. */
  type(): string
  cell(text: string): Cell
}

/** Returns the type of values that may be NULL. ClickHouse has no `Nullable(Array(…))`. */
export function nullable(type: string): string {
  return type.startsWith('Array(') ? type : `Nullable(${type})`
}

/** Returns a form for types that do not depend on the values. */
export function fixedForm(type: string, cell: (text: string) => Cell = text => text): ValueForm {
  return { observe: () => undefined, type: () => type, cell }
}

/** Returns the cell of a float. JSON has no NaN and no infinity. */
export function floatCell(text: string): Cell {
  return Number.isFinite(Number(text)) ? Number(text) : text.toLowerCase().replace('infinity', 'inf')
}

/** The largest precisions of Decimal128 and Decimal256. */
const PRECISIONS = [38, 76] as const

/**
 * Returns the form of `numeric`. With a scale, the type is that of the column. Without one, it is the smallest that holds all
 * values. Values that no Decimal holds make the column a String.
 */
export function numericForm(declared: { readonly precision: number; readonly scale: number } | undefined): ValueForm {
  let integerDigits = 0
  let scale = 0
  let isDecimal = true
  const fitting = () => {
    if (!isDecimal) return undefined
    // `numeric(3, 5)` has fewer digits than places, and `numeric(3, -2)` is rounded to hundreds.
    const places = declared === undefined ? scale : Math.max(declared.scale, 0)
    const digits = declared === undefined ? integerDigits + scale : declared.precision - Math.min(declared.scale, 0)
    const precision = declared === undefined ? PRECISIONS.find(most => digits <= most) : Math.max(digits, places)
    return precision === undefined || precision > PRECISIONS[1] ? undefined : { precision, scale: places }
  }
  return {
    observe(text) {
      const digits = /^-?(\d+)(?:\.(\d+))?$/.exec(text)
      if (digits === null) isDecimal = false
      else {
        integerDigits = Math.max(integerDigits, digits[1]?.length ?? 0)
        scale = Math.max(scale, digits[2]?.length ?? 0)
      }
    },
    type() {
      const fit = fitting()
      return fit === undefined ? 'String' : `Decimal(${fit.precision}, ${fit.scale})`
    },
    cell: text => (fitting() === undefined ? text : withoutTrailingZeros(text)),
  }
}

function withoutTrailingZeros(digits: string): string {
  if (!digits.includes('.')) return digits
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end)
}

/** The first and last years of ClickHouse's Date32 and DateTime64. */
const YEARS = { first: '1900', last: '2299' } as const

/** Returns the form of dates and times. Infinity and years that ClickHouse does not have make the column a String. */
export function timeForm(type: 'Date32' | 'DateTime64(6)' | "DateTime64(6, 'UTC')"): ValueForm {
  let isInRange = true
  return {
    observe(text) {
      const year = text.slice(0, 4)
      if (text[4] !== '-' || year < YEARS.first || year > YEARS.last || text.endsWith('BC')) isInRange = false
    },
    type: () => (isInRange ? type : 'String'),
    // The transaction's time zone is UTC, so every `timestamptz` ends with this offset.
    cell: text => (isInRange && text.endsWith('+00') ? text.slice(0, -3) : text),
  }
}

/**
 * Returns the form of arrays. The server's types do not tell the number of dimensions. If not all values have the same, the
 * column is a String.
 */
export function arrayForm(element: ValueForm): ValueForm {
  let depth: number | undefined
  let isEven = true
  const observeAll = (array: ArrayText, at: number) => {
    for (const item of array) {
      if (item !== null && typeof item !== 'string') {
        observeAll(item, at + 1)
        continue
      }
      depth ??= at
      if (depth !== at) isEven = false
      if (item !== null) element.observe(item)
    }
  }
  const cells = (array: ArrayText): readonly Cell[] =>
    array.map(item => (item === null ? null : typeof item === 'string' ? element.cell(item) : cells(item)))
  return {
    observe: text => observeAll(parseArray(text), 1),
    type() {
      if (!isEven) return 'String'
      const levels = depth ?? 1
      return `${'Array('.repeat(levels)}Nullable(${element.type()})${')'.repeat(levels)}`
    },
    cell: text => (isEven ? cells(parseArray(text)) : text),
  }
}
