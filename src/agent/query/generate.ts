import { z } from 'zod'
import { chartRequestSchema } from '../../charts/chart-request.ts'
import type { VerifiedQuery } from '../../domain/files.ts'
import { domainHints } from '../../domain/hints.ts'
import { similarQueries } from '../../domain/similar-queries.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { contractText, type Scan } from '../planning/scan.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, SchemaContext } from '../run/context.ts'
import type { FailedAttempt } from '../run/result.ts'
import { describeNow } from '../run/time-context.ts'
import { namedTablesPrompt } from '../schema/named-tables-prompt.ts'
import { schemaPrompt } from '../schema/schema-prompts.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { type Narrowing, narrowingPrompt } from './narrowing.ts'

const draftSchema = z.object({
  sql: z.string(),
  explanation: z.string(),
  assumptions: z.array(z.string()),
  deciding_assumptions: z.array(z.string()).default([]),
  // A chart that cannot be parsed is dropped. The query is useful without it, and need not be written again.
  chart: chartRequestSchema.nullable().default(null).catch(null),
})

export type SqlDraft = z.infer<typeof draftSchema>

/**
 * The schema of every draft except one that narrows a costly query. The SQL must not be empty here. When the model narrows a
 * query, empty SQL means that the query cannot be narrowed.
 */
const firstDraftSchema = draftSchema.extend({ sql: z.string().min(1) })

export interface DraftOptions {
  readonly schema: Schema
  readonly id: string
  readonly dataQuestion: string
  /** The names of the tables that the plan expects in the query. */
  readonly tables?: readonly string[]
  readonly question: string
  /** The promised result, if the query belongs to a plan over several sources. Absent for other queries. */
  readonly scan?: Scan
  /** The earlier attempts with their errors, so that the model does not repeat them. */
  readonly failed: readonly FailedAttempt[]
  /** The query to narrow, if a valid query was too expensive. Otherwise null. */
  readonly narrowing: Narrowing | null
}

/** Returns the key and the input of the model call that writes the SQL. They identify the call in the log of a resumed run. */
export function draftingOf({ id, question, dataQuestion, scan, failed, narrowing }: DraftOptions) {
  return {
    key: { step: 'generate', query: id, attempt: failed.length + 1 },
    input: { question, data_question: dataQuestion, failed, narrowing, ...(scan && { columns: scan.columns }) },
  } as const
}

type DraftingContext = ModelContext & Omit<SchemaContext, 'schemaSource'>

/**
 * Writes the SQL of one data question.
 * @param onSql receives the SQL before its explanation is complete; the final draft may have other SQL
 * @throws ModelError
 */
export async function generate(
  context: DraftingContext,
  options: DraftOptions,
  signal: AbortSignal,
  onSql?: (sql: string) => void,
): Promise<SqlDraft> {
  const { request, domain } = context
  const { failed, narrowing } = options
  const { key, input } = draftingOf(options)
  const draft = await askForJson(
    context,
    {
      ...key,
      subject: options.dataQuestion,
      input,
      values: {
        shown_rows: `${AGENT_LIMITS.write.shownRows}`,
        bars: rangeOf(AGENT_LIMITS.chart.bars),
        slices: rangeOf(AGENT_LIMITS.chart.slices),
        schema: tablesOf(context, options) ?? schemaPrompt(options.schema),
        domain: domain().full,
        verified: verifiedPrompt(similarQueries(options.dataQuestion, domain().verifiedQueries)),
        now: describeNow(request),
        question: questionPrompt(options.question),
        data_question: `${fenceData('data question', options.dataQuestion)}${options.scan ? `\n\n${contractText(options.scan)}` : ''}`,
        attempts: attemptsPrompt(failed, attempt => !foundNothing(attempt) && attempt.sql !== narrowing?.sql),
        found_nothing: attemptsPrompt(failed, foundNothing),
        too_expensive: narrowing === null ? '' : narrowingPrompt(narrowing, options.schema),
      },
      output: { schema: narrowing === null ? firstDraftSchema : draftSchema, field: 'sql' },
      onField: sql => onSql?.(withoutFence(sql)),
    },
    signal,
  )
  return { ...draft, sql: withoutFence(draft.sql) }
}

/**
 * Returns the schema for a first attempt. It describes only the tables that the plan names in full. After a failed attempt,
 * returns undefined: then the model sees all tables in full.
 */
function tablesOf({ domain, databases }: DraftingContext, { schema, tables = [], dataQuestion, question, failed }: DraftOptions) {
  if (failed.length > 0) return undefined
  return namedTablesPrompt(schema, tables, domainHints(`${dataQuestion} ${question}`, domain(), databases[0] ?? 'default').keys())
}

/**
 * Writes the verified queries that are most similar to the question. They belong to the variable part of the prompt, because they
 * differ from question to question.
 */
function verifiedPrompt(queries: readonly VerifiedQuery[]): string {
  return queries.map(({ question, sql }) => `${fenceData('question', question)}\n${fenceData('sql', sql)}`).join('\n\n')
}

function attemptsPrompt(failed: readonly FailedAttempt[], isMeant: (attempt: FailedAttempt) => boolean): string {
  return failed
    .flatMap((attempt, index) => (isMeant(attempt) ? [{ ...attempt, number: index + 1 }] : []))
    .map(
      ({ number, sql, message }) =>
        `Attempt ${number}:\n${fenceData('sql', sql)}\nwhat was wrong:\n${fenceData('error', message)}`,
    )
    .join('\n\n')
}

function foundNothing({ kind }: FailedAttempt): boolean {
  return kind === 'empty'
}

function rangeOf({ least, most }: { readonly least: number; readonly most: number }): string {
  return `${least} to ${most}`
}

/** Removes a code fence around SQL. Some models write one, even inside JSON. */
export function withoutFence(sql: string): string {
  const text = sql.trim()
  const opening = /^```[a-z]*\s*\n/i.exec(text)?.[0].length
  if (opening === undefined || opening > text.length - 3 || !text.endsWith('```')) return sql
  return text.slice(opening, -3).trimEnd()
}
