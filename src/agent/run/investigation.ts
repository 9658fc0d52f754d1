import { z } from 'zod'
import type { ConversationTurn } from '../../history/conversation.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { shortRemark } from '../notes/short-remark.ts'

/** The intent of a message that continues an investigation, and of the turns that an investigation adds to the conversation. */
export const LINEAGE = 'lineage'

/** The latest investigation of a thread. The next message may continue it. */
export const investigationSchema = z.object({
  job: z.string(),
  /** The last question of the investigation. Empty if the person has only looked at the graph. */
  asked: z.string(),
})
export type Investigation = z.infer<typeof investigationSchema>

/**
 * Describes the thread's investigation in the prompt of the classify step. If there is none, returns an empty text, which costs
 * no tokens.
 */
export function investigationPrompt(investigation: Investigation | null): string {
  if (investigation === null) return ''
  const { job, asked } = investigation
  return `

# The investigation in this thread

Earlier in this thread Clew looked into a run of a data pipeline: how its rows came to be, or why some are wrong or missing. Answers of such an investigation are marked in the conversation. The latest:

${fenceData('investigation', [`pipeline: ${job}`, ...(asked === '' ? [] : [`asked last: ${asked}`])].join('\n'))}

Because of it \`intent\` may also be

- \`${LINEAGE}\`: the message goes on with that investigation. It asks for the cause, or for more about it: "why?", "are you sure?", "and the other one?" (another row, column, table or value of that pipeline), its SQL, inputs,
  steps, run or fix; or it asks to look again, to replay or rerun the pipeline. Then this comes before \`data_analysis\`, and before \`out_of_scope\`; \`standalone_question\` keeps what the person wants to have done.

It is not \`${LINEAGE}\` if the message does without that run:

- a question that the tables above answer whatever the pipeline did (how many, which, when, a ranking, a trend): \`data_analysis\`, also where it is about the same things;
- what goes on with an answer from data that came after the investigation: \`data_analysis\`. A bare "why?" or "and the other one?" belongs to whichever of the two came last;
- thanks, praise, a greeting, or what the conversation itself answers: \`conversational\`.`
}

/**
 * Returns a note that the answer comes from the tables. Without it, the person may take the answer for a finding of the
 * investigation just before. Empty if the answer does not follow an investigation.
 * @param before the turns before this answer
 */
export function fromDataNote(
  investigation: Investigation | null,
  before: readonly ConversationTurn[],
  language: Language,
): string {
  const last = before.findLast(({ intent }) => intent === LINEAGE || intent === 'data_analysis')
  if (investigation === null || last?.intent !== LINEAGE) return ''
  return answerWords(language).fromData(shortRemark(investigation.job).replaceAll('`', "'"))
}
