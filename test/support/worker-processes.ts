import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { compiledEntry } from '../../src/base/package-files.ts'

interface WorkerOptions {
  readonly concurrency?: number
  readonly graceMs?: number
}

/** Starts workers as separate processes, so that tests can kill them. */
export interface WorkerProcesses {
  start(options?: WorkerOptions): Promise<ChildProcess>
  /** Returns the workers that are running now. */
  running(): readonly ChildProcess[]
  /** From now on, starts a worker whenever fewer than `count` are running. */
  keep(count: number, options?: WorkerOptions): void
  /** Kills all workers and starts no further ones. */
  killAll(): Promise<void>
}

export function createWorkerProcesses(redisUrl: string): WorkerProcesses {
  const processes = new Set<ChildProcess>()
  let kept = 0
  let keeping = Promise.resolve()

  async function keepRunning(options?: WorkerOptions): Promise<void> {
    while (kept > 0) {
      if (processes.size < kept) await start(options)
      else await wait(50)
    }
  }

  async function start(options: WorkerOptions = {}): Promise<ChildProcess> {
    const args = [redisUrl, String(options.concurrency ?? 4), String(options.graceMs ?? 1000)]
    const worker = spawn(process.execPath, [compiledEntry('test/queue-worker-process'), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    processes.add(worker)
    worker.once('exit', () => processes.delete(worker))
    await Promise.race([once(worker.stdout, 'data'), once(worker, 'exit')])
    return worker
  }

  return {
    start,
    running: () => [...processes],
    keep(count, options) {
      kept = count
      keeping = keepRunning(options)
    },
    async killAll() {
      kept = 0
      await keeping
      await Promise.all([...processes].map(kill))
    },
  }
}

/** Kills a process, as a crash would, and waits until it has ended. */
export async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const gone = once(worker, 'exit')
  worker.kill('SIGKILL')
  await gone
}
