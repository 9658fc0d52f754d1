import { z } from 'zod'
import { memoizePerObject } from '../../base/memoize.ts'
import { chartRequestSchema } from '../../charts/chart-request.ts'
import { COMBINE_LIMITS } from '../../combine/limits.ts'
import { planDraftSchema, type SubQuery, subQuerySchema } from '../../combine/plan.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { JoinKey } from '../../sources/file-schema.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext, SourceInPlan } from '../run/context.ts'
import { sourceSchemaPrompt } from '../schema/schema-prompts.ts'
import { clarificationSchema, planningValues } from '../understand/planning-values.ts'

const draftSchema = planDraftSchema.extend({
  clarification: clarificationSchema,
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

const NOTHING = { sub_queries: [], combines: [], posts: [], clarification: null, datasource: null, error: null }

/** A question over several sources. */
export interface AskedSources {
  readonly sources: readonly SourceInPlan[]
  readonly question: string
  /** The plan of the first attempt, with the reason why a program refused it. */
  readonly refused?: { readonly draft: SourcesDraft; readonly reason: string }
}

/** Plans a question over several sources: what to ask each of them, and how to combine the results. */
export async function planSources(
  context: ModelContext & QuestionContext,
  { sources, question, refused }: AskedSources,
  onSubQuery: OnSubQuery,
  signal: AbortSignal,
): Promise<SourcesDraft> {
  return askForJson(
    context,
    {
      step: 'plan_sources',
      ...(refused && { attempt: 2 }),
      subject: question,
      input: { question, sources: sources.map(({ config }) => config.id), refused: refused?.reason ?? null },
      values: {
        most_sub_queries: `${COMBINE_LIMITS.plan.subQueries}`,
        sources: sourcesPrompt(sources),
        ...planningValues(context, question),
        refused: refused === undefined ? '' : refusedPrompt(refused),
      },
      output: { schema: draftSchema, elements: { property: 'sub_queries', schema: subQuerySchema } },
      onElement: (index, element) => {
        if (index < COMBINE_LIMITS.plan.subQueries) onSubQuery(index, element)
      },
      fallback: draftSchema.parse(NOTHING),
    },
    signal,
  )
}

function refusedPrompt({ draft: { sub_queries, combines, posts }, reason }: NonNullable<AskedSources['refused']>): string {
  return `${fenceData('plan', JSON.stringify({ sub_queries, combines, posts }))}\nwhat was wrong:\n${fenceData('error', reason)}`
}

const AWAY =
  'It cannot be reached now. Ask it all the same for what the message needs of it: a program tells the person what is missing.'

/** Writes the sources for a plan over them: each with its schema, and the columns that the operator has named as joins. */
function sourcesPrompt(sources: readonly SourceInPlan[]): string {
  const sections = sources.map(({ config: { id, description }, schema, isAway }) => {
    const about = fenceData('description', onOneLine(description, AGENT_LIMITS.planning.descriptionCharacters))
    const tables = schema.tables.length === 0 ? [] : [sourceSchemaPrompt(schema)]
    return [`## Source \`${id}\``, about, ...(isAway ? [AWAY] : []), ...tables].join('\n\n')
  })
  const joins = joinKeysIn(sources).map(({ left, right }) => {
    const [one, other] = [left, right].map(({ source, table, column }) => `${source}/${table}.${column}`)
    return `- ${one} = ${other}`
  })
  if (joins.length === 0) return sections.join('\n\n')
  return `${sections.join('\n\n')}\n\n## Columns of different sources that mean the same\n\n${fenceData('joins', joins.join('\n'))}`
}

/** Returns the operator's joins whose columns the asker may see. Each join stands in the configuration of all sources. */
function joinKeysIn(sources: readonly SourceInPlan[]): readonly JoinKey[] {
  const isVisible = ({ source, table, column }: JoinKey['left']) => {
    const found = sources.find(({ config }) => config.id === source)
    return found !== undefined && columnsOf(found.schema).has(`${table}.${column}`)
  }
  const keys = new Map(sources.flatMap(({ config }) => config.joinKeys.map(key => [JSON.stringify(key), key])))
  return [...keys.values()].filter(({ left, right }) => isVisible(left) && isVisible(right))
}

const columnsOf = memoizePerObject(
  ({ tables }: SourceInPlan['schema']): ReadonlySet<string> =>
    new Set(
      tables.flatMap(({ database, name, columns }) =>
        columns.filter(({ isPrivate }) => isPrivate !== true).map(column => `${database}.${name}.${column.name}`),
      ),
    ),
)
