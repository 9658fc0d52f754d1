import { expect, it } from '@jest/globals'
import { languageOf, numberText } from './language.ts'

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE_de', 'de'],
  ['en-US', 'en'],
  ['fr', 'en'],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('the language of %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language)
})

it('numbers are written as the language writes them', () => {
  expect([numberText(1234567.5, 'en'), numberText(1234567.5, 'de')]).toEqual(['1,234,567.5', '1.234.567,5'])
})
