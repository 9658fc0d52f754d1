import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const CLEW = fileURLToPath(new URL('../../bin/clew.mjs', import.meta.url))

export interface FinishedClew {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/**
 * Runs `clew` to its end. Of this environment, it gets only PATH. Needs `dist/` (`node scripts/build.mjs`).
 * @param options.input its standard input
 * @param options.onOutput gets all output so far, and may stop the process
 */
export async function runClew(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: {
    readonly input?: string
    readonly cwd?: string
    readonly onOutput?: (output: string, kill: (signal: NodeJS.Signals) => void) => void
  } = {},
): Promise<FinishedClew> {
  const child = spawn(process.execPath, [CLEW, ...args], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', part => {
    output += part
    options.onOutput?.(output, signal => child.kill(signal))
  })
  child.stderr.setEncoding('utf8').on('data', part => {
    errors += part
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [status] = await once(child, 'close')
  return { status, output, errors }
}
