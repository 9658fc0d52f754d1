import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

interface WorkerOptions {
  readonly concurrency?: number
  readonly graceMs?: number
}

/** Workers as separate processes, which can be killed. */
export interface WorkerProcesses {
  start(options?: WorkerOptions): Promise<ChildProcess>
  /** The running ones. */
  running(): readonly ChildProcess[]
  /** From now on starts a worker whenever there are fewer than `count`. */
  keep(count: number, options?: WorkerOptions): void
  /** Kills all, and starts no more. */
  killAll(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Compiles the tests' worker, once per test file. @throws if it does not compile */
export function compileWorkerProcess(): void {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'test/support/tsconfig.json'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the worker of the tests does not compile: ${stdout}`)
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
    const entry = `${root}dist/fixtures/test/support/queue-worker-process.js`
    const worker = spawn(process.execPath, [entry, redisUrl, String(options.concurrency ?? 4), String(options.graceMs ?? 1000)], {
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

/** Kills a process like a crash, and waits until it is gone. */
export async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const gone = once(worker, 'exit')
  worker.kill('SIGKILL')
  await gone
}
