import { expect, it } from '@jest/globals'
import { askAtTerminal } from './ask-at-terminal.ts'

it('does not wait for a choice where words of the person are as good', async () => {
  const open = () => {
    throw new Error('the terminal was asked')
  }
  const ask = askAtTerminal(open, { pause: () => {}, resume: () => {}, language: 'en' })
  const question = { kind: 'need_confirm', question: 'So?', choices: [{ value: 'yes', label: 'Yes' }] } as const
  const { signal } = new AbortController()
  expect(await ask({ ...question, takes_words: true }, signal)).toBeUndefined()
  await expect(ask(question, signal)).rejects.toThrow('the terminal was asked')
})
