import { Worker } from 'node:worker_threads'
import type { Logger } from './logger.ts'
import { compiledEntry } from './package-files.ts'
import { endRun, type WorkAtHand } from './watched-work.ts'

/**
 * Limits in milliseconds. On Linux, they apply to the main thread's processor time, so that a busy machine alone never ends a
 * run.
 */
export const LOOP_LIMITS = {
  /** How often the event loop signals that it is not blocked. */
  beatMs: 100,
  /** How often the watching thread checks for these signals. */
  lookMs: 250,
  /**
   * If a step blocks the loop for longer, its run is ended. While the loop is blocked, everything else waits, and locks expire
   * after 8 s. The limit is above 1 s, because the first answer on a busy machine loads modules for up to a second.
   */
  heldMs: 1_500,
  /** If the loop stays blocked for longer, the process is killed. Another worker then determines which message was the cause. */
  lostMs: 30_000,
} as const
export type LoopLimits = Readonly<Record<keyof typeof LOOP_LIMITS, number>>

/** A report that a step has blocked the event loop for too long. */
export interface HeldLoop {
  readonly heldMs: number
  readonly work: WorkAtHand | null
  readonly isCertain: boolean
}

/**
 * Watches this process's event loop from a separate thread. If a step blocks the loop too long, only the run of that step is
 * ended, as soon as the loop is free. If the loop stays blocked, the thread logs this and kills the process.
 */
export function watchLoop(logger: Logger, limits: LoopLimits = LOOP_LIMITS): { close(): Promise<void> } {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const beating = setInterval(() => Atomics.add(beats, 0, 1), limits.beatMs).unref()
  const options = { workerData: { beats, limits }, execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: 16 } }
  const thread = new Worker(compiledEntry('base/watch-loop-thread'), options)
  thread.unref()
  thread.on('message', ({ work, isCertain, ...held }: HeldLoop) => {
    const fields = { ...(work && { run: work.run, step: work.step }), heldMs: Math.round(held.heldMs) }
    if (work === null || !isCertain) return logger.warn(fields, 'the event loop was kept, and it is not certain by whom')
    logger.error(fields, 'a step has kept the event loop; its run is ended')
    endRun(work.key)
  })
  thread.on('error', error => logger.error({ error: error.message }, 'nobody watches the event loop'))
  return {
    async close() {
      clearInterval(beating)
      await thread.terminate()
    },
  }
}
