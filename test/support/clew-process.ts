import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../bin/clew.mjs', import.meta.url))
const START_TIMEOUT_MS = 90_000
/** The time limit for a process to stop. It is much longer than a process needs. */
const STOP_TIMEOUT_MS = 60_000

/** A running `clew` process. It needs the compiled files in `dist/` (`node scripts/build.mjs`). */
export interface ClewProcess {
  readonly pid: number
  /** The log lines of the process so far. */
  readonly log: readonly string[]
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>
  /** Kills the process, as a crash would. */
  kill(): Promise<void>
  /** Stops the process properly and waits for its end. @returns the exit code */
  stop(): Promise<number | null>
}

/**
 * Starts `clew <command>`. Resolves when the text `ready` appears in its log. The process does not get the test's environment variables.
 * @param options.cli the program to run; default: the one of this version
 */
export async function startClew(
  command: string,
  ready: string,
  env: Readonly<Record<string, string>>,
  { cli = CLI, flags = [] }: { readonly cli?: string | undefined; readonly flags?: readonly string[] } = {},
): Promise<ClewProcess> {
  const child = spawn(process.execPath, [cli, command, ...flags], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const log: string[] = []
  const lines = createInterface({ input: child.stderr })
  const started = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`clew ${command} did not start:\n${log.join('\n')}`)), START_TIMEOUT_MS)
    lines.on('line', line => {
      log.push(line)
      if (!line.includes(ready)) return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', code => {
      clearTimeout(timer)
      reject(new Error(`clew ${command} ended with ${code}:\n${log.join('\n')}`))
    })
  })
  const ended = once(child, 'exit').then(() => undefined)
  await started
  return {
    ended,
    pid: child.pid ?? 0,
    log,
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    stop: () => end(child, 'SIGTERM', log),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals, log: readonly string[] = []): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  // A process that does not stop in time is killed. Its last output is then printed.
  const timer = setTimeout(() => {
    process.stderr.write(`clew ${child.pid} did not stop in ${STOP_TIMEOUT_MS} ms:\n${log.slice(-20).join('\n')}\n`)
    child.kill('SIGKILL')
  }, STOP_TIMEOUT_MS)
  await exited
  clearTimeout(timer)
  return child.exitCode
}
