const NUMBER = new Intl.NumberFormat('en-US')
const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 2 })
const SMALL_MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 })

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

export function duration(ms: number | null | undefined): string {
  if (ms == null) return '–'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

/** A moment in the reader's time zone: the clock alone today, else the day too. */
export function moment(given: string | number, now = new Date()): string {
  const at = new Date(given)
  const clock = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (at.toDateString() === now.toDateString()) return clock
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })}, ${clock}`
}
