import { expect, it } from '@jest/globals'
import type { PersonSettings } from '../../chat/platform.ts'
import type { Language } from '../../words/language.ts'
import { inOwnLanguage, placeholderLines } from './placeholder.ts'

const place = { platform: 'discord', workspace: 'G', channel: 'C', thread: 'T', isDirect: false } as const

it.each([
  ['Wie viele Bestellungen gab es?', undefined, undefined, 'Ich sehe nach …'],
  ['Wie viele Bestellungen gab es?', 'en', undefined, 'Ich sehe nach …'],
  ['how many orders were there?', undefined, 'de', 'Looking into it …'],
  ['ams?', undefined, 'de', 'Ich sehe nach …'],
  ['ams?', 'de', 'en', 'Ich sehe nach …'],
  ['ams?', undefined, undefined, 'Looking into it …'],
] as const)("the first words about %j are in its language, else in its author's", async (text, told, person, first) => {
  const message = { place, messageId: '1', order: 1, author: 'U', text, addressed: true, ...(told && { language: told }) }
  const personOf = async (): Promise<PersonSettings> => (person === undefined ? {} : { language: person satisfies Language })
  const accepted = { message, runId: 'run_1', acceptedAt: 1 }
  const spoken = await inOwnLanguage(accepted, { personOf }, new AbortController().signal)
  expect(placeholderLines(spoken)).toEqual([first])
})
