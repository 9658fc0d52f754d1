import { memoizePerText } from '../../base/memoize.ts'
import { CHECK_LIMITS } from '../limits.ts'

/** A unit of measure. `factor` converts an amount to the base unit of the dimension: seconds, bits, lamports, or parts of one. */
export interface Unit {
  readonly dimension: 'time' | 'data' | 'energy' | 'power' | 'mass' | 'length' | 'volume' | 'speed' | 'stake' | 'part' | 'money'
  readonly factor: number
}

/** Codes of currencies, as they stand in columns' names and behind amounts. */
const CURRENCIES = 'usd|eur|gbp|chf|pln|brl|jpy|sek|nok|dkk'
const PRICED = '(?:[kmg]?wh|kg|t|l|km|m2|m3)'

/**
 * Each unit with its words behind a number, its words at the end of a column's name, and those that may stand anywhere in a
 * name: `mean_days_kept` is in days, but `min_price` is not in minutes. The end of a name decides before its
 * other words. `[]` matches nothing.
 */
const UNITS: readonly (readonly [Unit['dimension'], number, written: string, last?: string, within?: string])[] = [
  // `hours_share_pct` is a share.
  ['part', 0.01, '%|percent|per cent|pct|prozent', '[]', 'percent|pct|percentage|prozent'],
  ['part', 0.01, 'pp|ppt|percentage points?|prozentpunkten?'],
  ['part', 0.001, '‰'],
  // A price per unit of energy is an amount of money.
  ['money', 1, `[$€£]|${CURRENCIES}|euros?|dollars?`, `(?:${CURRENCIES})_${PRICED}`, `${CURRENCIES}|euro|dollars?`],
  ['money', 0.01, 'cents?|ct', `cents?_${PRICED}`, 'cents'],
  ['speed', 1, 'm/s', 'm_s'],
  ['speed', 1 / 3.6, 'km/h', 'kmh|km_h'],
  ['mass', 1e-6, 'mg'],
  ['mass', 1e-3, 'g|grams?|gramm', 'g'],
  ['mass', 1, 'kg|kilos?|kilograms?|kilogramm', 'kg'],
  ['mass', 1e3, 't|tons?|tonnes?|tonnen', 't|tons|tonnes'],
  ['length', 1e-3, 'mm', 'mm'],
  ['length', 1e-2, 'cm', 'cm'],
  ['length', 1e3, 'km|kilomet(?:er|re)s?|kilometern', 'km'],
  ['length', 1609.344, 'miles?|meilen?', 'miles'],
  // `oxygen_mg_l` is a concentration.
  ['volume', 1e-3, 'l|lit(?:er|re)s?|litern', '(?<!(?:^|_)[kmu]?g_)(?:l|lit(?:er|re)s?)'],
  ['volume', 0.1, 'hl|hectolit(?:er|re)s?|hektolitern?', 'hl'],
  ['volume', 1, 'm³|m3', '(?<!(?:^|_)[kmu]?g_)m3'],
  ['power', 1e3, 'kW', 'kw'],
  ['power', 1e6, 'MW', 'mw'],
  ['power', 1e9, 'GW', 'gw'],
  ['energy', 1, 'Wh', 'wh'],
  ['energy', 1e3, 'kwh', 'kwh'],
  ['energy', 1e6, 'MWh', 'mwh'],
  ['energy', 1e9, 'GWh'],
  ['energy', 1e12, 'TWh'],
  ['data', 1, 'bits?(?:/s)?|bps', '[]', 'bps|bits?'],
  ['data', 8, '(?:bytes?|B)(?:/s)?', '[]', 'bytes'],
  ...['kilo', 'mega', 'giga', 'tera', 'peta'].flatMap((word, at): (typeof UNITS)[number][] => {
    const [small, letter] = [word.slice(0, 1), at === 0 ? '[kK]' : word.slice(0, 1).toUpperCase()]
    return [
      ['data', 1000 ** (at + 1), `${letter}(?:bps|bits?(?:/s)?|b/s)|${word}bits?`, '[]', `${small}(?:bps|bits?)|${word}bits?`],
      ['data', 8 * 1000 ** (at + 1), `(?:${letter}[Bo]|${word}bytes?)(?:/s)?`, `${small}b|${word}bytes?`],
      ['data', 8 * 1024 ** (at + 1), `${letter}iB(?:/s)?`, `${small}ib`],
    ]
  }),
  ['time', 1e-9, 'ns|nanoseconds?', 'ns|nanoseconds?'],
  ['time', 1e-6, 'us|[µμ]s|microseconds?|mikrosekunden?', 'us|usec|microseconds?'],
  ['time', 1e-3, 'ms|milliseconds?|millisekunden?', 'ms|msec|millis|milliseconds?'],
  ['time', 1, 's|secs?|second(?:e?s?|i)|segundos?|sekunden?', 's|secs?|second|sekunden', 'seconds'],
  ['time', 60, 'mins?|minutes?|minuten?|minutos?|minuti', 'min|minute|minuten', 'minutes'],
  ['time', 3600, 'h|hrs?|hours?|stunden?|Std|heures?|horas?|ore|uur', 'h|hour|stunden', 'hours'],
  ['time', 86_400, 'd|days?|Tage?n?|jours?|d[ií]as?|giorni|dagen', 'day|tage', 'days'],
  ['time', 604_800, 'weeks?|wochen?|semaines?|semanas?|settimane', 'week|wochen', 'weeks'],
  ['stake', 1, 'lamports?', '[]', 'lamports'],
  ['stake', 1e9, 'SOL', '[]', 'sol'],
  ['part', 1, '[]', '[]', 'ratio|fraction|rate|share|quote|anteil|probability'],
]

