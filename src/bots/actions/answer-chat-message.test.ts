import { describe, expect, it } from '@jest/globals'
import { acceptedMessage, keepAnswers } from '../../../test/support/presses.ts'
import { queryReport } from '../../../test/support/query-report.ts'
import { runResult } from '../../../test/support/run-result.ts'
import { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import type { RunResult } from '../../agent/run/result.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { answerChatMessage } from './answer-chat-message.ts'

const signal = new AbortController().signal
const context = { speak: () => undefined, progress: () => {}, timeZone: async () => undefined, afterReply: () => {} }
const rows = [[1], [2]]
const chart = { kind: 'bar', title: 'Links', labels: ['a', 'b'], series: [{ name: 'n', values: [1, 2] }], unit: '' } as const

/** Returns the reply and the stored record for this result of the analyst. */
async function replyTo(given: Partial<RunResult>, changes: Partial<AcceptedMessage['message']> = {}, mayPublish = true) {
  const { records } = keepAnswers()
  const deps = {
    analyst: { ask: async () => ({ result: runResult(given), waiting: [], afterwards: async () => {} }) },
    questions: new OpenQuestions({ store: createMemoryStateStore({ now: () => 0 }), now: () => 0 }),
    records,
    access: { mayPublish: async () => mayPublish },
    showClosed: async () => {},
    keepFor: () => ({ keep: async () => 0, revised: async () => undefined }),
    now: () => 7,
  }
  const reply = await answerChatMessage(deps, acceptedMessage(changes), context, signal)
  const record = await records.load('run_1', signal)
  const labels = 'actions' in reply ? (reply.actions ?? []).map(({ label }) => label) : []
  return { reply, record, labels }
}

describe('the reply to a question', () => {
  it('is the answer with small print, chart and buttons, and all of it is stored', async () => {
    const queries = [
      queryReport({ rows }),
      queryReport({ id: 'Q2', explanation: ' Lists\nlinks. ', rows: [[1]], truncated: true }),
    ]
    const { reply, record, labels } = await replyTo({
      answer: 'Two [Q1].\n\n- A\n- B',
      queries,
      chart: { ...chart, labels: [...chart.labels], series: [{ name: 'n', values: [1, 2] }] },
    })
    const footer = '- [Q1] Counts devices per metro. (2 rows)\n- [Q2] Lists links. (1+ rows)'
    const markdown = 'Two [Q1].\n\n- A\n- B'
    expect(reply).toMatchObject({ kind: 'answer', markdown, footer, chart })
    expect(labels).toEqual(['Show SQL', 'Download CSV', 'Repeat this…', 'Helpful', 'Not helpful'])
    expect(record).toMatchObject({ markdown, footer, chart, author: 'U1', answeredAt: 7, isFailure: false })
    const [query] = record?.queries ?? []
    expect(query).toMatchObject({ id: 'Q1', row_count: 2 })
  })

  it("has buttons and small print in the question's language, and a greeting in the platform's", async () => {
    const { reply, labels } = await replyTo({
      answer: 'Zwei [Q1].\n\n- A\n- B',
      queries: [queryReport({ rows }), queryReport({ id: 'Q2', rows })],
      language: 'de',
    })
    expect(reply).toMatchObject({ footer: expect.stringContaining('- [Q1] Counts devices per metro. (2 Zeilen)\n') })
    expect(labels).toEqual(['SQL zeigen', 'CSV herunterladen', 'Wiederholen…', 'Hilfreich', 'Nicht hilfreich'])
    expect((await replyTo({}, { text: ' ', language: 'de' })).reply).toMatchObject({ markdown: expect.stringMatching(/^Hallo!/) })
  })

  it('offers no file without rows, and nothing without a query', async () => {
    expect((await replyTo({ queries: [queryReport({})] })).labels).toEqual(['Show SQL', 'Repeat this…', 'Helpful', 'Not helpful'])
    const { reply, labels } = await replyTo({ answer: 'Hello.', intent: 'conversational' })
    expect(reply).toEqual({ kind: 'answer', markdown: 'Hello.', result: expect.objectContaining({ answer: 'Hello.' }) })
    expect(labels).toEqual([])
  })

  it('offers a retry if every query failed', async () => {
    const { record, labels } = await replyTo({ queries: [queryReport({ error: 'No such table.' })] })
    expect(labels).toEqual(['Retry', 'Show SQL', 'Helpful', 'Not helpful'])
    expect(record?.isFailure).toBe(true)
  })

  it('offers to share a private answer if there are other readers and the rules allow it', async () => {
    const queries = [queryReport({})]
    const place = acceptedMessage().message.place
    expect((await replyTo({ queries }, { isPrivate: true })).labels).toContain('Post to channel')
    expect((await replyTo({ queries }, { isPrivate: true }, false)).labels).not.toContain('Post to channel')
    expect((await replyTo({ queries }, { isPrivate: true, place: { ...place, isDirect: true } })).labels).not.toContain(
      'Post to channel',
    )
    expect((await replyTo({ queries })).labels).not.toContain('Post to channel')
  })

  it('is a greeting for an empty message, and needs no record', async () => {
    const { reply, record } = await replyTo({}, { text: '  ' })
    expect(reply).toMatchObject({ kind: 'answer', markdown: expect.stringMatching(/^Hi!/) })
    expect(record).toBeUndefined()
  })
})
