import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import { chatMessage, type QueueHarness, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import { WaitingSlots } from './waiting-slots.ts'

const SLOTS = 2

let harness: QueueHarness
let waitingSlots: WaitingSlots
let begun: string[]
let runs: number
let most: number
/**
 * Gates that hold back three groups: the threads that fill the slots, the result that these threads wait for, and all other threads.
 */
let gates: Record<'filled' | 'waited' | 'beside', ReturnType<typeof createGate>>

beforeAll(async () => {
  harness = await startQueueHarness()
})
beforeEach(async () => {
  await harness.reset()
  waitingSlots = new WaitingSlots()
  gates = { filled: createGate(), waited: createGate(), beside: createGate() }
  begun = []
  runs = 0
  most = 0
  await harness.startWorker({
    concurrency: SLOTS,
    waitingSlots,
    answer: async ({ message }) => {
      begun.push(message.text)
      runs += 1
      most = Math.max(most, runs)
      if (message.text.startsWith('waits')) {
        await gates.filled.opened
        runs -= 1
        await waitingSlots.during(gates.waited.opened)
        runs += 1
      } else await gates.beside.opened
      runs -= 1
      return { kind: 'answer', markdown: message.text }
    },
  })
})
afterAll(() => harness.close())

async function ask(...texts: readonly string[]): Promise<void> {
  for (const text of texts) await harness.acceptor.accept(chatMessage(text, { thread: text.replace(' ', '-') }))
}

async function answered(): Promise<readonly string[]> {
  return (await harness.platform.standing()).filter(text => /^(waits|beside) \d$/.test(text))
}

describe('threads that wait', () => {
  it('lend their slots to others, even if all were taken, and continue afterwards', async () => {
    await ask('waits 1', 'waits 2')
    await until('all slots are taken', async () => begun.length === SLOTS)
    await ask('beside 1', 'beside 2', 'beside 3')
    expect(begun).toHaveLength(SLOTS)

    gates.filled.open()
    await until('as many others are taken', async () => begun.length === 2 * SLOTS)
    gates.beside.open()
    await until('all beside are answered', async () => (await answered()).length === 3)
    expect(most).toBe(SLOTS)

    gates.waited.open()
    await until('all are answered', async () => (await answered()).length === 5)
    expect(begun).toHaveLength(5)
  })
})
