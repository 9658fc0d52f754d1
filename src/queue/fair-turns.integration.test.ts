import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import { chatMessage, type QueueHarness, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import type { AnswerMessage } from './drain/answer-message.ts'
import { QUEUE_LIMITS } from './limits.ts'

let harness: QueueHarness
let begun: string[]

beforeAll(async () => {
  harness = await startQueueHarness()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

/** Accepts `count` questions of one author, each in its own thread: `ann 1`, `ann 2`, … */
async function ask(author: string, count: number): Promise<void> {
  for (let each = 1; each <= count; each += 1)
    await harness.acceptor.accept(chatMessage(`${author} ${each}`, { thread: `${author}-${each}`, author }))
}

function answersBy(work: () => Promise<unknown>): AnswerMessage {
  begun = []
  return async ({ message }) => {
    begun.push(message.text)
    await work()
    return { kind: 'answer', markdown: `answer: ${message.text}` }
  }
}

/** Keeps the event loop busy. Returns a function that ends this. */
function keepBusy(): () => Promise<void> {
  let isBusy = true
  const work = async () => {
    while (isBusy) {
      for (const until = performance.now() + 5; performance.now() < until; );
      await turn()
    }
  }
  const done = work()
  return () => {
    isBusy = false
    return done
  }
}

const answered = async () => (await harness.platform.standing()).filter(text => text.startsWith('answer: ')).length

describe('turns between askers', () => {
  it('let a question pass 120 waiting threads of somebody else', async () => {
    const gate = createGate()
    await ask('ann', 120)
    await harness.startWorker({ concurrency: 4, answer: answersBy(() => gate.opened) })
    await until('Ann has all that one may have', async () => begun.length === 4)
    await ask('bob', 1)
    // When Bob is answered, none of Ann's questions has ended yet.
    await until('Bob is answered', async () => begun.includes('bob 1'))
    expect(begun).toHaveLength(5)
    gate.open()
    await until('all are answered', async () => (await answered()) === 121)
    expect(new Set(begun).size).toBe(121)
  })

  it('keep a slot free for the next person, however many others wait for a slow model', async () => {
    const gate = createGate()
    for (const name of ['ann', 'bob', 'cat']) await ask(name, 30)
    await harness.startWorker({ concurrency: 8, answer: answersBy(() => gate.opened) })
    const of = (name: string) => begun.filter(text => text.startsWith(name)).length
    await until(
      'three people have their slots',
      async () => of('ann') > 1 && of('bob') > 1 && of('cat') > 1 && begun.length >= 12,
    )
    await ask('dan', 1)
    await until('the fourth begins beside them', async () => begun.includes('dan 1'))
    expect(begun.length).toBeLessThanOrEqual(16)
    gate.open()
    await until('all are answered', async () => (await answered()) === 91)
    expect(new Set(begun).size).toBe(91)
  })

  it('give a person of two servers one share', async () => {
    const gate = createGate()
    for (const workspace of ['T1', 'T2'])
      for (let each = 1; each <= 10; each += 1) {
        const message = chatMessage(`ann ${workspace} ${each}`, { thread: `${workspace}-${each}`, author: 'ann' })
        await harness.acceptor.accept({ ...message, place: { ...message.place, workspace } })
      }
    await harness.startWorker({ concurrency: 4, answer: answersBy(() => gate.opened) })
    await until('Ann has all that one may have', async () => begun.length >= 4)
    await ask('bob', 1)
    await until('Bob is answered', async () => begun.includes('bob 1'))
    expect(begun).toHaveLength(5)
    gate.open()
    await until('all are answered', async () => (await answered()) === 21)
  })

  it('alternate between people, even if one came first with many threads', async () => {
    await ask('ann', 40)
    await ask('bob', 3)
    await ask('cat', 3)
    await harness.startWorker({ concurrency: 1, answer: answersBy(() => wait(5)) })
    await until('all are answered', async () => (await answered()) === 46)
    for (const name of ['bob', 'cat']) {
      const places = begun.flatMap((text, place) => (text.startsWith(name) ? [place] : []))
      // Three people take turns, so each person's n-th job is among the first 3n jobs. The two jobs that started first may add two
      // places.
      expect(places.every((place, n) => place < 3 * (n + 1) + 3)).toBe(true)
    }
    expect(begun.filter(text => text.startsWith('ann'))).toHaveLength(40)
  })

  it('put a later question of one person before what others ask after it', async () => {
    const gate = createGate()
    await ask('ann', 1)
    await harness.startWorker({ concurrency: 1, answer: answersBy(() => gate.opened) })
    await until('Ann has the slot', async () => begun.length === 1)
    await ask('bob', 1)
    await until('Bob has the other', async () => begun.length === 2)
    await ask('cat', 2)
    await ask('dan', 2)
    await harness.acceptor.accept(chatMessage('ann 2', { thread: 'ann-2', author: 'ann' }))
    gate.open()
    await until('all are answered', async () => (await answered()) === 7)
    expect(begun.indexOf('ann 2')).toBeLessThan(begun.indexOf('dan 2'))
  })

  it('take the slot from a thread with many messages after each of them', async () => {
    const gate = createGate()
    for (let order = 1; order <= 20; order += 1)
      for (const thread of ['a', 'b', 'c'])
        await harness.acceptor.accept(chatMessage(`ann ${thread} ${order}`, { thread, order, author: 'ann' }))
    await harness.startWorker({ concurrency: 1, answer: answersBy(() => gate.opened) })
    await until('Ann has her slot', async () => begun.length === 1)
    await ask('bob', 1)
    await ask('cat', 1)
    gate.open()
    await until('all are answered', async () => (await answered()) === 62)
    expect(Math.max(begun.indexOf('bob 1'), begun.indexOf('cat 1'))).toBeLessThan(8)
    for (const thread of ['a', 'b', 'c'])
      expect(begun.filter(text => text.startsWith(`ann ${thread}`))).toEqual(
        Array.from({ length: 20 }, (_, index) => `ann ${thread} ${index + 1}`),
      )
  })

  it('leave one asker few runs while the event loop is busy, and all slots while it is idle', async () => {
    const gate = createGate()
    const endBusy = keepBusy()
    await ask('ann', 30)
    await harness.startWorker({ concurrency: 20, answer: answersBy(() => gate.opened) })
    await until('Ann has runs', async () => begun.length >= QUEUE_LIMITS.startsOfBusy)
    await ask('bob', 1)
    await until('Bob has one', async () => begun.includes('bob 1'))
    expect(begun).toHaveLength(QUEUE_LIMITS.startsOfBusy + 1)
    await endBusy()
    await until('Ann has all that one may have', async () => begun.length === 21)
    gate.open()
    await until('all are answered', async () => (await answered()) === 31)
  })

  it('leave several askers few runs together while the event loop is busy', async () => {
    const gate = createGate()
    const endBusy = keepBusy()
    for (const name of ['ann', 'cat', 'dan']) await ask(name, 10)
    await harness.startWorker({ concurrency: 20, answer: answersBy(() => gate.opened) })
    const people = () => new Set(begun.map(text => text.split(' ')[0]))
    await until('each has a run', async () => people().size === 3 && begun.length >= QUEUE_LIMITS.startsOfBusy)
    await ask('bob', 1)
    await until('Bob has one', async () => begun.includes('bob 1'))
    expect(begun.length).toBeLessThanOrEqual(QUEUE_LIMITS.startsOfBusy + 3)
    await endBusy()
    gate.open()
    await until('all are answered', async () => (await answered()) === 31)
  })

  it('answer every message once when workers come and go', async () => {
    await ask('ann', 30)
    await ask('bob', 2)
    const answer = answersBy(() => wait(20))
    const first = await harness.startWorker({ concurrency: 2, answer })
    await until('some are answered', async () => (await answered()) >= 5)
    await first.close(10_000)
    await harness.startWorker({ concurrency: 2, answer })
    await until('all are answered', async () => (await answered()) === 32)
    expect(new Set(begun).size).toBe(32)
    expect(await harness.platform.standing()).toHaveLength(32)
  })
})
