import { describe, expect, it } from '@jest/globals'
import type { Reply } from '../../chat/reply.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { RunRecord } from './run-record.ts'
import { createShowClosed } from './show-closed.ts'

const { signal } = new AbortController()
const place = { platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1.0', isDirect: false } as const
/** An accepted message. Clew has not decided yet whether its answer is private. */
const asked: AcceptedMessage = {
  message: { place, messageId: '1.0', order: 1, author: 'ann', text: 'How much?', addressed: true },
  runId: 'run_1',
  acceptedAt: 1,
}

async function shownWhere(isPrivate: boolean): Promise<readonly Reply[]> {
  const shown: Reply[] = []
  const record = { isPrivate, markdown: 'Which of these?' } as RunRecord
  const show = createShowClosed({
    runs: { find: async () => asked },
    records: { load: async () => record },
    replaceAnswer: async (_, reply) => {
      shown.push(reply)
    },
  })
  await show('run_1', 'This one', signal)
  return shown
}

describe('a closed question from Clew', () => {
  it('shows the choice, and has no buttons any more', async () => {
    expect(await shownWhere(false)).toEqual([{ kind: 'answer', markdown: 'Which of these?\n\n✓ **This one**' }])
  })

  it('is not searched in the channel if only its asker saw it', async () => {
    expect(await shownWhere(true)).toEqual([])
  })
})
