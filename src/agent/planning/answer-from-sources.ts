import { checkPlan } from '../../combine/check-plan.ts'
import { COMBINE_LIMITS } from '../../combine/limits.ts'
import type { SubQuery } from '../../combine/plan.ts'
import { confirmedTogether } from '../ask-back/confirm-cost.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import type { RunContext, SourceInPlan } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { withTaskGroup } from '../run/task-group.ts'
import { combineScans } from './combine-scans.ts'
import { planSources, type SourcesDraft } from './plan-sources.ts'
import { Scans } from './scans.ts'

/** A plan over several sources, with the reports of its sub-queries and of what was combined from them. */
export interface AnsweredSources {
  readonly draft: SourcesDraft
  readonly queries: readonly QueryReport[]
  /** Why the program could not combine the results. They then stand side by side. Null if it could, or need not. */
  readonly refused: string | null
}

/**
 * Plans a question over several sources, asks each of them, and combines the results. A sub-query is asked as soon as it is
 * planned, so several run at the same time. A plan that the program refuses is written once more. If that is refused too, the
 * sub-queries are answered side by side.
 * @throws InterruptError
 */
export async function answerFromSources(
  context: RunContext,
  sources: readonly SourceInPlan[],
  question: string,
  signal: AbortSignal,
): Promise<AnsweredSources> {
  return withTaskGroup(signal, async group => {
    const scans = new Scans(context, sources, question, group)
    const ask = { sources, question }
    const checked = (draft: SourcesDraft) => checkPlan(draft, { sources: sources.map(({ config }) => config.id) })
    let draft = await planSources(context, ask, scans.start, group.signal)
    if (isAskedBack(draft)) return { draft, queries: [], refused: null }
    let outcome = checked(draft)
    if ('refused' in outcome) {
      draft = await planSources(context, { ...ask, refused: { draft, reason: outcome.refused } }, scans.start, group.signal)
      if (isAskedBack(draft)) return { draft, queries: [], refused: null }
      outcome = checked(draft)
    }
    const plan = 'plan' in outcome ? outcome.plan : undefined
    // The engine starts while the sources are asked. If it does not start, combining fails with the reason.
    if (plan !== undefined && plan.terminals.length > 0) context.combiner?.start().catch(() => undefined)
    const subQueries = askable(draft, sources, question)
    const reports = await scans.finish(subQueries, plan)
    const interrupts = reports.filter(report => report instanceof InterruptError)
    if (interrupts.length > 0) throw confirmedTogether(interrupts, context.language)
    const answered = reports.filter((report): report is QueryReport => !(report instanceof InterruptError))
    if (plan === undefined) return { draft, queries: answered, refused: 'refused' in outcome ? outcome.refused : null }
    return {
      draft,
      ...(await combineScans(context, { plan, subQueries, scans, answered, question, chart: draft.chart }, group.signal)),
    }
  })
}

/** Whether the model asks the person, or says that no source has an answer. */
function isAskedBack({ clarification, datasource, error }: SourcesDraft): boolean {
  return [clarification?.question, datasource?.question, error].some(text => (text ?? '').trim() !== '')
}

/** Returns the sub-queries of a plan that can be asked, even if the plan was refused. */
function askable(
  { sub_queries: written }: SourcesDraft,
  sources: readonly SourceInPlan[],
  question: string,
): readonly SubQuery[] {
  const known = written.filter(({ source }) => sources.some(({ config }) => config.id === source))
  if (known.length > 0) return known.slice(0, COMBINE_LIMITS.plan.subQueries)
  const [first] = sources
  return first === undefined ? [] : [{ key: 'q', source: first.config.id, question, columns: [], restrict: null }]
}