const READ = UNITS.map(([dimension, factor, written, last = '[]', within = '[]']) => ({
  unit: { dimension, factor },
  written: new RegExp(`^(?:${written})$`),
  last: new RegExp(`(?:^|_)(?:(?:${last})(?:_ago)?|(?:${within})(?:_ago|_s|_per_second)?)$`),
  within: new RegExp(`(?:^|_)(?:${within})_(?!ago)`),
}))

/** Reads the unit from the word or sign behind a number. */
export const writtenUnit = memoizePerText((word): Unit | undefined => {
  const words = [word, ...(word.length < 3 ? [] : [word.toLowerCase()])]
  return READ.find(({ written }) => words.some(each => written.test(each)))?.unit
}, CHECK_LIMITS.cachedWords)

/** Returns the unit in a column's name: `rtt_us`, `stake_lamports`, `loss_percent`. */
export const namedUnit = memoizePerText((column): Unit | undefined => {
  // `users_24_hours_ago` counts users and not hours, and `closed_within_7_days_pct` is a percentage. A number makes the unit behind it a period.
  const name = column
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/(?<!(?:^|_)[pq]\d{0,9})\d_?(?:s|min|minutes?|h|hours?|d|days?|w|weeks?)(?:_ago)?(?=_|$)/g, '')
  // `fee_min` is an amount of money per minute and `price_kwh` one per kWh. Neither is a time or an energy.
  if (
    /(?:^|_)(?:fee|price|cost|rate|charge|tariff|wage|rent)_(?:s|min|h|hour|day|week|month|[kmg]?wh|kg|t|l|km|m2|m3)$/.test(name)
  )
    return undefined
  // The unit of `eur_per_mwh` is money, and that of `bits_per_second` is data.
  const numerator = name
    .replace(/_per_(?!second)[\s\S]*$/, '')
    .replace(/_ms$/, /wind|speed|velocity|gust/.test(name) ? '_m_s' : '$&')
  return (READ.find(({ last }) => last.test(numerator)) ?? READ.find(({ within }) => within.test(numerator)))?.unit
}, CHECK_LIMITS.cachedWords)
