import { errorMessage } from './errors.ts'

/** The result of one check of an external part, with advice. */
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

/** Receives a part's results one by one, so that the results before a failure are not lost. */
export type Report = (result: Omit<CheckResult, 'part'>) => void

export interface CheckOptions {
  readonly part: string
  readonly timeoutMs: number
  /** The advice in the report if the check itself fails or times out. */
  readonly advice: string
}

/**
 * Runs the checks of one part within a time limit. An error becomes a failed result, so it never prevents other checks. At the time limit, a check
 * that ignores its signal is given up.
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
