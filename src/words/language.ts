import { z } from 'zod'

/** A language in which a program speaks of an answer. */
export const languageSchema = z.enum(['en', 'de'])
export type Language = z.infer<typeof languageSchema>

/** The language of a tag such as `de-AT`; undefined where there is none, English for one that is not spoken here. */
export function languageOf(tag: string | null | undefined): Language | undefined {
  const code = tag?.trim().toLowerCase().split(/[-_]/)[0]
  if (code === undefined || code === '') return undefined
  return languageSchema.options.find(language => language === code) ?? 'en'
}

/** A number as it is written in the language: "10,000" or "10.000". */
export function numberText(value: number, language: Language): string {
  return value.toLocaleString(language)
}
