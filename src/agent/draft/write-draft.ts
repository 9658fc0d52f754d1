import { stringify } from 'yaml'
import { z } from 'zod'
import { codeBlock } from '../../base/text/code-block.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { JobDefinition } from '../../pipelines/jobs/definition.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { withoutFence } from '../query/generate.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext } from '../run/context.ts'
import { datasourceSchema } from '../schema/datasource.ts'
import { schemaPrompt } from '../schema/schema-prompts.ts'
import { databaseCount } from '../understand/decompose.ts'
import { clarificationSchema, planningValues } from '../understand/planning-values.ts'
import { code } from './explain-draft.ts'
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
  clarification: clarificationSchema.default(null),
  datasource: datasourceSchema.default(null),
  error: z.string().nullable().default(null),
})
/** A draft as the model wrote it. */
export type WrittenDraft = z.infer<typeof writtenSchema>

/** An attempt at a draft that did not work. */
export interface FailedDraft {
  readonly yaml: string
  /** The mistake, with near names where there are some. */
  readonly message: string
}

/** Writes a draft, or revises the thread's draft. Shows each operation as soon as it is complete. @throws ModelError */
export async function writeDraft(
  context: ModelContext & QuestionContext,
  asked: { readonly schema: Schema; readonly question: string; readonly failed: readonly FailedDraft[] },
  signal: AbortSignal,
): Promise<WrittenDraft> {
  const { schema, question, failed } = asked
  const operations: string[] = []
  const draft = draftOf(context.request.conversation)
  return askForJson(
    context,
    {
      step: 'draft_pipeline',
      attempt: failed.length + 1,
      subject: question,
      input: { question, draft: draft?.yaml ?? null, failed },
      values: {
        example: 'SELECT link, count() AS samples FROM {{ samples }} WHERE day >= toDate({{ arguments.since }}) GROUP BY link',
        schema: schemaPrompt(schema),
        databases: databaseCount(schema),
        draft: draft === null ? '' : fenceData('draft', draft.yaml),
        ...planningValues(context, question),
        attempts: failed.map(attemptPrompt).join('\n\n'),
      },
      output: { schema: writtenSchema, elements: { property: 'operations', schema: operationSchema } },
      onElement: (index, { name, sql }) => {
        operations[index] = `${code(name)}\n\n${codeBlock('sql', sql)}`
        context.observe({ kind: 'answer_grown', markdown: operations.join('\n\n') })
      },
    },
    signal,
  )
}

function attemptPrompt({ yaml, message }: FailedDraft, index: number): string {
  return `Attempt ${index + 1}:\n${fenceData('draft', yaml)}\nwhat was wrong:\n${fenceData('error', message)}`
}

/**
 * Writes a draft as the YAML of a definition. The program builds it; the model only gives its parts. Leaves out what is empty.
 * @param zone the time zone of the schedule if the draft names none
 */
export function draftAsYaml(draft: WrittenDraft, zone: string): string {
  const { description, inputs, operations, target, schedule, time_zone: ownZone } = draft
  const name = draft.name.trim()
  const told = (text: string) => (text.trim() === '' ? {} : { description: text.trim() })
  const values = Object.fromEntries(draft.arguments.map(({ name: argument, value }) => [argument, value]))
  const written = {
    name,
    ...told(description),
    ...(draft.arguments.length > 0 && { arguments: values }),
    inputs: Object.fromEntries(inputs.map(input => [input.name, { ...told(input.description), source: plainSql(input.source) }])),
    operations: operations.map(operation => ({
      name: operation.name,
      ...told(operation.description),
      sql: plainSql(operation.sql),
    })),
    target: target ?? { operation: operations.at(-1)?.name ?? '', table: name },
    ...(schedule?.trim() && { schedule: schedule.trim(), time_zone: ownZone?.trim() || zone }),
  } satisfies Partial<Record<keyof JobDefinition, unknown>>
  return stringify(written, { lineWidth: 0 })
}

/** Returns the SQL alone. YAML writes a text with line breaks as a block only if no line ends with a blank. */
function plainSql(sql: string): string {
  const lines = withoutFence(sql).trim().replace(/;$/, '').split('\n')
  const trimmed = lines.map(line => line.replaceAll('\t', '  ').trimEnd())
  return trimmed.join('\n').trim()
}
