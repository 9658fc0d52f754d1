import { checkPlan } from '../../combine/check-plan.ts'
import { COMBINE_LIMITS } from '../../combine/limits.ts'
import type { SubQuery } from '../../combine/plan.ts'
import type { RunContext, SourceInPlan } from '../run/context.ts'
import { withTaskGroup } from '../run/task-group.ts'
import { combineScans } from './combine-scans.ts'
import { type AskedSources, type OnSubQuery, planSources, type SourcesDraft } from './plan-sources.ts'
import { Scans } from './scans.ts'

/**
 * Plans a question over several sources, asks each of them, and combines the results. The SQL of a sub-query is written as soon as
 * it is planned, but no sub-query runs before the program has accepted the plan. A plan that it refuses is written once more. If
 * that is refused too, the sub-queries are answered side by side.
 * @returns the plan with the reports of its sub-queries and of what was combined from them. `refused` tells why the program could
 *   not combine the results, which then stand side by side. It is null if it could, or need not.
 * @throws InterruptError
 */
export async function answerFromSources(
  context: RunContext,
  sources: readonly SourceInPlan[],
  question: string,
  signal: AbortSignal,
) {
  return withTaskGroup(signal, async group => {
    const scans = new Scans(context, sources, question, group)
    const { draft, checked } = await plannedTwice(context, { sources, question }, scans.start, group.signal)
    if (isAskedBack(draft)) return { draft, queries: [], refused: null }
    const plan = 'plan' in checked ? checked.plan : undefined
    // The engine starts while the sources are asked. If it does not start, combining fails with the reason.
    if (plan !== undefined && plan.terminals.length > 0) context.combiner?.start().catch(() => undefined)
    const subQueries = plan === undefined ? askable(draft, sources, question) : draft.sub_queries
    const answered = await scans.finish(subQueries, plan)
    if ('refused' in checked) return { draft, queries: answered, refused: checked.refused }
    const asked = { plan: checked.plan, scans, answered, question, chart: draft.chart }
    return { draft, ...(await combineScans(context, asked, group.signal)) }
  })
}

/** Plans, and plans once more if the program refuses the plan. */
async function plannedTwice(context: RunContext, asked: AskedSources, onSubQuery: OnSubQuery, signal: AbortSignal) {
  const check = (draft: SourcesDraft) => checkPlan(draft, { sources: asked.sources.map(({ config }) => config.id) })
  const draft = await planSources(context, asked, onSubQuery, signal)
  const checked = check(draft)
  if (isAskedBack(draft) || 'plan' in checked) return { draft, checked }
  const refused = { draft, reason: checked.refused }
  const second = await planSources(context, { ...asked, refused }, onSubQuery, signal)
  return { draft: second, checked: check(second) }
}

/** Whether the model asks the person, or says that no source has an answer. */
function isAskedBack({ clarification, datasource, error }: SourcesDraft): boolean {
  return [clarification?.question, datasource?.question, error].some(text => (text ?? '').trim() !== '')
}

/** Returns the sub-queries of a refused plan that can be asked. */
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
