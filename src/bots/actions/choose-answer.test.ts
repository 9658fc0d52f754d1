import { describe, expect, it } from '@jest/globals'
import { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import { RunError } from '../../agent/run/error.ts'
import type { ChatMessage, ChatPress } from '../../chat/event.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import { threadName } from '../../queue/thread-keys.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { chooseAnswer } from './choose-answer.ts'

const { signal } = new AbortController()
const place = { platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1.0', isDirect: false } as const
const thread = threadName(place)
const asked: AcceptedMessage = {
  message: { place, messageId: '1.0', order: 1, author: 'ann', text: 'How much?', addressed: true },
  runId: 'run_1',
  acceptedAt: 1,
}

async function open() {
  const questions = new OpenQuestions({ store: createMemoryStateStore({ now: Date.now }), now: () => 1_000 })
  await questions.open(
    thread,
    {
      id: 'run_1',
      run_id: 'run_0',
      asker: 'ann',
      message: '1.0',
      kind: 'need_confirm',
      question: 'Q1 would read much.',
      choices: [
        { value: 'run', label: 'Run it' },
        { value: 'stop', label: 'Stop' },
      ],
      steps: [{ step: 'confirm', query: 'Q1', attempt: 1 }],
    },
    signal,
  )
  const taken: ChatMessage[] = []
  const handle = chooseAnswer({
    runs: { find: async runId => (runId === asked.runId ? asked : undefined) },
    questions,
    receiver: {
      async receive(message) {
        taken.push(message)
        return { outcome: 'duplicate' }
      },
    },
  })
  const press = (pressId: string, choice: number, user = 'ann', runId = 'run_1') => {
    const pressed = { action: 'choose', runId, choice } as const
    const whole: ChatPress = { place, pressId, order: 7, user, pressed, messageId: '1.1', interaction: {} }
    return handle(whole, signal).then(reply => reply?.markdown)
  }
  const say = (id: string, text: string, at = 2_000) => questions.understand({ thread, id, author: 'ann', text, at }, signal)
  return { questions, taken, press, say }
}

describe('a press that answers a question from Clew', () => {
  it('becomes a message of the asker in the thread, and resumes the run', async () => {
    const { press, taken, questions } = await open()
    expect(await press('p1', 0)).toBeUndefined()
    expect(taken).toMatchObject([{ place, author: 'ann', text: 'Run it', order: 7, addressed: true, resumes: { choice: 0 } }])
    const message = {
      thread,
      id: 'choice-run_1',
      author: 'ann',
      text: 'Run it',
      at: 0,
      pressed: { question: 'run_1', choice: 0 },
    }
    expect(await questions.understand(message, signal)).toEqual({
      text: 'Run it',
      closed: { question: 'run_1', choice: 'Run it' },
      resumes: { runId: 'run_0', choice: { value: 'run', steps: [{ step: 'confirm', query: 'Q1', attempt: 1 }] } },
    })
  })

  it('is refused if the asker has other rights by now: a choice may name what they no longer see', async () => {
    const { questions } = await open()
    const message = { thread, id: 'choice-run_1', author: 'ann', text: 'Run it', at: 2_000, access: 'of fewer tables' }
    const pressed = { question: 'run_1', choice: 0 }
    await expect(questions.understand({ ...message, pressed }, signal)).rejects.toThrow(RunError)
    expect(await questions.understand({ ...message, text: '1' }, signal)).toEqual({ text: '1' })
  })

  it('counts once among simultaneous presses, and the other people are told', async () => {
    const { press, taken } = await open()
    const replies = await Promise.all([press('p1', 1), press('p2', 0), press('p3', 1)])
    expect(replies).toEqual([undefined, 'This was answered already: **Stop**.', 'This was answered already: **Stop**.'])
    expect(taken).toHaveLength(1)
  })

  it('is repeated as the same message when it is handled again after a crash', async () => {
    const { press, taken } = await open()
    await press('p1', 0)
    expect(await press('p1', 0)).toBeUndefined()
    expect(new Set(taken.map(({ messageId }) => messageId)).size).toBe(1)
  })

  it('changes nothing if somebody else makes it', async () => {
    const { press, taken } = await open()
    expect(await press('p1', 0, 'bob')).toBe('Only the person who asked can answer this.')
    expect(taken).toEqual([])
    expect(await press('p2', 0)).toBeUndefined()
  })

  it('comes too late after an answer in words or after another question', async () => {
    const { press, say, taken } = await open()
    expect(await say('m1', 'yes')).toMatchObject({ closed: { choice: 'Run it' } })
    expect(await press('p1', 1)).toBe('This was answered already: **Run it**.')
    const other = await open()
    expect(await other.say('m1', 'How many are there?')).toEqual({ text: 'How many are there?', closed: { question: 'run_1' } })
    expect(await other.press('p1', 1)).toMatch(/^You went on to something else/)
    expect([...taken, ...other.taken]).toEqual([])
  })

  it('is told if the question has expired or has no such choice', async () => {
    const { press, taken } = await open()
    expect(await press('p1', 0, 'ann', 'run_9')).toMatch(/^I no longer have this/)
    expect(await press('p1', 5)).toMatch(/^I no longer have this/)
    expect(taken).toEqual([])
  })
})

describe('words in the thread', () => {
  it('answer no question from after they were written, and none that a button has answered', async () => {
    const { press, say } = await open()
    expect(await say('m1', 'yes', 999)).toEqual({ text: 'yes' })
    expect(await press('p1', 0)).toBeUndefined()
    expect(await say('m2', 'no')).toEqual({ text: 'no' })
  })

  it('have the same effect when handled again after a crash', async () => {
    const { say } = await open()
    const first = await say('m1', '2')
    expect(first.resumes?.choice.value).toBe('stop')
    expect(await say('m1', '2')).toEqual(first)
    expect(await say('m2', '1')).toEqual({ text: '1' })
  })
})
