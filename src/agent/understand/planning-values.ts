import { z } from 'zod'
import { AGENT_LIMITS } from '../limits.ts'
import type { QuestionContext } from '../run/context.ts'
import { describeNow } from '../run/time-context.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { questionPrompt } from './question-prompt.ts'

/** The question back that a model may write instead of a plan. */
export const clarificationSchema = z.object({ question: z.string(), choices: z.array(z.string()) }).nullable()

/** Returns the values that the prompts of all steps have in common which plan an answer. */
export function planningValues({ request, domain }: QuestionContext, question: string) {
  return {
    most_choices: `${AGENT_LIMITS.askBack.choices}`,
    domain: domain().full,
    now: describeNow(request),
    conversation: conversationPrompt(request.conversation),
    question: questionPrompt(question),
  }
}
