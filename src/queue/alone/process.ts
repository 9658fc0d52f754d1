import { type ChildProcess, fork } from 'node:child_process'
import { getHeapStatistics } from 'node:v8'
import { errorMessage } from '../../base/errors.ts'
import { withTimeLimit } from '../../base/with-time-limit.ts'
import { abortable } from '../../store/abortable.ts'
import { LONE_LIMITS } from '../limits.ts'
import { type FromLone, type FromWorker, fromLoneSchema } from './protocol.ts'

/** The program of a lone process, which does one task at a time. It is a compiled file that calls `serveLoneProcess`. */
export interface LoneProcessOptions {
  readonly entry: string
  readonly args?: readonly string[]
  /** All environment variables of the process. The worker's own variables are not passed on. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The outcome of a task. `crashed`: the task killed its process, or blocked it for too long. The lone process also exits if its
 * worker dies, but that is not a crash.
 */
export type TaskOutcome =
  | { readonly kind: 'done'; readonly value?: unknown }
  | { readonly kind: 'failed'; readonly error: string; readonly retryable: boolean }
  | { readonly kind: 'crashed'; readonly how: string }

/** A process that does one task at a time. It exits whenever its parent process exits. */
export interface LoneProcess {
  /**
   * Does a task.
   * @param signal if it aborts, the process must give back its task in time, or it is killed
   * @throws the abort reason of the signal
   */
  do(task: unknown, signal: AbortSignal): Promise<TaskOutcome>
  end(): void
}

/**
 * Starts a process and waits until it is ready.
 * @throws Error if the process does not start, which is not the fault of any task
 * @throws the abort reason of the signal
 */
export async function startLoneProcess({ entry, args = [], env }: LoneProcessOptions, signal: AbortSignal): Promise<LoneProcess> {
  const ownMb = Math.round(getHeapStatistics().heap_size_limit / 2 ** 20)
  const child = fork(entry, [...args], {
    env,
    execArgv: [`--max-old-space-size=${Math.min(ownMb, LONE_LIMITS.heapMb)}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let missed = 0
  let hear = (_said: FromLone): unknown => undefined
  child.on('message', said => {
    missed = 0
    const told = fromLoneSchema.safeParse(said)
    if (told.success) hear(told.data)
    else child.kill('SIGKILL')
  })
  const exited = new Promise<string>(resolve => {
    child.on('error', error => resolve(errorMessage(error)))
    child.once('exit', (status, killedBy) => resolve(killedBy ?? `status ${status}`))
  })
  const ready = new Promise<void>(resolve => {
    hear = ({ kind }) => kind === 'ready' && resolve()
  })
  const failed = exited.then(how => Promise.reject(new Error(`it ended at its start: ${how}`)))
  try {
    await abortable(Promise.race([ready, failed]), withTimeLimit(signal, LONE_LIMITS.startMs))
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }

  return {
    async do(task, asked) {
      missed = 0
      const beat = setInterval(() => {
        missed += 1
        if (missed > LONE_LIMITS.missedBeats) child.kill('SIGKILL')
      }, LONE_LIMITS.beatMs)
      let overdue: NodeJS.Timeout | undefined
      const stop = () => {
        tell(child, { kind: 'stop' })
        overdue = setTimeout(() => child.kill('SIGKILL'), LONE_LIMITS.stopMs)
      }
      const ended = new Promise<TaskOutcome>(resolve => {
        hear = said => (said.kind === 'done' || said.kind === 'failed') && resolve(said)
      })
      tell(child, { kind: 'task', task })
      const crashed = (how: string): TaskOutcome => {
        asked.throwIfAborted()
        return { kind: 'crashed', how }
      }
      if (asked.aborted) stop()
      else asked.addEventListener('abort', stop, { once: true })
      try {
        return await Promise.race([ended, exited.then(crashed)])
      } finally {
        asked.removeEventListener('abort', stop)
        clearTimeout(overdue)
        clearInterval(beat)
      }
    },
    end() {
      child.kill('SIGKILL')
    },
  }
}

/** Sends a message to the child process. Ignores a failure, because another listener notices if the child has exited. */
function tell(child: ChildProcess, what: FromWorker): void {
  child.send(what, () => undefined)
}
