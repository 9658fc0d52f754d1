import { parseArgs } from 'node:util'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'

export interface DemoOptions {
  /** Ends the demo after the sample conversation. */
  readonly once: boolean
  /** Asks the configured model the sample questions and records its answers. The demo can then repeat them without a model. */
  readonly record: boolean
  /** Records only these threads. Empty: all threads. */
  readonly threads: readonly string[]
}

/**
 * Parses the arguments after `npm run demo --`.
 * @throws ConfigurationError for an unknown one
 */
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
