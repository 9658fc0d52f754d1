const NUMBER = new Intl.NumberFormat('en-US')
const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 2 })
const SMALL_MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 })
const UNITS = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000 }

export function count(value: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(value)} ${value === 1 ? one : many}`
}

export function number(value: number | null | undefined): string {
  return value == null ? '–' : NUMBER.format(value)
}

/** US dollars. Small sums keep two digits that are not zero. */
export function money(value: number | null | undefined): string {
  if (value == null) return '–'
  return (value === 0 || value >= 0.1 ? MONEY : SMALL_MONEY).format(value)
}

export function percent(share: number | undefined, digits = 0): string {
  return share === undefined ? '–' : `${(100 * share).toFixed(digits)} %`
}

export function duration(ms: number | null | undefined): string {
  if (ms == null) return '–'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

/** A length of time in its largest unit, such as `3 min`. */
export function ago(ms: number): string {
  const [unit, size] = Object.entries(UNITS).find(each => ms >= each[1]) ?? ['s', 1_000]
  return `${Math.floor(ms / size)} ${unit}`
}

/** A moment in the reader's time zone: the clock alone today, else the day too. */
export function moment(given: string | number | null, now = new Date()): string {
  if (given === null) return '–'
  const at = new Date(given)
  const clock = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (at.toDateString() === now.toDateString()) return clock
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })}, ${clock}`
}

/** A name of a program in words, such as `asked back`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ').toLowerCase()
}

const PLATFORMS: Readonly<Record<string, string>> = {
  slack: 'Slack',
  discord: 'Discord',
  terminal: 'terminal',
  http: 'HTTP',
}

/** A person or a channel in words, such as `root (terminal)`. */
export function nameInWords(name: string): string {
  const [platform = '', ...own] = name.split('/')
  const place = PLATFORMS[platform]
  return own.length === 0 || place === undefined ? name : `${own.join('/')} (${place})`
}

/** The codes of errors that do not speak for themselves. */
const ERRORS: Readonly<Record<string, string>> = {
  model_no_recording: 'no recorded answer',
  model_unavailable: 'model unreachable',
  model_rate_limited: 'model overloaded',
  model_timeout: 'model too slow',
  model_authentication: 'model refused the key',
  model_bad_request: 'model refused the request',
  model_refused: 'model declined',
  model_truncated: 'reply cut off',
  model_invalid_output: 'unusable reply',
  model_empty: 'empty reply',
  warehouse_unavailable: 'warehouse unreachable',
  warehouse_timeout: 'warehouse too slow',
  warehouse_authentication: 'warehouse refused the password',
  warehouse_denied: 'warehouse denied access',
  store_unavailable: 'Redis unreachable',
  store_full: 'Redis full',
  store_failed: 'Redis refused a command',
  run_timeout: 'took too long',
  run_held_up: 'held up others',
  run_crashed: 'its process ended',
  run_access: 'rights have changed',
  run_no_source: 'no data to ask about',
  run_forgotten: 'had expired',
  run_unrecorded: 'audit log unwritable',
  fault: 'a fault of Clew',
  lost: 'its process is gone',
}

/** Why a run failed, in a few words. */
export function errorInWords(code: string): string {
  return ERRORS[code] ?? words(code)
}

/** Short facts on one line. Leaves out those that are not there. */
export function facts(...all: readonly unknown[]): string {
  return all.filter(Boolean).join(' · ')
}

type Parameters = Readonly<Record<string, string | undefined>>

/** The parameters that are not empty. */
export function given(parameters: Parameters): [name: string, value: string][] {
  return Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []))
}

/** A path with the parameters that are not empty. */
export function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams(given(parameters))
  return query.size === 0 ? path : `${path}?${query}`
}
