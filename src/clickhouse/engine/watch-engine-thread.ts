import { workerData } from 'node:worker_threads'
import { CLICKHOUSE_LIMITS } from '../limits.ts'

const { everyMs, missed } = CLICKHOUSE_LIMITS.engine.heartbeat
const beats = workerData as Int32Array
let seen = 0
let silent = 0

// Counts timer ticks instead of elapsed time. Timers stop while the machine sleeps, so sleep does not look like missed
// heartbeats.
setInterval(() => {
  const now = Atomics.load(beats, 0)
  silent = now === seen ? silent + 1 : 0
  seen = now
  if (silent < missed) return
  process.stderr.write(`${new Date().toISOString()} the engine ends, since it answers nothing any more\n`)
  process.kill(process.pid, 'SIGKILL')
}, everyMs)
