import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ChatError } from '../bots/chat-error.ts'
import type { Progress } from '../bots/reply.ts'
import { StoreError } from '../store/store-error.ts'
import { ThreadMustWaitError } from './outbox-call.ts'

/** Shows the latest progress of one run, at its own pace: what is overtaken before it could be shown never is. */
export interface ProgressEditor {
  /** @param progress asked for when it is about to be shown: a run comes further much more often than that */
  show(progress: () => Progress): void
  /** Ends it; resolves when nothing is under way any more, so that nothing can overwrite the answer. */
  stop(): Promise<void>
}

export interface ProgressEditorDeps {
  /** Shows the first lines where nothing is shown yet. */
  readonly begin: () => Promise<void>
  /** @returns whether there is more of it to show, at the next turn if nothing newer has come until then */
  readonly edit: (progress: Progress) => Promise<boolean>
  /** Takes one edit of the workspace's budget. @returns 0, or the milliseconds to wait before asking again */
  readonly takeFromBudget: () => Promise<number>
  readonly intervalMs: number
  /** The platform says that nothing can be shown here, now or later; or another worker has taken over. */
  readonly onFailure: (error: unknown) => void
}

export function startProgressEditor(deps: ProgressEditorDeps): ProgressEditor {
  const stopped = new AbortController()
  let latest: (() => Progress) | undefined
  let standing: Progress | undefined
  let wake = (): void => undefined

  async function run(): Promise<void> {
    await quietly(deps.begin)
    while (!stopped.signal.aborted) {
      if (latest === undefined) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
        continue
      }
      if (standing !== undefined && isDeepStrictEqual(latest(), standing)) {
        latest = undefined
        continue
      }
      const waitMs = await deps.takeFromBudget()
      if (waitMs > 0) {
        await pause(waitMs)
        continue
      }
      const shown = latest()
      latest = undefined
      standing = undefined
      const pauseMs = await quietly(async () => {
        if (await deps.edit(shown)) latest ??= () => shown
        else standing = shown
      })
      await pause(Math.max(pauseMs, deps.intervalMs))
    }
  }

  /** Progress is worth no retry: what is not shown now is overtaken by what comes next. @returns how long the platform asks to be left alone */
  async function quietly(work: () => Promise<void>): Promise<number> {
    try {
      await work()
      return 0
    } catch (error) {
      if (error instanceof ThreadMustWaitError) return error.waitMs
      if (error instanceof ChatError && error.kind === 'rate_limited') return error.retryAfterMs ?? 0
      if (error instanceof ChatError && (error.kind === 'unavailable' || error.kind === 'rejected')) return 0
      throw error
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: stopped.signal }).catch(() => undefined)
  }

  const running = run().catch(error => {
    // Without room in Redis there is no progress, but there may well be an answer.
    if (!stopped.signal.aborted && !(error instanceof StoreError)) deps.onFailure(error)
  })
  return {
    show(progress) {
      latest = progress
      wake()
    },
    async stop() {
      stopped.abort()
      wake()
      await running
    },
  }
}
