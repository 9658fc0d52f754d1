import { expect, it } from '@jest/globals'
import { createGate } from '../../../test/emulators/gate.ts'
import { chatMessage } from '../../../test/support/queue-harness.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import type { Acceptor } from './acceptor.ts'
import { createMessageReceiver } from './message-receiver.ts'
import type { PlaceholderPoster } from './placeholder.ts'

it('posts placeholders of others while those of one author take long', async () => {
  const gate = createGate()
  const shown: string[] = []
  const acceptor = {
    accept: async message => ({ outcome: 'accepted', accepted: { message, runId: 'run_1', acceptedAt: 1 } }),
  } satisfies Acceptor
  const placeholders = {
    show: async ({ message: { author } }) => {
      shown.push(author)
      if (author === 'ann') await gate.opened
    },
  } satisfies PlaceholderPoster
  const receiver = createMessageReceiver({ acceptor, placeholders })
  const { placeholdersOfOne } = QUEUE_LIMITS
  for (let each = 0; each < placeholdersOfOne + 5; each += 1)
    await receiver.receive(chatMessage('how many?', { thread: `ann-${each}`, author: 'ann' }))
  await receiver.receive(chatMessage('how many?', { thread: 'bob', author: 'bob' }))
  expect(shown).toEqual([...Array.from({ length: placeholdersOfOne }, () => 'ann'), 'bob'])
  gate.open()
  await receiver.close()
  expect(shown).toHaveLength(placeholdersOfOne + 6)
})
