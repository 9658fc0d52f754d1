import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ChatError } from '../../chat/error.ts'
import type { Progress } from '../../chat/reply.ts'
import { StoreError } from '../../store/store-error.ts'
import { ThreadMustWaitError } from './outbox-call.ts'

/**
 * Shows a run's latest progress at a limited pace. Progress that is outdated before its turn is skipped. The first plan, the
 * first rows and the first words have shorter waits.
 */
export interface ProgressEditor {
  /**
   * Tells the editor that progress has changed.
   * @param progress reads the progress; called only before an edit, because progress changes more often than Clew shows it
   */
  show(progress: () => Progress): void
  /** Resolves when no edit is in progress, so that no late edit can overwrite the answer. */
  stop(): Promise<void>
}

export interface ProgressEditorDeps {
  /** Shows the first lines of progress, if the message shows nothing yet. */
  readonly begin: () => Promise<void>
  /**
   * Shows progress by an edit.
   * @returns whether a part of it is still to be shown; the next edit then shows this progress or a newer one
   */
  readonly edit: (progress: Progress) => Promise<boolean>
  /**
   * Takes one edit from the workspace's budget.
   * @param isAwaited whether people wait for this edit
   * @returns 0, or the milliseconds until the next try
   */
  readonly takeFromBudget: (isAwaited: boolean) => Promise<number>
  readonly intervalMs: number
  /** The interval before an edit that people wait for. This interval is shorter than `intervalMs`. */
  readonly awaitedIntervalMs: number
  /** Called if progress can no longer be shown, or if another worker now answers the thread. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Returns the stage of progress: 0 for a status, 1 for a plan, 2 for rows, 3 for words. The first edit of a stage is made sooner
 * than others, because people wait for it.
 */
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
    // The first edit waits for the full interval unless there is more than a status. A status alone hardly differs from the lines
    // that `begin` shows.
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
      // After a partial or failed edit, the next edit waits for the full interval.
      await (standing === undefined ? pause(Math.max(pauseMs, deps.intervalMs)) : pauseUnlessAwaited(deps.intervalMs))
    }
  }

  function isNextStage(): boolean {
    return shownStage < LAST_STAGE && latest !== undefined && stageOf(latest()) > shownStage
  }

  /** Pauses. Ends the pause early when the next stage is ready. */
  async function pauseUnlessAwaited(milliseconds: number): Promise<void> {
    const leastMs = Math.min(milliseconds, deps.awaitedIntervalMs)
    await pause(leastMs)
    const over = new AbortController()
    let isLooking = false
    wake = () => {
      if (isLooking) return
      isLooking = true
      // Looks once for all changes within one turn of the event loop, because reading the progress costs as much as showing it.
      setImmediate(() => {
        isLooking = false
        try {
          if (isNextStage()) over.abort()
        } catch {
          // The error is dropped here. The next edit meets the same error and reports it.
          over.abort()
        }
      })
    }
    wake()
    await pause(milliseconds - leastMs, AbortSignal.any([stopped.signal, over.signal]))
    wake = () => undefined
  }

  /**
   * Makes an edit. Ignores a failure, because the next edit replaces this one.
   * @returns the pause that the platform demands, in milliseconds
   */
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
    // If Redis is away or full, progress fails. The answer may still succeed, so this error is not reported.
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
