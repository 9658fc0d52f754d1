import { describe, expect, it } from '@jest/globals'
import { acceptedMessage, chatPress, keepAnswers, runRecord } from '../../../test/support/presses.ts'
import { TEST_STATE_KEY } from '../../../test/support/state-key.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatMessage } from '../../chat/event.ts'
import type { Answer, Reply } from '../../chat/reply.ts'
import type { Acceptance } from '../../queue/accept/acceptor.ts'
import { runIdOfMessage } from '../../queue/accept/run-id-of-message.ts'
import { StoreError } from '../../store/store-error.ts'
import { publishAnswer } from './publish-answer.ts'
import { retryRun } from './retry-run.ts'
import { stopRun } from './stop-run.ts'

const signal = new AbortController().signal

describe('Stop', () => {
  const requests: string[] = []
  const cancellation = (isHeard: boolean) => ({
    request: async (runId: string, reason: string) => {
      requests.push(`${runId} ${reason}`)
      return isHeard
    },
  })

  const handlerOf = (given: { readonly isHeard?: boolean; readonly isOver?: boolean }) => {
    const { runs } = keepAnswers()
    const isRunOver = async () => given.isOver ?? false
    return { runs, handle: stopRun({ runs, cancellation: cancellation(given.isHeard ?? true), isRunOver }) }
  }

  it('ends a run, and says what happens to a waiting one', async () => {
    for (const isHeard of [true, false]) {
      const { runs, handle } = handlerOf({ isHeard })
      await runs.note(acceptedMessage(), signal)
      const said = isHeard ? undefined : { markdown: 'I will not look into this when its turn comes.' }
      expect(await handle(chatPress('stop'), signal)).toEqual(said)
    }
    expect(requests.splice(0)).toEqual(['run_1 stopped', 'run_1 stopped'])
  })

  it('has no effect for other people, after the end, or for unknown runs', async () => {
    const { runs, handle } = handlerOf({ isOver: true })
    expect(await handle(chatPress('stop'), signal)).toEqual({ markdown: expect.stringContaining('no longer') })
    await runs.note(acceptedMessage(), signal)
    expect(await handle(chatPress('stop', { user: 'U2' }), signal)).toEqual({
      markdown: 'Only the person who asked can stop this.',
    })
    expect(await handle(chatPress('stop'), signal)).toEqual({ markdown: 'This has ended already.' })
    expect(requests).toEqual([])
  })
})

