import type { ContextPart } from '../evals/context-parts.ts'
import { type CaseReport, type EvalReport, evalReport } from '../evals/report.ts'
import { runEvalCase } from '../evals/run-eval-case.ts'
import { runEvals } from '../evals/run-evals.ts'
import { TranscribingLanguageModel } from '../evals/transcribing-language-model.ts'
import type { EvalTranscript } from '../evals/transcript.ts'
import { type EvalContext, type EvalSet, openEvalWorld } from './eval-world.ts'
import type { GivenParts } from './open-analyst.ts'
import { wireModel } from './parts.ts'

interface EvaluateHow {
  /** The name of the cases' file, for the report. */
  readonly casesFile: string
  /** The folder of transcripts. A case that already has a transcript there is not asked again. */
  readonly out: string
  /** How many cases are asked at the same time. */
  readonly concurrency: number
  /** Called when a case is done. `isNew` is false if an earlier call has already asked it. */
  readonly onCase?: ((report: CaseReport, isNew: boolean) => void) | undefined
}

/**
 * Asks cases, each with an analyst of its own.
 * @throws the errors of `evaluate`
 */
export async function evaluateCases(
  context: EvalContext,
  given: Omit<GivenParts, 'store'>,
  { casesFile, out: folder, concurrency, onCase, ...set }: EvalSet & EvaluateHow,
): Promise<{ readonly report: EvalReport; readonly transcripts: readonly EvalTranscript[] }> {
  const model = given.model ?? wireModel(context)
  const modelName = [context.config.model?.model ?? '', variantOf(set.without)].filter(text => text !== '').join(' ')
  const subject = { model: modelName, warehouse: given.warehouse ? undefined : addressOf(context.config.warehouse.url) }
  const world = await openEvalWorld(context, given, set)
  const transcripts = await runEvals(
    set.cases,
    {
      folder,
      subject,
      concurrency,
      answer: async (evalCase, signal) => {
        const own = new TranscribingLanguageModel(model)
        return await runEvalCase(evalCase, { ...(await world.partsFor(evalCase, own)), model: own, subject }, signal)
      },
      onTranscript: ({ report }, isNew) => onCase?.(report, isNew),
    },
    context.signal,
  )
  const about = { cases_file: casesFile, model: modelName, finished_at: new Date().toISOString() }
  const reports = transcripts.map(({ report }) => report)
  return { report: evalReport(about, reports), transcripts }
}

/** Returns an address without its user, whose password may change. */
function addressOf(url: string | undefined): string | undefined {
  return url?.replace(/\/\/[^@/]*@/, '//')
}

/** Returns the name of a variant of the prompts: empty if nothing is left out. */
export function variantOf(without: readonly ContextPart[]): string {
  return without.length === 0 ? '' : `without-${without.join('-')}`
}
