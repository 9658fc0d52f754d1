import { memoizePerText } from '../../base/memoize.ts'
import { CHECK_LIMITS } from '../limits.ts'

/** A unit of measure. `factor` converts an amount to the base unit of the dimension: seconds, bits, lamports, or parts of one. */
export interface Unit {
  readonly dimension: 'time' | 'data' | 'energy' | 'power' | 'mass' | 'length' | 'volume' | 'speed' | 'stake' | 'part' | 'money'
  readonly factor: number
}

/** The prefixes of bits and bytes, from 1,000 upwards: a letter (`kB`) and a word (`kilobytes`). */
const PREFIXES: readonly (readonly [string, string])[] = [
  ['[kK]', '[kK]ilo'],
  ['M', '[mM]ega'],
  ['G', '[gG]iga'],
  ['T', '[tT]era'],
  ['P', '[pP]eta'],
]

const WRITTEN: readonly (readonly [RegExp, Unit['dimension'], number])[] = [
  [/^(?:ns|nanoseconds?)$/, 'time', 1e-9],
  [/^(?:us|µs|μs|[mM]icroseconds?|Mikrosekunden?)$/, 'time', 1e-6],
  [/^(?:ms|milliseconds?|millisekunden?)$/i, 'time', 1e-3],
  [/^(?:s|secs?|[sS]econd(?:e?s?|i)|[sS]egundos?|Sekunden?)$/, 'time', 1],
  [/^(?:min|mins|minutes?|minuten?|minutos?|minuti)$/i, 'time', 60],
  [/^(?:h|hrs?|[hH]ours?|Stunden?|Std|[hH]eures?|[hH]oras?|ore|uur)$/, 'time', 3600],
  [/^(?:d|[dD]ays?|Tage?n?|[jJ]ours?|d[ií]as?|giorni|dagen)$/, 'time', 86_400],
  [/^(?:weeks?|wochen?|semaines?|semanas?|settimane)$/i, 'time', 604_800],
  [/^(?:m\/s)$/, 'speed', 1],
  [/^(?:km\/h)$/, 'speed', 1 / 3.6],
  [/^(?:mg)$/, 'mass', 1e-6],
  [/^(?:g|grams?|Gramm)$/, 'mass', 1e-3],
  [/^(?:kg|kilos?|kilograms?|Kilogramm)$/, 'mass', 1],
  [/^(?:t|tons?|tonnes?|Tonnen?)$/, 'mass', 1e3],
  [/^(?:mm)$/, 'length', 1e-3],
  [/^(?:cm)$/, 'length', 1e-2],
  [/^(?:km|kilomet(?:er|re)s?|Kilometern?)$/, 'length', 1e3],
  [/^(?:miles?|Meilen?)$/, 'length', 1609.344],
  [/^(?:l|lit(?:er|re)s?|Litern?)$/, 'volume', 1e-3],
  [/^(?:hl|hectolit(?:er|re)s?|Hektolitern?)$/, 'volume', 0.1],
  [/^(?:m³|m3)$/, 'volume', 1],
  [/^(?:kW)$/, 'power', 1e3],
  [/^(?:MW)$/, 'power', 1e6],
  [/^(?:GW)$/, 'power', 1e9],
  [/^(?:TWh)$/, 'energy', 1e12],
  [/^(?:CHF|PLN|BRL|JPY|SEK|DKK|NOK)$/, 'money', 1],
  [/^(?:bits?|bps|bits?\/s)$/, 'data', 1],
  [/^(?:bytes?|B|Bytes?)(?:\/s)?$/, 'data', 8],
  ...PREFIXES.flatMap(([letter, word], at) => [
    [new RegExp(`^(?:${letter}(?:bps|bits?(?:/s)?|b/s)|${word}bits?)$`), 'data', 1000 ** (at + 1)] as const,
    [new RegExp(`^(?:${letter}[Bo]|${word}bytes?)(?:/s)?$`), 'data', 8 * 1000 ** (at + 1)] as const,
    [new RegExp(`^${letter}iB(?:/s)?$`), 'data', 8 * 1024 ** (at + 1)] as const,
  ]),
  [/^Wh$/, 'energy', 1],
  [/^kWh$/i, 'energy', 1e3],
  [/^MWh$/, 'energy', 1e6],
  [/^GWh$/, 'energy', 1e9],
  [/^lamports?$/i, 'stake', 1],
  [/^SOL$/, 'stake', 1e9],
  [/^(?:%|percent|per cent|pct|prozent)$/i, 'part', 0.01],
  [/^(?:pp|ppt|percentage points?|prozentpunkten?|prozentpunkte)$/i, 'part', 0.01],
  [/^(?:‰)$/, 'part', 0.001],
  [/^(?:cents?|ct)$/i, 'money', 0.01],
  [/^(?:\$|€|£|usd|eur|gbp|euros?|dollars?)$/i, 'money', 1],
]

/** Reads the unit from the word or sign behind a number. */
export const writtenUnit = memoizePerText((word): Unit | undefined => {
  const known = WRITTEN.find(([pattern]) => pattern.test(word))
  return known && { dimension: known[1], factor: known[2] }
}, CHECK_LIMITS.wording.cachedWords)

