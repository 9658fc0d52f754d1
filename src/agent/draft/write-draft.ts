import { z } from 'zod'
import { fenceData } from '../../llm/data-fence.ts'
import { writeJobDefinition } from '../../pipelines/jobs/write-definition.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { withoutFence } from '../query/generate.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext } from '../run/context.ts'
import { describeNow } from '../run/time-context.ts'
import { schemaPrompt } from '../schema/schema-prompts.ts'
import { conversationPrompt } from '../understand/conversation-prompt.ts'
import { databaseCount } from '../understand/decompose.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { draftOf } from './pipeline-draft.ts'

const operationSchema = z.object({ name: z.string(), description: z.string().default(''), sql: z.string() })
const writtenSchema = z.object({
  name: z.string(),
  description: z.string().default(''),
  arguments: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) })).default([]),
  inputs: z.array(z.object({ name: z.string(), description: z.string().default(''), source: z.string() })),
  operations: z.array(operationSchema),
  target: z.object({ operation: z.string(), table: z.string() }).nullable(),
  /** Cron, of five fields. Null if the pipeline runs on demand only. */
  schedule: z.string().nullable().default(null),
  time_zone: z.string().nullable().default(null),
  clarification: z
    .object({ question: z.string(), choices: z.array(z.string()) })
    .nullable()
    .default(null),
  datasource: z
    .object({ question: z.string(), databases: z.array(z.string()) })
    .nullable()
    .default(null),
  error: z.string().nullable().default(null),
})
type DraftedOperation = z.infer<typeof operationSchema>
/** A draft as the model wrote it. */
export type WrittenDraft = z.infer<typeof writtenSchema>

/** An attempt at a draft that did not work. */
export interface FailedDraft {
  readonly yaml: string
  /** The mistake, with near names where there are some. */
  readonly message: string
}

/**
 * Writes a draft, or revises the thread's draft.
 * @param asked.onOperation receives each operation as soon as it is complete
 * @throws ModelError
 */
export async function writeDraft(
  context: ModelContext & QuestionContext,
  asked: {
    readonly schema: Schema
    readonly question: string
    readonly failed: readonly FailedDraft[]
    readonly onOperation: (index: number, operation: DraftedOperation) => void
  },
  signal: AbortSignal,
): Promise<WrittenDraft> {
  const { request, domain } = context
  const { schema, question, failed, onOperation } = asked
  const draft = draftOf(request.conversation)
  return askForJson(
    context,
    {
      step: 'draft_pipeline',
      attempt: failed.length + 1,
      subject: question,
      input: { question, draft: draft?.yaml ?? null, failed },
      values: {
        most_choices: `${AGENT_LIMITS.askBack.choices}`,
        example: 'SELECT link, count() AS samples FROM {{ samples }} WHERE day >= toDate({{ arguments.since }}) GROUP BY link',
        schema: schemaPrompt(schema),
        databases: databaseCount(schema),
        domain: domain().full,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        draft: draft === null ? '' : fenceData('draft', draft.yaml),
        question: questionPrompt(question),
        attempts: failed.map(attemptPrompt).join('\n\n'),
      },
      output: { schema: writtenSchema, elements: { property: 'operations', schema: operationSchema } },
      onElement: onOperation,
    },
    signal,
  )
}

function attemptPrompt({ yaml, message }: FailedDraft, index: number): string {
  return `Attempt ${index + 1}:\n${fenceData('draft', yaml)}\nwhat was wrong:\n${fenceData('error', message)}`
}

/**
 * Writes a draft as the YAML of a definition. The program builds it; the model only gives its parts.
 * @param zone the time zone of the schedule if the draft names none
 */
export function draftAsYaml(draft: WrittenDraft, zone: string): string {
  const { name, description, inputs, operations, target, schedule } = draft
  const timeZone = draft.time_zone?.trim()
  return writeJobDefinition({
    name: name.trim(),
    description: description.trim(),
    arguments: Object.fromEntries(draft.arguments.map(({ name: argument, value }) => [argument, value])),
    inputs: Object.fromEntries(
      inputs.map(({ name: input, description: of, source }) => [input, { description: of, source: plainSql(source) }]),
    ),
    operations: operations.map(({ name: operation, description: of, sql }) => ({
      name: operation,
      description: of,
      sql: plainSql(sql),
    })),
    target: target ?? { operation: operations.at(-1)?.name ?? '', table: name.trim() },
    schedule: schedule?.trim() || undefined,
    time_zone: timeZone === undefined || timeZone === '' ? zone : timeZone,
  })
}

function plainSql(sql: string): string {
  return withoutFence(sql).trim().replace(/;$/, '').trimEnd()
}
