import { Worker } from 'node:worker_threads'
import { errorMessage } from '../errors.ts'
import { LONE_LIMITS } from './limits.ts'
import { type FromLone, fromWorkerSchema } from './lone-protocol.ts'
import { type LoneTask, loneTaskSchema } from './lone-tasks.ts'
import { DrainStoppedError } from './settle-message.ts'

/** Does a task. @param signal aborted by a DrainStoppedError: the task is to be handed back. */
export type DoTask = (task: LoneTask, signal: AbortSignal) => Promise<unknown>

/** In a thread, which has its turn also while a task holds the process up. */
const END_WITH_PARENT = `
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)
`

/**
 * Makes this process one that does what its worker tells it, one task at a time, until the worker is gone.
 * @param open opens what tasks need; a task is taken only after that, so that a failed start is never blamed on one
 */
export async function serveLoneProcess(open: () => Promise<DoTask>): Promise<void> {
  process.once('disconnect', () => process.exit())
  // The worker may have died before anybody listened.
  if (!process.connected) process.exit()
  // A signal to all of a group is meant for the worker, which hands back what is done here.
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
      tell({ kind: 'failed', error: errorMessage(error) })
    }
  })
  tell({ kind: 'ready' })
}