const NAMED: readonly (readonly [RegExp, Unit['dimension'], number])[] = [
  // `hours_share_pct` is a share.
  [/(?:^|_)(?:percent|pct|percentage|prozent)$/, 'part', 0.01],
  [/(?:^|_)(?:eur|usd|gbp|chf|sek|nok|dkk|pln)$/, 'money', 1],
  // A price per unit of energy is an amount of money.
  [/(?:^|_)(?:eur|usd|gbp|chf|sek|nok|dkk|pln|cents?)(?:_per)?_(?:[kmg]?wh|kg|t|l|km|m2|m3)$/, 'money', 1],
  [/_ms$(?<=(?:wind|speed|velocity|gust)\w*_ms)|(?:^|_)m_s$/, 'speed', 1],
  [/(?:^|_)(?:kmh|km_h)$/, 'speed', 1 / 3.6],
  [/(?:^|_)g$/, 'mass', 1e-3],
  [/(?:^|_)kg$/, 'mass', 1],
  [/(?:^|_)(?:t|tons|tonnes)$/, 'mass', 1e3],
  [/(?:^|_)mm$/, 'length', 1e-3],
  [/(?:^|_)cm$/, 'length', 1e-2],
  [/(?:^|_)km$/, 'length', 1e3],
  [/(?:^|_)miles$/, 'length', 1609.344],
  // `oxygen_mg_l` is a concentration.
  [/(?:^|_)(?<!(?:^|_)[kmu]?g_)(?:l|lit(?:er|re)s?)$/, 'volume', 1e-3],
  [/(?:^|_)hl$/, 'volume', 0.1],
  [/(?:^|_)(?<!(?:^|_)[kmu]?g_)m3$/, 'volume', 1],
  [/(?:^|_)kw$/, 'power', 1e3],
  [/(?:^|_)mw$/, 'power', 1e6],
  [/(?:^|_)gw$/, 'power', 1e9],
  [/(?:^|_)(?:bps|bits?)(?:_|$)/, 'data', 1],
  ...PREFIXES.flatMap(([letter, word], at) => [
    [new RegExp(`(?:^|_)(?:${letter}(?:bps|bits?)|${word}bits?)(?:_|$)`, 'i'), 'data', 1000 ** (at + 1)] as const,
    [new RegExp(`(?:^|_)(?:${letter}b|${word}bytes?)$`, 'i'), 'data', 8 * 1000 ** (at + 1)] as const,
    [new RegExp(`(?:^|_)${letter}ib$`, 'i'), 'data', 8 * 1024 ** (at + 1)] as const,
  ]),
  [/(?:^|_)bytes(?:_|$)/, 'data', 8],
  [/(?:^|_)(?:ns|nanoseconds?)$/, 'time', 1e-9],
  [/(?:^|_)(?:us|usec|microseconds?)$/, 'time', 1e-6],
  [/(?:^|_)(?:ms|msec|millis|milliseconds?)$/, 'time', 1e-3],
  // A unit word may also stand inside a name: `mean_days_kept` is in days, but `min_price` is not in minutes.
  [/(?:^|_)(?:(?:s|secs?|seconds?|sekunden)(?:_ago)?$|seconds_(?!ago))/, 'time', 1],
  [/(?:^|_)(?:(?:min|minutes?|minuten)(?:_ago)?$|minutes_(?!ago))/, 'time', 60],
  [/(?:^|_)(?:(?:h|hours?|stunden)(?:_ago)?$|hours_(?!ago))/, 'time', 3600],
  [/(?:^|_)(?:(?:days?|tage)(?:_ago)?$|days_(?!ago))/, 'time', 86_400],
  [/(?:^|_)(?:(?:weeks?|wochen)(?:_ago)?$|weeks_(?!ago))/, 'time', 604_800],
  [/(?:^|_)wh$/, 'energy', 1],
  [/(?:^|_)kwh$/, 'energy', 1e3],
  [/(?:^|_)mwh$/, 'energy', 1e6],
  [/(?:^|_)lamports(?:_|$)/, 'stake', 1],
  [/(?:^|_)sol(?:_|$)/, 'stake', 1e9],
  [/(?:^|_)(?:percent|pct|percentage|prozent)(?:_|$)/, 'part', 0.01],
  [/(?:^|_)(?:ratio|fraction|rate|share|quote|anteil|probability)(?:_|$)/, 'part', 1],
  [/(?:^|_)cents(?:_|$)/, 'money', 0.01],
  [/(?:^|_)(?:usd|eur|gbp|chf|pln|brl|jpy|sek|dkk|nok|euro|dollars?)(?:_|$)/, 'money', 1],
]

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
  const numerator = name.replace(/_per_(?!second)[\s\S]*$/, '')
  const known = NAMED.find(([pattern]) => pattern.test(numerator))
  return known && { dimension: known[1], factor: known[2] }
}, CHECK_LIMITS.wording.cachedWords)
