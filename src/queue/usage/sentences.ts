import { MINUTE_MS } from '../../base/durations.ts'
import { describeBytes } from '../../warehouse/cost/describe-cost.ts'
import { chatWords } from '../../words/chat.ts'
import { type Language, momentText, numberText } from '../../words/language.ts'
import { usageWords } from '../../words/usage.ts'
import { type Cap, NO_LIMIT, type Standing } from './cap.ts'

/** Tells what has been used of a cap, or in the operator's words that it is reached, and when the count starts again. */
export function capSentence(cap: Standing, timeZone: string, language: Language): string {
  if (typeof cap.window === 'number') return chatWords(language).tooManyQuestions(minutesLeft(cap))
  const words = usageWords(language)
  const why = cap.message ?? words.haveUsed[cap.per](amountOf(cap, language))
  return `${why} ${words.startsAgain(endOf(cap, timeZone, language))}`
}

/** Lists what a person has used of each cap. */
export function usageText(standings: readonly Standing[], timeZone: string, language: Language, other?: string): string {
  const words = usageWords(language)
  const lines = standings.map(standing => {
    const amount = amountOf(standing, language)
    const isOpen = standing.limit === NO_LIMIT || standing.leftMs === 0
    return `• ${isOpen ? amount : words.until(amount, endOf(standing, timeZone, language))}`
  })
  return [other === undefined ? words.heading : words.headingOf(other), ...lines].join('\n')
}

export function minutesLeft({ leftMs }: Standing): number {
  return Math.max(1, Math.ceil(leftMs / MINUTE_MS))
}

function amountOf({ of, window, used, limit }: Standing, language: Language): string {
  const words = usageWords(language)
  const [amount, most] = [used, limit].map(each => measured(each, of, language))
  const isLimited = limit !== NO_LIMIT
  const number = isLimited ? words.of(`${amount}`, `${most}`) : `${amount}`
  const named = of === 'presses' ? number : words[of](number, (isLimited ? limit : used) === 1)
  return `${named} ${typeof window === 'number' ? words.minutes(window / MINUTE_MS) : words.windows[window]}`
}

function measured(amount: number, of: Cap['of'], language: Language): string {
  if (of === 'bytes') return describeBytes(amount, language)
  if (of !== 'cost') return numberText(amount, language)
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(amount)
}

function endOf({ endsAt }: Standing, timeZone: string, language: Language): string {
  return `${momentText(endsAt, timeZone, language, { weekday: 'long', month: 'long' })} (${timeZone})`
}
