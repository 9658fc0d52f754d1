import { dirname, resolve } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import { readEvalCases } from '../evals/case.ts'
import type { CaseReport, EvalReport } from '../evals/report.ts'
import type { AnalystOptions } from './analyst-options.ts'
import { evaluateCases } from './evaluate-cases.ts'
import { openLibrary } from './open-library.ts'

export interface EvaluateOptions extends Omit<AnalystOptions, 'store'> {
  /** A file with one case per line, in the form of docs/evals.md. */
  readonly cases: string
  /** The folder of transcripts. A case that already has a transcript there is not asked again. */
  readonly out: string
  /** How many cases are asked at the same time. Default: 4. */
  readonly concurrency?: number | undefined
  /** Called when a case is done. `isNew` is false if an earlier call has already asked it. */
  readonly onCase?: ((report: CaseReport, isNew: boolean) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks the cases of a file, like `clew evals`, and reports how many answers are right.
 * @throws ConfigurationError for malformed cases or options; ModelError or WarehouseError if the model or the warehouse cannot be used
 */
export async function evaluate({
  cases: casesFile,
  out,
  concurrency = 4,
  onCase,
  signal,
  ...options
}: EvaluateOptions): Promise<EvalReport> {
  const { context, given, close } = openLibrary(options)
  try {
    const cases = await readEvalCases(casesFile)
    if (cases.length === 0) throw new ConfigurationError(`${casesFile} has no cases.`)
    const set = { cases, casesFile, folder: dirname(resolve(casesFile)), without: [], out, concurrency, onCase }
    return (await evaluateCases({ ...context, ...(signal && { signal }) }, given, set)).report
  } finally {
    await close()
  }
}
