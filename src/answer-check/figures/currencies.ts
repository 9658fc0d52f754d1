import type { ResultIndex } from '../rows/result-index.ts'
import type { WorkedPart } from '../workings/worked-part.ts'
import type { TextRange } from './figure.ts'

/** The ISO 4217 codes that answers are likely to use. */
const CODES =
  'AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW MAD MXN MYR NGN NOK NZD PEN PHP PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR'.split(
    ' ',
  )
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...CODES.map(code => [code, [code.toLowerCase()]] as const),
  ...Object.entries({
    '€ euro': 'eur',
    '£ pound pfund': 'gbp egp',
    '$ dollar': 'usd cad aud nzd mxn sgd hkd twd clp cop ars',
    '¥': 'jpy cny',
    'franc franken': 'chf',
    yen: 'jpy',
  }).flatMap(([signs, codes]) => signs.split(' ').map(sign => [sign, codes.split(' ')] as const)),
])
const WORDS = /^[\s\u00a0\u202f](?:\p{L}+ions?\s|Millionen\s)?(euro|dollar|pound|pfund|franc|franken|yen)s?(?!\p{L})/iu
const SIGN = `[€£¥$]|${CODES.join('|')}`
const BEHIND = new RegExp(`^[\\s\\u00a0\\u202f]?(${SIGN})(?!\\p{L})`, 'u')
const BEFORE = new RegExp(`(?<![\\p{L}])(${SIGN})[\\s\\u00a0\\u202f]?[+−-]?$`, 'u')

/** Returns the currencies that the sign or code beside a number may mean. Undefined if none is written. */
function currenciesAt({ start, end }: TextRange, text: string): readonly string[] | undefined {
  const number = /^\D{0,3}[\d.,'’\u00a0\u202f ]*\d/u.exec(text.slice(start, end))?.[0] ?? text.slice(start, end)
  const written =
    /^[€£¥$]/u.exec(number)?.[0] ?? BEHIND.exec(text.slice(start + number.length))?.[1] ?? BEFORE.exec(text.slice(0, start))?.[1]
  const word = WORDS.exec(text.slice(start + number.length))?.[1]?.toLowerCase()
  return SIGNS.get(written ?? word ?? '')
}

/** Returns the currency of the figure's column or rows, if the text states another currency beside the figure. */
export function otherCurrency(
  figure: TextRange,
  text: string,
  parts: readonly Pick<WorkedPart, 'column' | 'rows' | 'query'>[],
  results: readonly ResultIndex[],
): string | undefined {
  const written = currenciesAt(figure, text)
  if (written === undefined) return undefined
  const named = parts.flatMap(({ column = '' }) => currencyOf(column.toLowerCase().split(/[^\p{L}\p{N}]+|_/u)) ?? [])
  if (named.length > 0) return new Set(named).size === 1 ? named.find(code => !written.includes(code))?.toUpperCase() : undefined
  return parts
    .flatMap(({ query, rows }) => {
      const result = results.find(({ id }) => id === query)
      return rows.flatMap(row => {
        const [code, ...others] = new Set(result?.rowNames(row).filter(name => CODES.includes(name)))
        return code === undefined || others.length > 0 ? [] : [code]
      })
    })
    .find(code => !written.includes(code.toLowerCase()))
}

function currencyOf(words: readonly string[]): string | undefined {
  return words.find(word => CODES.includes(word.toUpperCase()))
}

/** Returns the currency in a table's header or cell, if the columns have another currency. */
export function otherCurrencyOfHeader(header: string, columns: readonly string[]): string | undefined {
  const [written = ''] = new RegExp(`(?<!\\p{L})(?:${SIGN})(?!\\p{L})`, 'u').exec(header) ?? []
  const own = columns.map(column => currencyOf(column.toLowerCase().split(/[^\p{L}\p{N}]+|_/u)))
  const isOther = own.length > 0 && own.every(code => code !== undefined && SIGNS.get(written)?.includes(code) === false)
  return isOther ? own[0]?.toUpperCase() : undefined
}

/** Whether a currency code belongs to a number as its unit, such as "140 EUR" for a cell of `amount_eur`. */
export function isCurrencyOfFigure({ start, end }: TextRange, text: string, results: readonly ResultIndex[]): boolean {
  const code = text.slice(start, end)
  if (!CODES.includes(code)) return false
  if (!/\d[\s\u00a0\u202f]?$/u.test(text.slice(0, start)) && !/^[\s\u00a0\u202f]?[+−-]?\d/u.test(text.slice(end))) return false
  return results.some(({ numbers }) => numbers.some(({ words }) => words.includes(code.toLowerCase())))
}
