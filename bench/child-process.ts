import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program of the benchmark in a process of its own. It reads and prints lines of JSON. */
export interface ChildProgram {
  readonly pid: number
  tell(line: object): void
  /** Calls `listener` with each further line that the program prints. @returns a function that ends this */
  hear(listener: (line: unknown) => void): () => void
  /** Returns the first result of `find` for a further line. @throws Error with the program's standard error, if the program ends first */
  next<Found>(find: (line: unknown) => Found | undefined): Promise<Found>
  /** Closes the program's standard input, which tells it to end, and waits for its end. */
  stop(): Promise<void>
}

const RUN_TYPESCRIPT = ['bench/run-ts.mjs']

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Allows the program to collect garbage before it reports its memory. The option slows programs down, so it is off when time is measured. */
  readonly collectsAtWill?: boolean
}

/** Starts `node FILE` in a process. The file may be TypeScript. The process gets only PATH and HOME from the environment. */
export function startProgram(
  file: string,
  args: readonly string[] = [],
  { env = {}, collectsAtWill = false }: ProgramOptions = {},
): ChildProgram {
  const runner = file.endsWith('.ts') ? RUN_TYPESCRIPT : []
  const child = spawn(process.execPath, [...(collectsAtWill ? ['--expose-gc'] : []), ...runner, file, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const listeners = new Set<(line: unknown) => void>()
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', line => void said.push(line))
  createInterface({ input: child.stdout }).on('line', line => {
    if (!line.startsWith('{')) return
    const value: unknown = JSON.parse(line)
    for (const listener of [...listeners]) listener(value)
  })
  const ended = once(child, 'close')
  const hear = (listener: (line: unknown) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    pid: child.pid ?? 0,
    tell: line => void child.stdin.write(`${JSON.stringify(line)}\n`),
    hear,
    async next(find) {
      const found = new Promise<ReturnType<typeof find>>(resolve => {
        const stop = hear(line => {
          const value = find(line)
          if (value === undefined) return
          stop()
          resolve(value)
        })
      })
      const value = await Promise.race([found, ended.then(() => undefined)])
      if (value === undefined) throw new Error(`${file} ended:\n${said.slice(-20).join('\n')}`)
      return value
    },
    stop: () => end(child, ended),
  }
}

const STOP_MS = 10_000

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.stdin?.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(timer)
}
