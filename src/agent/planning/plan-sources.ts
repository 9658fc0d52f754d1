import { z } from 'zod'
import { chartRequestSchema } from '../../charts/chart-request.ts'
import { COMBINE_LIMITS } from '../../combine/limits.ts'
import { planDraftSchema, type SubQuery, subQuerySchema } from '../../combine/plan.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext, SourceInPlan } from '../run/context.ts'
import { describeNow } from '../run/time-context.ts'
import { conversationPrompt } from '../understand/conversation-prompt.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { sourcesPrompt } from './sources-prompt.ts'

const draftSchema = planDraftSchema.extend({
  clarification: z.object({ question: z.string(), choices: z.array(z.string()) }).nullable(),
  /** Set if several sources could answer, and the answers would differ. */
  datasource: z.object({ question: z.string(), sources: z.array(z.string()) }).nullable(),
  error: z.string().nullable(),
  /** How to draw the last result of the plan. A chart that cannot be parsed is dropped, because the plan is useful without it. */
  chart: chartRequestSchema.nullable().default(null).catch(null),
})
/** A plan over several sources as the model wrote it. */
export type SourcesDraft = z.infer<typeof draftSchema>

/** Receives each sub-query as soon as it is complete. A later call with the same index replaces the earlier sub-query. */
export type OnSubQuery = (index: number, subQuery: SubQuery) => void

const EMPTY: SourcesDraft = {
  sub_queries: [],
  combines: [],
  posts: [],
  clarification: null,
  datasource: null,
  error: null,
  chart: null,
}

/**
 * Plans a question over several sources: what to ask each of them, and how to combine the results.
 * @param refused the plan of the first attempt, with the reason why a program refused it
 */
export async function planSources(
  context: ModelContext & QuestionContext,
  {
    sources,
    question,
    refused,
  }: {
    readonly sources: readonly SourceInPlan[]
    readonly question: string
    readonly refused?: { readonly draft: SourcesDraft; readonly reason: string }
  },
  onSubQuery: OnSubQuery,
  signal: AbortSignal,
): Promise<SourcesDraft> {
  const { request, domain } = context
  return askForJson(
    context,
    {
      step: 'plan_sources',
      ...(refused && { attempt: 2 }),
      subject: question,
      input: { question, sources: sources.map(({ config }) => config.id), refused: refused?.reason ?? null },
      values: {
        most_sub_queries: `${COMBINE_LIMITS.plan.subQueries}`,
        most_choices: `${AGENT_LIMITS.askBack.choices}`,
        sources: sourcesPrompt(sources),
        domain: domain().full,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: questionPrompt(question),
        refused: refused === undefined ? '' : refusedPrompt(refused),
      },
      output: { schema: draftSchema, elements: { property: 'sub_queries', schema: subQuerySchema } },
      onElement: (index, element) => {
        if (index < COMBINE_LIMITS.plan.subQueries) onSubQuery(index, element)
      },
      fallback: EMPTY,
    },
    signal,
  )
}

function refusedPrompt({
  draft: { sub_queries, combines, posts },
  reason,
}: {
  readonly draft: SourcesDraft
  readonly reason: string
}) {
  return `${fenceData('plan', JSON.stringify({ sub_queries, combines, posts }))}\nwhat was wrong:\n${fenceData('error', reason)}`
}
