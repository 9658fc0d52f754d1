import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ChatError } from '../bots/chat-error.ts'
import type { Progress } from '../bots/reply.ts'
import { StoreError } from '../store/store-error.ts'
import { ThreadMustWaitError } from './outbox-call.ts'

/**
 * Shows the latest progress of one run, at its own pace: what is overtaken before it could be shown never is. What people wait for is shown as soon as it is
 * there: the plan's first line, the first rows, the first words.
 */
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
  /** Takes one edit of the workspace's budget. @param isAwaited it shows what people wait for. @returns 0, or the milliseconds to wait before asking again */
  readonly takeFromBudget: (isAwaited: boolean) => Promise<number>
  readonly intervalMs: number
  /** The same before what people wait for. */
  readonly awaitedIntervalMs: number
  /** The platform says that nothing can be shown here, now or later; or another worker has taken over. */
  readonly onFailure: (error: unknown) => void
}

/** How far a run has come in what people wait for: a status only, a plan, rows, words. */
function stageOf({ lines, table, answer }: Progress): number {
  if (answer !== undefined) return LAST_STAGE
  if (table !== undefined) return 2
  return lines.length > 1 ? 1 : 0
}
const LAST_STAGE = 3

export function startProgressEditor(deps: ProgressEditorDeps): ProgressEditor {
  const stopped = new AbortController()
  let latest: (() => Progress) | undefined
  let standing: Progress | undefined
  let shownStage = 0
  let wake = (): void => undefined

  async function run(): Promise<void> {
    await quietly(deps.begin)
    // What is only done now is hardly more than the first lines, which have just been shown.
    await pauseUnlessAwaited(deps.intervalMs)
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
      const isAwaited = isNextStage()
      const waitMs = await deps.takeFromBudget(isAwaited)
      if (waitMs > 0) {
        await (isAwaited ? pause(waitMs) : pauseUnlessAwaited(waitMs))
        continue
      }
      const shown = latest()
      latest = undefined
      standing = undefined
      const pauseMs = await quietly(async () => {
        if (await deps.edit(shown)) latest ??= () => shown
        else {
          standing = shown
          shownStage = Math.max(shownStage, stageOf(shown))
        }
      })
      // A part of it, or nothing, was shown: the rest keeps the pace.
      await (standing === undefined ? pause(Math.max(pauseMs, deps.intervalMs)) : pauseUnlessAwaited(deps.intervalMs))
    }
  }

  function isNextStage(): boolean {
    return shownStage < LAST_STAGE && latest !== undefined && stageOf(latest()) > shownStage
  }

  /** Pauses, cut short where people wait for what there is to show. */
  async function pauseUnlessAwaited(milliseconds: number): Promise<void> {
    const leastMs = Math.min(milliseconds, deps.awaitedIntervalMs)
    await pause(leastMs)
    const over = new AbortController()
    let isLooking = false
    wake = () => {
      if (isLooking) return
      isLooking = true
      // Once for all that comes in one turn of the event loop: to look costs as much as to show.
      setImmediate(() => {
        isLooking = false
        try {
          if (isNextStage()) over.abort()
        } catch {
          // What cannot be asked for fails when it is to be shown.
          over.abort()
        }
      })
    }
    wake()
    await pause(milliseconds - leastMs, AbortSignal.any([stopped.signal, over.signal]))
    wake = () => undefined
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

  async function pause(milliseconds: number, signal: AbortSignal = stopped.signal): Promise<void> {
    await wait(milliseconds, undefined, { signal }).catch(() => undefined)
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
