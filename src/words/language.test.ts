import { expect, it } from '@jest/globals'
import { languageFor, languageOf, numberText } from './language.ts'

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE_de', 'de'],
  ['de.UTF-8', 'de'],
  ['C.UTF-8', 'en'],
  ['en-US', 'en'],
  ['fr', 'en'],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('the language of %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language)
})

it("numbers follow the language's format", () => {
  expect([numberText(1234567.5, 'en'), numberText(1234567.5, 'de')]).toEqual(['1,234,567.5', '1.234.567,5'])
})

it.each([
  ['Wie viele Bestellungen gab es?', 'de'],
  ['Umsatz nach Monat', 'de'],
  ['How many orders were there in Köln?', 'en'],
  ['revenue by month', 'en'],
  ['How many rows has die_bestellung?', 'en'],
  ['Combien de commandes ?', undefined],
  ['SELECT 1', undefined],
  ['', undefined],
] as const)("%s: its own language comes first, then the thread's, then the platform's", (question, own) => {
  for (const other of ['en', 'de'] as const) {
    const platform = other === 'en' ? 'de' : 'en'
    expect(languageFor({ question, thread: other, platform })).toBe(own ?? other)
    expect(languageFor({ question, platform: other })).toBe(own ?? other)
  }
  expect(languageFor({ question })).toBe(own ?? 'en')
})
