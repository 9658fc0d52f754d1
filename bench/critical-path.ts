import { firstTokenDelay, type ModelPreset, writingTime } from './model/presets.ts'
import type { LoggedRequest } from './model/request-log.ts'

/** The shortest possible times for one question, from the model's speed alone. All are milliseconds since the question. */
export interface CriticalPath {
  /** The model has written the first data question of its plan. */
  readonly plan: number
  /** The model has written the SQL of the first query. */
  readonly firstSql: number
  /** The model has written the answer's first sentence, and the explanations of all SQL. */
  readonly firstWords: number
  readonly complete: number
  /** The model could have written the first part of a plan by this time, if the plan were requested at once. */
  readonly firstElementAlone: number
}

/**
 * Returns the lower bound of Clew's time with this model, from the tokens of its requests and the model's pace alone. `full` is a request's whole
 * time, and `at` the time until a part of its answer is written. Times count from the question:
 *
 *   classified = full(classify)
 *   planStart  = 0, or classified if the plan is not begun ahead
 *   begun(i)   = 0 for SQL of the original message, else max(classified, planStart + at(decompose, element i))
 *   results    = max(classified, planStart + full(decompose), begun(i) + at(generate i, SQL) for every i)
 *   explained  = max(results, begun(i) + full(generate i) for every i)
 *   complete   = max(explained, results + full(synthesize))
 *
 * Queries, checks, Redis and the program itself take no time here.
 */
export function criticalPath(requests: readonly LoggedRequest[], preset: ModelPreset): CriticalPath {
  const full = (request: LoggedRequest) => at(request, request.completionTokens, preset)
  const of = (step: string) => {
    const found = requests.find(request => request.step === step && isWhole(request))
    if (found === undefined) throw new Error(`the model was not asked for ${step}`)
    return found
  }
  const classify = of('classify')
  const decompose = of('decompose')
  const synthesize = of('synthesize')
  const classified = full(classify)
  const isAhead = decompose.startedAt < (classify.endedAt ?? 0)
  const planStart = isAhead ? 0 : classified
  const element = (part: number) =>
    planStart + at(decompose, decompose.marks[`element ${part}`] ?? decompose.completionTokens, preset)
  const drafts = requests.filter(request => request.step === 'generate' && isWhole(request))
  const planned = drafts.filter(({ part }) => part !== 0)
  // SQL that was drafted for the original message counts only if no other SQL was written.
  const counted = planned.length === 0 ? drafts : planned
  const begun = (draft: LoggedRequest) => {
    const isDirect = draft.startedAt < (classify.endedAt ?? 0)
    return isDirect ? 0 : Math.max(classified, element(draft.part ?? 1))
  }
  const written = counted.map(draft => begun(draft) + at(draft, draft.marks.sql ?? draft.completionTokens, preset))
  const results = Math.max(classified, planStart + full(decompose), ...written)
  const explained = Math.max(results, ...counted.map(draft => begun(draft) + full(draft)))
  return {
    plan: Math.max(classified, element(1)),
    firstSql: Math.max(classified, Math.min(...written)),
    firstWords: Math.max(explained, results + at(synthesize, synthesize.marks.sentence ?? synthesize.completionTokens, preset)),
    complete: Math.max(explained, results + full(synthesize)),
    firstElementAlone: at(decompose, decompose.marks['element 1'] ?? decompose.completionTokens, preset),
  }
}

/** Returns the milliseconds from the request until the model has written this many tokens. */
function at({ promptTokens, cachedTokens }: LoggedRequest, tokens: number, preset: ModelPreset): number {
  return firstTokenDelay(preset, promptTokens - cachedTokens) + writingTime(preset, tokens)
}

/** Whether the program read the model's answer to its end. */
function isWhole({ sentTokens, completionTokens }: LoggedRequest): boolean {
  return sentTokens === completionTokens
}
