import { setMaxListeners } from 'node:events'
import { DAY_MS } from '../../base/durations.ts'
import type { StateStore } from '../../store/state-store.ts'
import { type Feedback, type FeedbackStore, feedbackSchema } from './feedback.ts'

/**
 * Creates a store that keeps feedback in the state store, in one list per day. A list expires when its last entry expires. A
 * person's latest verdict on a run also has a key of its own.
 * @param deps.now Unix time in milliseconds
 */
export function createFeedbackStore(deps: {
  readonly store: StateStore
  readonly retentionSeconds: number
  readonly now: () => number
}): FeedbackStore {
  const { store, retentionSeconds, now } = deps
  return {
    async give(feedback, signal) {
      const text = JSON.stringify(feedback)
      await store.append(keyOf(feedback.at), text, retentionSeconds, signal)
      await store.set(ownKeyOf(feedback), text, retentionSeconds, signal)
    },
    async find(of, signal) {
      const text = await store.get(ownKeyOf(of), signal)
      return text === undefined ? undefined : readFeedback(text)[0]
    },
    async list(signal) {
      const days = Math.ceil((retentionSeconds * 1000) / DAY_MS)
      const keys = Array.from({ length: days + 1 }, (_, age) => keyOf(now() - age * DAY_MS))
      // Reading the lists of all days in parallel adds many listeners to one signal, and Node would warn. So the reads get a
      // signal of their own, without a limit on listeners.
      const own = AbortSignal.any([signal])
      setMaxListeners(0, own)
      const said = (await Promise.all(keys.map(key => store.list(key, own)))).flat().flatMap(readFeedback)
      const latest = new Map<string, Feedback>()
      for (const feedback of said.sort((a, b) => a.at - b.at)) latest.set(`${feedback.runId} ${feedback.user}`, feedback)
      return [...latest.values()].sort((a, b) => b.at - a.at)
    },
  }
}

function keyOf(at: number): string {
  return `feedback:${new Date(at).toISOString().slice(0, 10)}`
}

function ownKeyOf({ runId, platform, user }: Pick<Feedback, 'runId' | 'platform' | 'user'>): string {
  return `feedback:${runId}:${platform}/${user}`
}

function readFeedback(text: string): Feedback[] {
  const parsed = feedbackSchema.safeParse(JSON.parse(text))
  return parsed.success ? [parsed.data] : []
}
