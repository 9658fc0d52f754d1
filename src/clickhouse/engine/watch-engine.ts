import { Worker } from 'node:worker_threads'
import { compiledEntry } from '../../base/package-files.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'

const { everyMs } = CLICKHOUSE_LIMITS.engine.heartbeat

/**
 * Kills this process when the engine no longer answers. A crashed thread of the engine may leave locks behind, and then even
 * opening a session blocks the main thread forever. So a separate thread counts the main thread's heartbeats.
 * @param beat resolves when the engine has answered or is idle
 */
export function watchEngine(beat: () => Promise<void>): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  new Worker(compiledEntry('clickhouse/engine/watch-engine-thread'), { workerData: beats, execArgv: [] }).unref()
  let isAsking = false
  setInterval(async () => {
    if (isAsking) return
    isAsking = true
    try {
      await beat()
      Atomics.add(beats, 0, 1)
    } catch {
      // A single failed heartbeat may be harmless, for example if memory is full. Only ten in a row mean that the engine no
      // longer works.
    } finally {
      isAsking = false
    }
  }, everyMs).unref()
}
