import { z } from 'zod'

/** A language that the program itself speaks. */
export const languageSchema = z.enum(['en', 'de'])
export type Language = z.infer<typeof languageSchema>

/** Returns the function that chooses words by the language. Where a language may be undefined, that is English. */
export function inLanguages<Words, Given extends Language | undefined = Language>(words: Readonly<Record<Language, Words>>) {
  return (language: Given): Words => words[language ?? 'en']
}

/**
 * Returns the language of a tag such as `de-AT` or `de_AT.UTF-8`. For a language that Clew does not speak, returns English.
 * Without a tag, returns undefined.
 */
export function languageOf(tag: string | null | undefined): Language | undefined {
  const code = tag
    ?.trim()
    .toLowerCase()
    .split(/[-_.@]/)[0]
  if (code === undefined || code === '') return undefined
  return languageSchema.options.find(language => language === code) ?? 'en'
}

/** Frequent words that only one of the two languages has. Words of both languages (was, in, des, per) are left out. */
const OWN_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: wordSet(`the of and or not how many much which what who why where when is are were has have had does did there from by with for to
    last each every we our show give list between than more less please this that these those it its any all can could tell explain`),
  de: wordSet(`der die das dem den ein eine einen einem einer eines und oder nicht kein keine wie viel viele wieviel wieviele welche welcher
    welches welchen welchem warum wieso weshalb wo wann wer wem wen ist sind waren wurde wurden haben hatte hatten gibt es im zum zur vom
    bei mit nach von für aus auf über unter zwischen letzte letzten letzter letztes jede jeder jedes mir ich wir uns bitte zeig zeige
    nenne erkläre mehr weniger als auch noch dann seit heute gestern woher fehlt fehlen hast hallo`),
}

/** Only this many characters of a question are read to tell its language. */
const READ_CHARACTERS = 2_000

/**
 * Returns the language of a question. If its words do not show the language, uses the thread's language, then the language that
 * the asker has set on the platform, then English. A model that reads the question later may correct the result.
 */
export function languageFor(asked: {
  readonly question: string
  readonly thread?: Language | undefined
  readonly platform?: Language | undefined
}): Language {
  return languageOfText(asked.question) ?? asked.thread ?? asked.platform ?? 'en'
}

function languageOfText(text: string): Language | undefined {
  const words =
    text
      .slice(0, READ_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  const [english, german] = [OWN_WORDS.en, OWN_WORDS.de].map(own => words.filter(word => own.has(word)).length)
  if (english === german) return undefined
  return (english ?? 0) > (german ?? 0) ? 'en' : 'de'
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

const SEPARATORS: Readonly<Record<Language, { readonly thousands: string; readonly point: string }>> = {
  en: { thousands: ',', point: '.' },
  de: { thousands: '.', point: ',' },
}

/**
 * Groups a number's digits without rounding: `12345.6` becomes "12,345.6" or "12.345,6". A text that is not a number stays
 * unchanged.
 */
export function groupedDigits(text: string, language: Language): string {
  const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return text
  const { thousands, point } = SEPARATORS[language]
  const first = whole.length % 3
  const groups = [...(first === 0 ? [] : [whole.slice(0, first)]), ...(whole.slice(first).match(/\d{3}/g) ?? [])]
  return `${sign}${groups.join(thousands)}${fraction === undefined ? '' : point + fraction}`
}

/** Writes a moment in a time zone, with its day and the time. `form` says how its other parts are written. */
export function momentText(at: number, timeZone: string, language: Language, form: Intl.DateTimeFormatOptions): string {
  const common = { timeZone, day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...common, ...form }).format(at)
}

/** Writes a number in the language's style: "10,000" or "10.000". */
export function numberText(value: number, language: Language): string {
  return value.toLocaleString(language)
}
