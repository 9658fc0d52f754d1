import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { CLEW } from './run-clew.ts'

/** `clew` in a terminal of its own. As in a real terminal, Ctrl-C becomes a signal. */
export interface PseudoTerminal {
  readonly child: ChildProcess
  type(text: string): void
  /** Resolves when this text has appeared in the terminal, after so many characters of output. */
  shows(text: string, after?: number): Promise<void>
  /** Returns all output so far, including progress texts that were erased. */
  shown(): string
  /** Resolves with the exit code of `clew`. */
  readonly ended: Promise<number | null>
}

/** Starts `clew` in a terminal. The terminal comes from the program `script` of util-linux. */
export function openPseudoTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = process.cwd(),
): PseudoTerminal {
  // By `exec`, no shell stays in between, and a signal ends `clew` itself. A terminal of `script` has no size of its own.
  const command = `stty columns 100 rows 40; exec ${[process.execPath, CLEW, ...args].map(word => `"${word}"`).join(' ')}`
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env },
  })
  let shown = ''
  const waiting: { readonly text: string; readonly after: number; readonly resolve: () => void }[] = []
  child.stdout.setEncoding('utf8').on('data', part => {
    shown += part
    for (const each of waiting) if (shown.includes(each.text, each.after)) each.resolve()
  })
  return {
    child,
    type: text => void child.stdin.write(text),
    shows: (text, after = 0) =>
      new Promise(resolve => {
        waiting.push({ text, after, resolve })
        if (shown.includes(text, after)) resolve()
      }),
    shown: () => shown,
    ended: once(child, 'close').then(([status]) => status as number | null),
  }
}