describe('Retry', () => {
  /** @param failures how often Redis fails between noting a message and accepting it */
  const start = (failures = 0) => {
    const { runs, records, keep } = keepAnswers()
    const taken: ChatMessage[] = []
    let failing = failures
    const receiver = {
      async receive(message: ChatMessage): Promise<Acceptance> {
        const accepted = { message, runId: runIdOfMessage(TEST_STATE_KEY, message), acceptedAt: 5 }
        await runs.note(accepted, signal)
        failing -= 1
        if (failing >= 0) throw new StoreError('away', { kind: 'unavailable' })
        if (taken.some(({ messageId }) => messageId === message.messageId)) return { outcome: 'duplicate' }
        taken.push(message)
        return { outcome: 'accepted', accepted }
      },
    }
    return { runs, keep, taken, handle: retryRun({ runs, records, receiver }) }
  }

  it('asks the same question again at the time of the press, as a new message', async () => {
    const { runs, taken, handle } = start()
    const asked = acceptedMessage({ isPrivate: true, interaction: { token: 'spent' }, addressed: false })
    await runs.note(asked, signal)
    expect(await handle(chatPress('retry', { interaction: { token: 'fresh' } }), signal)).toBeUndefined()
    expect(taken).toEqual([
      {
        ...asked.message,
        messageId: 'retry-run_1',
        order: 1_700_000_000_000_000,
        pressId: 'press-1',
        addressed: true,
        resumes: { action: 'retry', runId: 'run_1' },
        interaction: { token: 'fresh' },
      },
    ])
  })

  it('asks the original question if the run began with an answer to a question from Clew', async () => {
    const { runs, keep, taken, handle } = start()
    const chosen = { text: 'Run it', messageId: 'id-2', resumes: { action: 'choose', runId: 'run_0', choice: 0 } } as const
    await runs.note({ ...acceptedMessage({ text: 'how much?' }), runId: 'run_0' }, signal)
    await runs.note(acceptedMessage(chosen), signal)
    await handle(chatPress('retry'), signal)
    await runs.note({ ...acceptedMessage(chosen), runId: 'run_2' }, signal)
    await keep(runRecord({ runId: 'run_2', question: 'How much was sold in all?' }))
    await handle(chatPress('retry', { pressed: { action: 'retry', runId: 'run_2' } }), signal)
    expect(taken.map(({ text }) => text)).toEqual(['how much?', 'How much was sold in all?'])
  })

  it('does so once, however often it is pressed, and recognises its own press', async () => {
    const { runs, taken, handle } = start()
    await runs.note(acceptedMessage(), signal)
    expect(await handle(chatPress('retry'), signal)).toBeUndefined()
    expect(await handle(chatPress('retry'), signal)).toBeUndefined()
    // The second press may also come at the same time as the first.
    const second = chatPress('retry', { pressId: 'press-2' })
    expect(await handle(second, signal)).toEqual({ markdown: 'I have tried this again already.' })
    expect(taken).toHaveLength(1)
  })

  it('survives a Redis outage in the middle', async () => {
    const { runs, taken, handle } = start(1)
    await runs.note(acceptedMessage(), signal)
    await expect(handle(chatPress('retry'), signal)).rejects.toThrow('away')
    expect(await handle(chatPress('retry'), signal)).toBeUndefined()
    expect(taken).toHaveLength(1)
  })

  it('works only for the asker', async () => {
    const { runs, taken, handle } = start()
    await runs.note(acceptedMessage(), signal)
    expect(await handle(chatPress('retry', { user: 'U2' }), signal)).toEqual({
      markdown: 'Only the person who asked can have this tried again.',
    })
    expect(taken).toEqual([])
  })
})

describe('Post to channel', () => {
  async function publish(options: { readonly may?: boolean; readonly user?: string; readonly fails?: ChatError } = {}) {
    const { runs, records, keep } = keepAnswers()
    await runs.note(acceptedMessage({ isPrivate: true }), signal)
    await keep(runRecord({ isPrivate: true, question: 'how many\n# devices?' }))
    const shown: Reply[] = []
    const handle = publishAnswer({
      runs,
      records,
      access: { mayPublish: async () => options.may ?? true },
      async publishReply(_accepted, reply) {
        if (options.fails !== undefined) throw options.fails
        shown.push(reply)
      },
    })
    return { reply: await handle(chatPress('publish', { user: options.user ?? 'U1' }), signal), shown }
  }

  it('shows the answer with its question and the buttons of a public answer', async () => {
    const { reply, shown } = await publish()
    expect(reply).toEqual({ markdown: 'Posted.' })
    expect(shown).toMatchObject([
      { kind: 'answer', markdown: '> how many # devices?\n\nThere are 42 [Q1].', footer: '- [Q1] Counts devices. (1 row)' },
    ])
    expect((shown[0] as Answer).actions?.map(({ action }) => action)).toEqual(['sql', 'helpful', 'unhelpful'])
  })

  it('is refused to other people, and if the rules forbid it', async () => {
    for (const options of [{ user: 'U2' }, { may: false }]) {
      const { reply, shown } = await publish(options)
      expect(reply?.markdown).not.toBe('Posted.')
      expect(shown).toEqual([])
    }
  })

  it('says when it cannot post, and leaves passing failures for a retry', async () => {
    expect((await publish({ fails: new ChatError('no', { kind: 'forbidden' }) })).reply?.markdown).toMatch(/^I cannot post there/)
    await expect(publish({ fails: new ChatError('away', { kind: 'unavailable' }) })).rejects.toThrow('away')
  })
})
