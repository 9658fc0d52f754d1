import { errorMessage } from './errors.ts'

/** The result of one check of a part of the installation, with advice. */
export interface CheckResult {
  /** The checked part of the installation: `warehouse`, `redis`, `model` … */
  readonly part: string
  /** The property that is checked: `version`, `grants` … */
  readonly check: string
  /** `not_configured` means that the part is not set up. This is not a failure. */
  readonly state: 'ok' | 'warning' | 'failed' | 'not_configured'
  readonly found: string
  /** The advice to the operator. Absent if there is nothing to do. */
  readonly advice?: string
}

/** Receives the results of a part one by one, so that a later failure does not lose the earlier ones. */
export type Report = (result: Omit<CheckResult, 'part'>) => void

export interface CheckOptions {
  readonly part: string
  readonly timeoutMs: number
  /** The advice in the report if the check itself fails or times out. */
  readonly advice: string
}

/**
 * Runs the checks of one part within a time limit. An error becomes a failed result, so the other checks still run. A check that
 * ignores its signal is abandoned at the time limit.
 * @throws the reason of `signal`, if it was aborted
 */
export async function runCheck(
  options: CheckOptions,
  check: (report: Report, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  signal.throwIfAborted()
  const results: CheckResult[] = []
  const ended = new AbortController()
  const limit = setTimeout(() => ended.abort(), options.timeoutMs)
  const onAbort = () => ended.abort()
  signal.addEventListener('abort', onAbort, { once: true })
  let open = true
  const report: Report = result => {
    if (open) results.push({ part: options.part, ...result })
  }
  try {
    await Promise.race([check(report, ended.signal), rejectionOf(ended.signal)])
  } catch (error) {
    signal.throwIfAborted()
    if (ended.signal.aborted) {
      const advice = `It may be slow or busy: try again. If it stays so: ${options.advice}`
      report({ check: 'answer', state: 'failed', found: `no result within ${options.timeoutMs / 1000} s`, advice })
    } else report({ check: 'answer', state: 'failed', found: errorMessage(error), advice: options.advice })
  } finally {
    open = false
    clearTimeout(limit)
    signal.removeEventListener('abort', onAbort)
    ended.abort()
  }
  return results
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}
