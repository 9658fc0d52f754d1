import { Worker } from 'node:worker_threads'
import { CLICKHOUSE_LIMITS } from '../limits.ts'

const { everyMs } = CLICKHOUSE_LIMITS.engine.heartbeat

/**
 * Ends this process when the engine does not answer any more: a crashed thread may have left locks behind, and then even opening a session
 * waits for ever, in the main thread. So a thread of its own counts the heartbeats.
 * @param beat resolves when the engine has answered, or has nothing to do
 */
export function watchEngine(beat: () => Promise<void>): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  new Worker(new URL('./watch-engine-thread.js', import.meta.url), { workerData: beats, execArgv: [] }).unref()
  let isAsking = false
  setInterval(async () => {
    if (isAsking) return
    isAsking = true
    try {
      await beat()
      Atomics.add(beats, 0, 1)
    } catch {
      // Full of memory that is not refused, say: once it may be, ten times in a row it serves nobody.
    } finally {
      isAsking = false
    }
  }, everyMs).unref()
}
