import { z } from 'zod'
import type { Conversation } from '../../history/conversation.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { shortRemark } from '../notes/short-remark.ts'

/** The draft of a pipeline, as the conversation keeps it. Nothing of it is set up. */
export const pipelineDraftSchema = z.object({
  version: z.literal(1),
  name: z.string(),
  /** The definition as YAML, as `clew jobs register` takes it. */
  yaml: z.string(),
  /** The person's requests, the latest last. */
  asked: z.array(z.string()),
  /** Whether the checks have found the draft to work. */
  is_valid: z.boolean(),
  warnings: z.array(z.string()),
  /** The tables that the draft reads, as `database.table`. */
  tables: z.array(z.string()),
})
export type DraftReport = ReturnType<typeof draftReport>
export type PipelineDraft = z.infer<typeof pipelineDraftSchema>

/** Returns the draft of a conversation. Null if there is none, or if another version of Clew has written it. */
export function draftOf({ draft }: Pick<Conversation, 'draft'>): PipelineDraft | null {
  return pipelineDraftSchema.safeParse(draft).data ?? null
}

/** Returns what `clew ask --json` prints of a draft. Its tables are null if they are unknown. */
export function draftReport({ name, yaml, is_valid: valid, warnings, tables }: PipelineDraft) {
  return { name, definition: yaml, valid, warnings, tables: valid ? tables : null }
}

/** Describes the thread's draft in the prompt of the classify step. If there is none, returns an empty text. */
export function draftPrompt(draft: PipelineDraft | null): string {
  if (draft === null) return ''
  const asked = draft.asked.map(text => `asked: ${shortRemark(text)}`)
  return `

# The draft of a pipeline in this thread

Earlier in this thread Clew drafted a data pipeline, which is not set up yet:

${fenceData('draft', [`pipeline: ${draft.name}`, ...asked].join('\n'))}

Because of it \`intent\` is \`pipeline_draft\` also if the message goes on with that draft: it wants another period, filter, column, step, name, table or schedule ("use the last 7 days instead", "call it link_loss", "at 5"),
answers a question that Clew has asked about it, or wants to see it again or to have its file. That goes before what is said of changes to the last answer. \`standalone_question\` then keeps the person's words: null, unless they need the conversation to be understood.

It is not \`pipeline_draft\` if the message does without that draft: a question that the tables answer, also about the same things, is \`data_analysis\`; thanks and praise are \`conversational\`.`
}
