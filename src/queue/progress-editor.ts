import { setTimeout as wait } from 'node:timers/promises'
import { ChatError } from '../bots/chat-error.ts'
import { StoreError } from '../store/store-error.ts'
import { ThreadMustWaitError } from './outbox-call.ts'

/** Shows the latest progress of one run, at its own pace: what is overtaken before it could be shown never is. */
export interface ProgressEditor {
  show(lines: readonly string[]): void
  /** Ends it; resolves when nothing is under way any more, so that nothing can overwrite the answer. */
  stop(): Promise<void>
}

export interface ProgressEditorDeps {
  /** Shows the first lines where nothing is shown yet. */
  readonly begin: () => Promise<void>
  readonly edit: (lines: readonly string[]) => Promise<void>
  /** Takes one edit of the workspace's budget. @returns 0, or the milliseconds to wait before asking again */
  readonly takeFromBudget: () => Promise<number>
  readonly intervalMs: number
  /** The platform says that nothing can be shown here, now or later; or another worker has taken over. */
  readonly onFailure: (error: unknown) => void
}

export function startProgressEditor(deps: ProgressEditorDeps): ProgressEditor {
  const stopped = new AbortController()
  let latest: readonly string[] | undefined
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
      const waitMs = await deps.takeFromBudget()
      if (waitMs > 0) {
        await pause(waitMs)
        continue
      }
      const lines = latest
      latest = undefined
      const pauseMs = await quietly(() => deps.edit(lines))
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
    show(lines) {
      latest = lines
      wake()
    },
    async stop() {
      stopped.abort()
      wake()
      await running
    },
  }
}
