import { z } from 'zod'
import type { StepKey, StepTrace } from '../../history/run-log.ts'
import { AnswerBudget } from '../../llm/answer-budget.ts'
import { completeText, type TextListener } from '../../llm/complete-text.ts'
import type { Dialect } from '../../llm/dialect.ts'
import { ModelError } from '../../llm/error.ts'
import { type StreamedOutput, streamStructured } from '../../llm/json/structured-output.ts'
import type { ModelRequest } from '../../llm/language-model.ts'
import type { PromptValues } from '../../llm/prompts.ts'
import type { ModelStep } from '../../llm/step.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { ModelContext } from './context.ts'

interface ModelCall<Step extends ModelStep> {
  readonly step: Step
  readonly query?: string
  readonly attempt?: number
  /** Words that describe the call. The step and these words identify a recorded answer. */
  readonly subject: string
  /** Everything on which the call depends. A resumed run reuses the earlier answer only for the same input. */
  readonly input: Readonly<Record<string, unknown>>
  readonly values: PromptValues<Step>
  /** The dialects of all sources that the call is about. Default: the one of the context. */
  readonly dialects?: readonly Dialect[] | undefined
}

interface JsonCall<Step extends ModelStep, Value, Element> extends ModelCall<Step> {
  readonly output: StreamedOutput<Value, Element>
  /** Receives each complete element of `output.elements`. An element with the same index replaces the earlier one. */
  readonly onElement?: (index: number, element: Element) => void
  /**
   * Receives the text of `output.field` when it is complete. Each later text replaces the earlier ones, and so does the final
   * answer.
   */
  readonly onField?: (text: string) => void
  /** The value to return if the answer cannot be parsed. Only steps with a safe default have one. */
  readonly fallback?: Value
}

/**
 * Asks a step's model for a value. A resumed run reuses the earlier answer.
 * @throws ModelError
 */
export async function askForJson<Step extends ModelStep, Value, Element = never>(
  context: ModelContext,
  call: JsonCall<Step, Value, Element>,
  signal: AbortSignal,
): Promise<Value> {
  return context.log.step(keyOf(call), call.input, call.output.schema, signal, async trace => {
    const request = open(context, call)
    const { budget } = request
    try {
      for await (const event of streamStructured(context.model, request, call.output, signal)) {
        if (event.kind === 'element') call.onElement?.(event.index, event.element)
        if (event.kind === 'field') call.onField?.(event.text)
        if (event.kind !== 'completed') continue
        return event.value
      }
    } catch (error) {
      const understood = !(error instanceof ModelError && error.kind === 'invalid_output')
      if (understood || call.fallback === undefined) throw error
      context.logger.warn({ step: call.step, run: context.log.runId }, 'model answer could not be parsed')
      return call.fallback
    } finally {
      tellUsage(trace, budget)
    }
    throw new ModelError('The model ended without an answer.', { kind: 'unavailable' })
  })
}

/**
 * Asks a step's model for a text. A resumed run reuses the earlier answer.
 * @throws ModelError
 */
export async function askForText<Step extends ModelStep>(
  context: ModelContext,
  call: ModelCall<Step>,
  signal: AbortSignal,
  listener?: TextListener,
): Promise<string> {
  return context.log.step(keyOf(call), call.input, z.string(), signal, async trace => {
    const request = open(context, call)
    try {
      return (await completeText(context.model, request, signal, listener)).text
    } finally {
      tellUsage(trace, request.budget)
    }
  })
}

const turnSchema = z.object({
  text: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).readonly(),
})
export type ToolTurn = z.infer<typeof turnSchema>

/**
 * Asks a model with tools for its next turn. A resumed run reuses the earlier turn.
 * @throws ModelError
 */
export async function askWithTools(
  context: ModelContext,
  call: Pick<ModelRequest, 'step' | 'messages' | 'tools' | 'toolChoice'> & { readonly attempt: number; readonly subject: string },
  signal: AbortSignal,
): Promise<ToolTurn> {
  const { attempt, ...request } = call
  const { step, messages, toolChoice } = request
  return context.log.step({ step, attempt }, { messages, toolChoice }, turnSchema, signal, async trace => {
    context.observe({ kind: 'step_started', step, attempt })
    const budget = new AnswerBudget()
    try {
      const { text, toolCalls = [] } = await completeText(
        context.model,
        { ...request, budget, temperature: AGENT_LIMITS.run.temperature, onBusy: busyTeller(context) },
        signal,
      )
      return { text, toolCalls }
    } finally {
      tellUsage(trace, budget)
    }
  })
}

function keyOf({ step, query, attempt }: ModelCall<ModelStep>): StepKey {
  return { step, ...(query === undefined ? {} : { query }), ...(attempt === undefined ? {} : { attempt }) }
}

function open<Step extends ModelStep>(context: ModelContext, call: ModelCall<Step>) {
  const { step, query, attempt = 1 } = call
  context.observe({ kind: 'step_started', step, ...(query === undefined ? {} : { query }), attempt })
  const messages = context.prompts.render(step, call.values, ...(call.dialects ?? [context.dialect]))
  const budget = new AnswerBudget()
  const { temperature } = AGENT_LIMITS.run
  const onBusy = busyTeller(context)
  return { step, subject: call.subject, messages, temperature, budget, onBusy } satisfies ModelRequest
}

function busyTeller({ observe }: ModelContext): (isBusy: boolean) => void {
  return isBusy => observe({ kind: 'model_busy', isBusy })
}

/** Records the tokens of a call, even if the call failed or was cancelled. */
function tellUsage(trace: StepTrace, { spending, requests }: AnswerBudget): void {
  if (spending === undefined) return
  const { model, temperature, inputTokens: tokens_in, cachedTokens, outputTokens: tokens_out, estimated, cost } = spending
  trace.usage({
    model,
    tokens_in,
    tokens_out,
    estimated,
    ...(temperature !== undefined && { temperature }),
    ...(cachedTokens !== undefined && { tokens_cached: cachedTokens }),
    ...(cost !== undefined && { cost }),
    ...(requests.length > 0 && { requests: [...requests] }),
  })
}
