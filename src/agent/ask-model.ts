import { z } from 'zod'
import type { StepKey } from '../history/run-log.ts'
import type { StepUsage } from '../history/run-log-entry.ts'
import { completeText, type TextListener } from '../llm/complete-text.ts'
import type { ModelCompletion, ModelRequest } from '../llm/language-model.ts'
import { ModelError } from '../llm/model-error.ts'
import type { ModelStep } from '../llm/model-step.ts'
import type { PromptValues } from '../llm/prompts.ts'
import { type StreamedOutput, streamStructured } from '../llm/structured-output.ts'
import type { StepContext } from './run-context.ts'

/** The same question should give the same plan and the same SQL. */
const TEMPERATURE = 0

interface ModelCall<Step extends ModelStep> {
  readonly step: Step
  readonly query?: string
  readonly attempt?: number
  /** What the call is about, in words: with the step, it finds a recorded answer. */
  readonly subject: string
  /** What the call depends on: a resumed run takes the earlier answer for the same input. */
  readonly input: Readonly<Record<string, unknown>>
  readonly values: PromptValues<Step>
}

interface JsonCall<Step extends ModelStep, Value, Element> extends ModelCall<Step> {
  readonly output: StreamedOutput<Value, Element>
  /** Hears each element of `output.elements` as it closes; a later call with the same index replaces an earlier one. */
  readonly onElement?: (index: number, element: Element) => void
  /** Hears `output.field` as it closes; a later call replaces an earlier one, and the answer itself the last. */
  readonly onField?: (text: string) => void
  /** Stands for an answer that could not be understood, where the step has a safe one. */
  readonly fallback?: Value
}

/** Asks a step's model for a value, once in the life of a run: what was answered before a crash is not asked again. @throws ModelError */
export async function askForJson<Step extends ModelStep, Value, Element = never>(
  context: StepContext,
  call: JsonCall<Step, Value, Element>,
  signal: AbortSignal,
): Promise<Value> {
  return context.log.step(keyOf(call), call.input, call.output.schema, signal, async trace => {
    const request = open(context, call)
    try {
      for await (const event of streamStructured(context.deps.model, request, call.output, signal)) {
        if (event.kind === 'element') call.onElement?.(event.index, event.element)
        if (event.kind === 'field') call.onField?.(event.text)
        if (event.kind !== 'completed') continue
        trace.usage(usageOf(event.completion))
        return event.value
      }
    } catch (error) {
      const understood = !(error instanceof ModelError && error.kind === 'invalid_output')
      if (understood || call.fallback === undefined) throw error
      context.deps.logger.warn({ step: call.step, run: context.log.runId }, 'the answer of a step could not be understood')
      return call.fallback
    }
    throw new ModelError('The model ended without an answer.', { kind: 'unavailable' })
  })
}

/** Asks a step's model for a text, once in the life of a run. @throws ModelError */
export async function askForText<Step extends ModelStep>(
  context: StepContext,
  call: ModelCall<Step>,
  signal: AbortSignal,
  listener?: TextListener,
): Promise<string> {
  return context.log.step(keyOf(call), call.input, z.string(), signal, async trace => {
    const completion = await completeText(context.deps.model, open(context, call), signal, listener)
    trace.usage(usageOf(completion))
    return completion.text
  })
}

const turnSchema = z.object({
  text: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).readonly(),
})
export type ToolTurn = z.infer<typeof turnSchema>

/** Asks a model that may call tools for its next turn, once in the life of a run. @throws ModelError */
export async function askWithTools(
  context: StepContext,
  call: Pick<ModelRequest, 'step' | 'messages' | 'tools' | 'toolChoice'> & { readonly attempt: number; readonly subject: string },
  signal: AbortSignal,
): Promise<ToolTurn> {
  const { attempt, ...request } = call
  const { step, messages, toolChoice } = request
  return context.log.step({ step, attempt }, { messages, toolChoice }, turnSchema, signal, async trace => {
    context.observe({ kind: 'step_started', step, attempt })
    const completion = await completeText(context.deps.model, { ...request, temperature: TEMPERATURE }, signal)
    trace.usage(usageOf(completion))
    return { text: completion.text, toolCalls: completion.toolCalls ?? [] }
  })
}

function keyOf({ step, query, attempt }: ModelCall<ModelStep>): StepKey {
  return { step, ...(query === undefined ? {} : { query }), ...(attempt === undefined ? {} : { attempt }) }
}

function open<Step extends ModelStep>(context: StepContext, call: ModelCall<Step>): ModelRequest {
  const { step, query, attempt = 1 } = call
  context.observe({ kind: 'step_started', step, ...(query === undefined ? {} : { query }), attempt })
  return { step, subject: call.subject, messages: context.deps.prompts.render(step, call.values), temperature: TEMPERATURE }
}

function usageOf({ model, usage }: ModelCompletion): StepUsage {
  return { model, tokens_in: usage.inputTokens, tokens_out: usage.outputTokens, temperature: TEMPERATURE }
}
