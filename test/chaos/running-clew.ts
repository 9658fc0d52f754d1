import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../bin/clew.mjs', import.meta.url))
const RESTART_MS = 300

/** A `clew` process that restarts whenever it ends, as under a process supervisor. */
export interface RunningClew {
  /** Kills the process, as a crash would. */
  kill(): void
  stop(): Promise<void>
}

/** @param log the file to which the processes append their log lines */
export function runClew(command: string, log: string, env: Readonly<Record<string, string>>): RunningClew {
  const file = openSync(log, 'a')
  let isStopping = false
  let child: ChildProcess | undefined
  const running = (async () => {
    while (!isStopping) {
      child = spawn(process.execPath, [CLI, command], {
        env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
        stdio: ['ignore', 'ignore', file],
      })
      await once(child, 'exit')
      if (!isStopping) await wait(RESTART_MS)
    }
  })()
  return {
    kill: () => void child?.kill('SIGKILL'),
    async stop() {
      isStopping = true
      child?.kill('SIGTERM')
      await running
      closeSync(file)
    },
  }
}
