import { parseArgs } from 'node:util'
import { ConfigurationError, errorMessage } from './errors.ts'

/** How the demo is called. */
export interface DemoOptions {
  /** Ends after the sample conversation. */
  readonly once: boolean
  /** Asks the sample questions of the configured model and keeps what it says for later replays. */
  readonly record: boolean
  /** Of the samples, only these threads are recorded; none named, all. */
  readonly threads: readonly string[]
}

/** Reads the arguments behind `npm run demo --`. @throws ConfigurationError for what the demo does not know, which would have it wait for ever */
export function readDemoOptions(args: readonly string[]): DemoOptions {
  const options = { once: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: args.includes('--record') })
    return { ...values, threads: positionals }
  } catch (error) {
    const reason = errorMessage(error).split('. ')[0]
    throw new ConfigurationError(
      `${reason}. The demo takes --once, to end after the sample conversation: npm run demo -- --once.`,
      {
        cause: error,
      },
    )
  }
}
