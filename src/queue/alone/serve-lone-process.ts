import { Worker } from 'node:worker_threads'
import { UnrecoverableError } from 'bullmq'
import { errorMessage } from '../../base/errors.ts'
import { DrainStoppedError } from '../drain/drain-stopped-error.ts'
import { LONE_LIMITS } from '../limits.ts'
import { type FromLone, fromWorkerSchema } from './protocol.ts'
import { type LoneTask, loneTaskSchema } from './tasks.ts'

/**
 * Does a task.
 * @param signal aborts with DrainStoppedError when the task must be given back unfinished
 */
export type DoTask = (task: LoneTask, signal: AbortSignal) => Promise<unknown>

/**
 * The code of a thread that kills this process when the parent process has exited. It runs in a thread of its own, so it works
 * even while a task blocks the event loop.
 */
const END_WITH_PARENT = `
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)
`

/**
 * Makes this process do its worker's tasks, one at a time, until the worker exits.
 * @param open opens the parts that tasks need; it runs before the first task, so no task is blamed for a failed start
 */
export async function serveLoneProcess(open: () => Promise<DoTask>): Promise<void> {
  process.once('disconnect', () => process.exit())
  // If the worker exited before this listener was added, no `disconnect` follows. So this process must exit here.
  if (!process.connected) process.exit()
  // A terminal sends these signals to the worker and to this process. This process ignores them, because the worker stops it in
  // an orderly way.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  new Worker(END_WITH_PARENT, { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } })
  const tell = (what: FromLone) => process.send?.(what, () => undefined)
  setInterval(() => tell({ kind: 'alive' }), LONE_LIMITS.beatMs)

  const doTask = await open()
  let running = new AbortController()
  process.on('message', async said => {
    const told = fromWorkerSchema.parse(said)
    if (told.kind === 'stop') return running.abort(new DrainStoppedError())
    running = new AbortController()
    try {
      tell({ kind: 'done', value: await doTask(loneTaskSchema.parse(told.task), running.signal) })
    } catch (error) {
      tell({ kind: 'failed', error: errorMessage(error), retryable: !(error instanceof UnrecoverableError) })
    }
  })
  tell({ kind: 'ready' })
}
