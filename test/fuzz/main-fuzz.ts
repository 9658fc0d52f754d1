import { randomInt } from 'node:crypto'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { startFuzzEngine } from './fuzz-engine.ts'
import { progressLine, reportLines } from './fuzz-report.ts'
import { Oracle } from './oracle.ts'
import { peakMemory } from './peak-memory.ts'
import { runFuzz } from './run-fuzz.ts'

const PROGRESS_EVERY_MS = 10_000
const USAGE_STATUS = 2

/**
 * The command `npm run fuzz`: judges random queries and reports the findings.
 * @param args the command line after the program's name
 * @returns the exit code: 0, 1 for a breach, a crash or a stuck query, 2 for invalid options
 */
export async function mainFuzz(args: readonly string[]): Promise<number> {
  const command = new Command('npm run fuzz --')
    .description('Has the SQL guard judge random queries, and the engine under exact grants judge the guard.')
    .requiredOption('--queries <count>', 'how many', atLeast(1))
    .option('--seed <number>', 'of an earlier run, to repeat it', atLeast(0))
    .option('--first <index>', 'of the first query', atLeast(0), 0)
    .allowExcessArguments(false)
    .exitOverride()
  try {
    command.parse(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
    throw error
  }
  const given = command.opts<{ queries: number; seed?: number; first: number }>()
  return fuzz({ ...given, seed: given.seed ?? randomInt(1_000_000_000) })
}

async function fuzz(options: { readonly queries: number; readonly seed: number; readonly first: number }): Promise<number> {
  const ended = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort())
  console.error(`seed ${options.seed}`)
  const engine = await startFuzzEngine(ended.signal)
  let shownAt = performance.now()
  const memory = peakMemory(() => [process.pid, engine.pid])
  try {
    const report = await runFuzz(
      options,
      {
        oracle: new Oracle(engine),
        restart: () => engine.restart(),
        onProgress(judged, tally) {
          memory.look()
          if (performance.now() - shownAt < PROGRESS_EVERY_MS) return
          shownAt = performance.now()
          console.error(progressLine(judged, options.queries, tally))
        },
      },
      ended.signal,
    )
    for (const line of reportLines(report)) console.log(line)
    console.log(`memory    ${memory.megabytes()} MB at most, in both processes`)
    return report.breaches.length === 0 && report.faults.length === 0 ? 0 : 1
  } catch (error) {
    if (!ended.signal.aborted) throw error
    console.error('Stopped.')
    return 130
  } finally {
    await engine.close()
  }
}

function atLeast(smallest: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= smallest) return value
    throw new InvalidArgumentError(`It must be a whole number from ${smallest} on.`)
  }
}
