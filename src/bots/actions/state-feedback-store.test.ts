import { describe, expect, it } from '@jest/globals'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { Feedback } from './feedback.ts'
import { createFeedbackStore } from './state-feedback-store.ts'

const DAY_MS = 86_400_000
const signal = new AbortController().signal

const feedback = (changes: Partial<Feedback>): Feedback => ({
  runId: 'run_1',
  verdict: 'helpful',
  platform: 'slack',
  workspace: 'T1',
  user: 'U1',
  at: 0,
  question: 'how many?',
  standaloneQuestion: 'How many are there?',
  sql: [],
  ...changes,
})

describe('feedback in the state store', () => {
  it("counts each person's last verdict on a run, latest first", async () => {
    const store = createMemoryStateStore({ now: () => 2 * DAY_MS })
    const given = createFeedbackStore({ store, retentionSeconds: 600_000, now: () => 2 * DAY_MS })
    const second = feedback({ user: 'U2', at: 5 })
    const changed = feedback({ verdict: 'unhelpful', reason: 'wrong', at: DAY_MS + 1 })
    for (const each of [feedback({ at: 3 }), second, second, changed, feedback({ runId: 'run_2', at: 4 })])
      await given.give(each, signal)
    await store.append('feedback:1970-01-03', '{"version":"of another day"}', 60, signal)
    expect((await given.list(signal)).map(({ runId, user, verdict }) => `${runId} ${user} ${verdict}`)).toEqual([
      'run_1 U1 unhelpful',
      'run_1 U2 helpful',
      'run_2 U1 helpful',
    ])
    expect(await given.find({ runId: 'run_1', platform: 'slack', user: 'U1' }, signal)).toEqual(changed)
    expect(await given.find({ runId: 'run_2', platform: 'slack', user: 'U2' }, signal)).toBeUndefined()
  })

  it('forgets a day when it expires', async () => {
    let now = 0
    const store = createMemoryStateStore({ now: () => now })
    const given = createFeedbackStore({ store, retentionSeconds: 86_400, now: () => now })
    await given.give(feedback({}), signal)
    expect(await given.list(signal)).toHaveLength(1)
    now = DAY_MS + 1
    expect(await given.list(signal)).toEqual([])
  })
})
