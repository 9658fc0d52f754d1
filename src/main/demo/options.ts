import { parseArgs } from 'node:util'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'

export interface DemoOptions {
  /** Whether the demo ends after the sample conversation. */
  readonly once: boolean
  /**
   * Whether to ask the configured model the sample questions and record its answers. A demo without a model uses these
   * recordings.
   */
  readonly record: boolean
  /** Only these threads (conversations) are recorded. Empty: all threads. */
  readonly threads: readonly string[]
}

/**
 * Parses the arguments after `npm run demo --`.
 * @throws ConfigurationError for an unknown argument
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
