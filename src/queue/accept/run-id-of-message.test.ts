import { expect, it } from '@jest/globals'
import { chatMessage } from '../../../test/support/queue-harness.ts'
import { runIdOfMessage } from './run-id-of-message.ts'

it('gives a run an id that only the key tells from its message', () => {
  const message = chatMessage('how many?')
  const id = runIdOfMessage('a key', message)
  expect(id).toMatch(/^run_[0-9a-f]{16}$/)
  expect(runIdOfMessage('a key', { ...message, messageId: 'another' })).not.toBe(id)
  expect(runIdOfMessage('another key', message)).not.toBe(id)
})
