import { MINUTE_MS } from '../../base/durations.ts'
import { describeBytes } from '../../warehouse/cost/describe-cost.ts'
import { chatWords } from '../../words/chat.ts'
import { type Language, numberText } from '../../words/language.ts'
import { usageWords } from '../../words/usage.ts'
import { type Cap, NO_LIMIT, type Standing } from './cap.ts'

interface Clock {
  /** Unix time in milliseconds. */
  readonly now: number
  readonly timeZone: string
}

/** Tells that a cap is reached, and when it goes on. */
export function reachedSentence(reached: Standing, { now, timeZone }: Clock, language: Language): string {
  if (typeof reached.window === 'number') return chatWords(language).tooManyQuestions(minutesUntil(reached.endsAt, now))
  const words = usageWords(language)
  const why = reached.message ?? words.haveUsed[reached.per](amountOf(reached, language))
  return `${why} ${words.goesOn(momentText(reached.endsAt, timeZone, language))}`
}

/** Tells that a cap is nearly used up. */
export function toldSentence(standing: Standing, timeZone: string, language: Language): string {
  const words = usageWords(language)
  const again = words.startsAgain(momentText(standing.endsAt, timeZone, language))
  return `${words.haveUsed[standing.per](amountOf(standing, language))} ${again}`
}

/** Lists what a person has used of each cap. */
export function usageText(standings: readonly Standing[], { now, timeZone }: Clock, language: Language): string {
  const words = usageWords(language)
  const lines = standings.map(standing => {
    const amount = amountOf(standing, language)
    const isOpen = standing.limit === NO_LIMIT || standing.endsAt <= now
    return `• ${isOpen ? amount : words.until(amount, momentText(standing.endsAt, timeZone, language))}`
  })
  return [words.heading, ...lines].join('\n')
}

export function minutesUntil(endsAt: number, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / MINUTE_MS))
}

function amountOf({ of, window, used, limit }: Standing, language: Language): string {
  const words = usageWords(language)
  const isLimited = limit !== NO_LIMIT
  const number = isLimited ? words.of(measured(used, of, language), measured(limit, of, language)) : measured(used, of, language)
  const amount = of === 'presses' ? number : words[of](number, (isLimited ? limit : used) === 1)
  return `${amount} ${typeof window === 'number' ? words.minutes(window / MINUTE_MS) : words.windows[window]}`
}

function measured(amount: number, of: Cap['of'], language: Language): string {
  if (of === 'bytes') return describeBytes(amount, language)
  if (of !== 'cost') return numberText(amount, language)
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(amount)
}

function momentText(at: number, timeZone: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  return `${format.format(at)} (${timeZone})`
}
