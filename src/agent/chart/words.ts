import { namedUnit } from '../../answer-check/figures/units.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { type ChartWords, chartWords } from '../../words/chart.ts'
import type { Language } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'

/** The symbols of units, by the last word of a column's name, such as `ms` in `rtt_ms`. */
const UNITS: Readonly<Record<string, string>> = {
  ns: 'ns',
  nanoseconds: 'ns',
  us: 'µs',
  usec: 'µs',
  microseconds: 'µs',
  ms: 'ms',
  msec: 'ms',
  milliseconds: 'ms',
  s: 's',
  sec: 's',
  secs: 's',
  seconds: 's',
  min: 'min',
  minutes: 'min',
  h: 'h',
  hours: 'h',
  days: 'days',
  weeks: 'weeks',
  pct: '%',
  percent: '%',
  percentage: '%',
  bps: 'bit/s',
  kbps: 'kbit/s',
  mbps: 'Mbit/s',
  gbps: 'Gbit/s',
  tbps: 'Tbit/s',
  bits: 'bit',
  bytes: 'B',
  kb: 'kB',
  mb: 'MB',
  gb: 'GB',
  tb: 'TB',
  kib: 'KiB',
  mib: 'MiB',
  gib: 'GiB',
  tib: 'TiB',
  sol: 'SOL',
  lamports: 'lamports',
  usd: '$',
  eur: '€',
  gbp: '£',
  chf: 'CHF',
  cents: 'cents',
  km: 'km',
  kg: 'kg',
  kw: 'kW',
  mw: 'MW',
  gw: 'GW',
  wh: 'Wh',
  kwh: 'kWh',
  mwh: 'MWh',
}

/** The symbols of units that take two words in a column's name, such as `mbit_s`. */
const RATES: Readonly<Record<string, string>> = {
  'bit s': 'bit/s',
  'bits s': 'bit/s',
  'kbit s': 'kbit/s',
  'mbit s': 'Mbit/s',
  'gbit s': 'Gbit/s',
  'tbit s': 'Tbit/s',
  'bytes s': 'B/s',
  'kb s': 'kB/s',
  'mb s': 'MB/s',
  'gb s': 'GB/s',
}

/** A column's name in words, and its unit. The unit is empty if it is uncertain. */
export interface ColumnWords {
  readonly name: string
  readonly unit: string
}

/**
 * Splits a column's name into words and unit: `p95_rtt_ms` gives "p95 rtt" and "ms". The name of a ratio, such as `eur_per_mwh`,
 * is not split.
 */
export function columnWords(column: string): ColumnWords {
  const words = onOneLine(column, AGENT_LIMITS.chart.readCharacters)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[_\s]+/)
    .filter(word => word !== '')
  const isNamed = words.length > 1 && !words.includes('per') && namedUnit(column) !== undefined
  const last = (count: number) => (isNamed ? words.slice(-count).join(' ').toLowerCase() : '')
  const rate = RATES[last(2)]
  const unit = rate ?? UNITS[last(1)]
  const inUnit = rate !== undefined ? 2 : unit !== undefined ? 1 : 0
  const name = words.slice(0, words.length - inUnit).join(' ') || words.join(' ')
  return { name: onOneLine(name, AGENT_LIMITS.chart.nameCharacters), unit: unit ?? '' }
}

/** Returns a cell as a label of one line. Undefined if the cell is a list or a map. */
export function labelOf(cell: Cell | undefined, language: Language): string | undefined {
  const { none, empty } = chartWords(language)
  if (cell === undefined || (typeof cell === 'object' && cell !== null)) return undefined
  if (cell === null) return none
  return onOneLine(String(cell).slice(0, AGENT_LIMITS.chart.readCharacters), AGENT_LIMITS.chart.labelCharacters) || empty
}

/**
 * Matches the name of a period, such as `hour`. For such a column, a chart's title says "by hour". For other columns of times,
 * such as `measured_at`, it says "over time".
 */
const PERIOD =
  /^(?:(?:second|minute|hour|day|date|week|month|quarter|year)s?|sekunde|minute|stunde|tag|datum|woche|monat|quartal|jahr)$/i

export function titleOf(
  values: readonly string[],
  label: string,
  options: { readonly isOverTime: boolean; readonly split?: string; readonly language: Language },
): string {
  const { isOverTime, split, language } = options
  const words = chartWords(language)
  const named = inWords(values, words)
  const isPlain = isOverTime && !PERIOD.test(label)
  const parts = [...(isPlain ? [] : [label]), ...(split === undefined ? [] : [split])]
  const subject = isPlain ? words.overTime(named) : named
  const title = parts.length === 0 ? subject : words.by(subject, inWords(parts, words))
  return title.charAt(0).toUpperCase() + title.slice(1)
}

function inWords(names: readonly string[], { and }: ChartWords): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${and} ${names.at(-1)}`
}
