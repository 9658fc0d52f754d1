import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { chatPress } from '../../test/support/presses.ts'
import { acceptedRuns, chatMessage, type QueueHarness, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import { retryRun } from '../bots/actions/retry-run.ts'
import type { AcceptedMessage } from './accept/accepted-message.ts'
import { createMessageReceiver } from './accept/message-receiver.ts'
import { cancelDeletedQuestion } from './accept/question-deletion.ts'
import { createRecordWatcher, type RecordWatcher } from './record-watcher.ts'
import { createRunCancellation, type RunCancellation } from './run-cancellation.ts'

const signal = new AbortController().signal
let harness: QueueHarness
let watcher: RecordWatcher
let cancellation: RunCancellation

beforeAll(async () => {
  harness = await startQueueHarness()
  watcher = createRecordWatcher(harness.producer)
  cancellation = createRunCancellation(harness.producer, watcher)
})
afterEach(() => harness.reset())
afterAll(async () => {
  await watcher.close()
  await harness.close()
})

async function accept(text: string, order = 1): Promise<AcceptedMessage> {
  const acceptance = await harness.acceptor.accept(chatMessage(text, { order }))
  if (acceptance.outcome !== 'accepted') throw new Error(acceptance.outcome)
  return acceptance.accepted
}

async function untilStanding(...texts: readonly string[]): Promise<void> {
  await until(`only ${texts} stands there`, async () => `${await harness.platform.standing()}` === `${texts}`)
}

async function untilBegun(count: number): Promise<void> {
  await until(`${count} are begun`, async () => (await harness.begun()).length === count)
}

const deletion = (message: AcceptedMessage) =>
  cancelDeletedQuestion({ runs: acceptedRuns(harness.producer), cancellation }, message.message, signal)

describe('a cancelled run', () => {
  it('ends at once, tells its author, and lets its thread continue', async () => {
    await harness.startWorker()
    const first = await accept('wait 60000')
    await untilBegun(1)
    await accept('next', 2)
    expect(await cancellation.request(first.runId, 'stopped', signal)).toBe(true)
    await untilStanding('error: Stopped.', 'answer: next')
  })

  it('never starts if it is still waiting', async () => {
    const accepted = await accept('wait 60000')
    expect(await cancellation.request(accepted.runId, 'stopped', signal)).toBe(false)
    await harness.startWorker()
    await untilStanding('error: Stopped.')
    expect(await harness.begun()).toEqual([])
  })

  it('stays unchanged if it is already answered', async () => {
    await harness.startWorker()
    const accepted = await accept('first')
    await untilStanding('answer: first')
    await cancellation.request(accepted.runId, 'stopped', signal)
    await accept('second', 2)
    await untilStanding('answer: first', 'answer: second')
  })

  it('ends even if the announcement was lost', async () => {
    await harness.startWorker()
    const accepted = await accept('wait 60000')
    await untilBegun(1)
    await harness.redis.set(`clew:run:{${accepted.runId}}:cancel`, 'stopped')
    await untilStanding('error: Stopped.')
  })
})

describe('a deleted question', () => {
  it('takes its run and its message with it, running or waiting', async () => {
    const first = await accept('wait 60000')
    const second = await accept('wait 60000', 2)
    for (const accepted of [first, second]) await harness.placeholders.show(accepted, signal)
    expect(await harness.platform.standing()).toHaveLength(2)
    await harness.startWorker()
    await untilBegun(1)
    await deletion(second)
    await deletion(first)
    await untilStanding()
    expect(await harness.begun()).toHaveLength(1)
  })

  it('takes its retry with it', async () => {
    const { acceptor, placeholders } = harness
    const receiver = createMessageReceiver({ acceptor, placeholders })
    const retry = retryRun({ runs: acceptedRuns(harness.producer), records: { load: async () => undefined }, receiver })
    await harness.startWorker()
    const accepted = await accept('wait 60000')
    await untilBegun(1)
    await cancellation.request(accepted.runId, 'stopped', signal)
    await untilStanding('error: Stopped.')
    await retry(chatPress('retry', { pressed: { action: 'retry', runId: accepted.runId } }), signal)
    await untilBegun(2)
    await deletion(accepted)
    await untilStanding('error: Stopped.')
  })

  it('is ignored if Clew never accepted it', async () => {
    await cancelDeletedQuestion({ runs: acceptedRuns(harness.producer), cancellation }, chatMessage('chatter'), signal)
    expect(await harness.redis.keys('clew:run:*')).toEqual([])
  })
})
