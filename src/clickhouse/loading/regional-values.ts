import { sqlLiteral } from '../../warehouse/sql/plain-text.ts'

export type RegionalKind = 'number' | 'date'

/** A way in which a region writes numbers or dates. */
export interface Convention {
  /** Shows people the convention: `numbers like 1.234,50`. */
  readonly form: string
  /** The decimal sign of numbers. */
  readonly decimal?: ',' | '.'
  /** Returns the SQL that brings a text into a form from which `types` make values. */
  reading(text: string): string
  /**
   * Returns the types that a column of such values may have, the narrowest first. Each comes with the SQL that makes a value of a
   * reading, and NULL of a text that is not written so or that the type cannot hold. The last type holds all that the others do.
   */
  types(reading: string, text: string): readonly (readonly [type: string, sql: string])[]
}

/** The first and the last year that a date may have. */
export const DATE_YEARS = [1900, 2298] as const

const SPACES = ' \u00a0\u202f'
const APOSTROPHES = "'\u2019"

/** @param thousands the sign between thousands, where that is neither a space nor an apostrophe */
function numberPattern(thousands: ',' | '.', decimal: ',' | '.'): string {
  const groups = [thousands, SPACES, APOSTROPHES].map(signs => `([${signs}][0-9]{3})+`).join('|')
  // No zero stands before thousands: `0,125` is a fraction.
  return `[-+]?([0-9]+|[1-9][0-9]{0,2}(${groups}))([${decimal}][0-9]+)?([eE][-+]?[0-9]+)?`
}

function numbers(form: string, thousands: ',' | '.', decimal: ',' | '.'): Convention {
  const pattern = sqlLiteral(`^${numberPattern(thousands, decimal)}$`)
  const signs = sqlLiteral(`[${thousands}${SPACES}${APOSTROPHES}]`)
  return {
    form,
    decimal,
    reading: text => `if(match(${text}, ${pattern}), replaceOne(replaceRegexpAll(${text}, ${signs}, ''), '${decimal}', '.'), '')`,
    types: reading => [
      ['Int64', `toInt64OrNull(${reading})`],
      ['Float64', `if(isFinite(toFloat64OrNull(${reading})), toFloat64OrNull(${reading}), NULL)`],
    ],
  }
}

const TIMES = ['', ' %k:%i', ' %k:%i:%s', ' %l:%i %p', ' %l:%i:%s %p']

/** @param date the date in the letters of the engine's `parseDateTime`, with slashes where the texts may have hyphens too */
function dates(form: string, date: string): Convention {
  return {
    form,
    reading(text) {
      const slashed = date.includes('/') ? `replaceAll(${text}, '-', '/')` : text
      return `coalesce(${TIMES.map(time => `parseDateTime64OrNull(${slashed}, '${date}${time}')`).join(', ')})`
    },
    types(reading, text) {
      const within = (from: number, to: number) => `toYear(${reading}) BETWEEN ${from} AND ${to}`
      const isDay = `position(${text}, ':') = 0`
      // The ranges of the types (https://clickhouse.com/docs/sql-reference/data-types), cut to whole years.
      return [
        ['Date', `if(${isDay} AND ${within(1970, 2148)}, toDate(${reading}), NULL)`],
        ['Date32', `if(${isDay} AND ${within(...DATE_YEARS)}, toDate32(${reading}), NULL)`],
        ['DateTime', `if(${within(1970, 2105)}, toDateTime(${reading}), NULL)`],
        ['DateTime64(0)', `if(${within(...DATE_YEARS)}, toDateTime64(${reading}, 0), NULL)`],
      ]
    },
  }
}

export const CONVENTIONS: Readonly<Record<RegionalKind, readonly Convention[]>> = {
  number: [numbers('1.234,50', '.', ','), numbers('1,234.50', ',', '.')],
  date: [dates('dd.mm.yyyy', '%e.%c.%Y'), dates('dd/mm/yyyy', '%e/%c/%Y'), dates('mm/dd/yyyy', '%c/%e/%Y')],
}

/** Matches a number of either convention. */
export const REGIONAL_NUMBER = `^(${numberPattern('.', ',')}|${numberPattern(',', '.')})$`
/** Matches values that look like a date of some region, also those that no convention reads. */
export const REGIONAL_DATE = `^[0-9]{1,2}(${['.', '/', '-'].map(sign => `[${sign}][0-9]{1,2}[${sign}]`).join('|')})([0-9]{4}|[0-9]{2})( .*)?$`
/** Matches groups of digits that may be a code or an address as well as a number. */
export const DIGIT_GROUPS = `^[0-9]{1,3}([.,${SPACES}${APOSTROPHES}][0-9]{3})+$`
