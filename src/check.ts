import { errorMessage } from './errors.ts'

/** One thing that was looked at from outside: what was found, and what to do about it. */
export interface CheckResult {
  /** The part of the installation: `warehouse`, `redis`, `model` … */
  readonly part: string
  /** What of it: `version`, `grants` … */
  readonly check: string
  /** `not_configured`: the part is switched off, which is no fault. */
  readonly state: 'ok' | 'warning' | 'failed' | 'not_configured'
  readonly found: string
  /** The way out; only where something is to be done. */
  readonly advice?: string
}

/** Takes the results of one part as they are found, so that what comes before a failure is kept. */
export type Report = (result: Omit<CheckResult, 'part'>) => void

export interface CheckOptions {
  readonly part: string
  readonly timeoutMs: number
  /** What to do when the check itself ends in an error, or in none. */
  readonly advice: string
}

/**
 * Runs the checks of one part within a time limit. What they throw becomes a failed result: one part never keeps the others from being
 * looked at. A check that ignores its signal is left behind when the time is up.
 * @throws the reason of `signal`, when that was aborted
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
