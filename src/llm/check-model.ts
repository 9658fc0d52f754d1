import { z } from 'zod'
import type { Report } from '../base/check.ts'
import type { Logger } from '../base/logger.ts'
import { AnswerBudget } from './answer-budget.ts'
import { ALL_CAPABILITIES, type EndpointCapabilities } from './endpoint/capabilities.ts'
import { ModelError, type ModelErrorKind } from './error.ts'
import { jsonCandidates } from './json/json-candidates.ts'
import { strictJsonSchema } from './json/strict-json-schema.ts'
import type { ModelCompletion } from './language-model.ts'
import { LLM_LIMITS } from './limits.ts'
import { OpenAILanguageModel } from './openai-language-model.ts'
import { MODEL_STEPS, type ModelStep } from './step.ts'

export interface ModelCheckOptions {
  readonly apiKey: string
  readonly baseUrl?: string
  /** The model's name: the value of OPENAI_MODEL. */
  readonly model: string
  /** The models of single steps: the values of the variables CLEW_MODEL_<STEP>, by step. */
  readonly models: Readonly<Record<string, string>>
  /** The value of CLEW_MODEL_TIMEOUT_S, converted to milliseconds. */
  readonly timeoutMs: number
  readonly logger: Logger
}

const answerSchema = z.object({ numbers: z.array(z.string()) })

/**
 * The question of the check. It does not mention JSON. If the answer is still JSON in the schema, the model obeys a schema,
 * either through the endpoint or through the prompt.
 */
const PROBE = [
  { role: 'system', content: 'You take part in a test of the connection. Answer at once.' },
  { role: 'user', content: 'Count from one to twelve in English words.' },
] as const

const ADVICE: Partial<Record<ModelErrorKind, string>> = {
  authentication: 'Set OPENAI_API_KEY to a key of the endpoint that OPENAI_BASE_URL names.',
  bad_request: 'Correct OPENAI_MODEL or OPENAI_BASE_URL (it ends in /v1 as a rule).',
  rate_limited: 'Wait, or raise the limits of this key.',
  no_quota: 'Raise the quota of this key, or set OPENAI_API_KEY to another one.',
  unavailable: 'Check OPENAI_BASE_URL, and that this machine reaches it.',
}

/**
 * Asks every configured model one small question, in the same way as a step asks. Checks the answer, the JSON schema, streaming
 * and token numbers.
 */
export async function checkModel(options: ModelCheckOptions, report: Report, signal: AbortSignal): Promise<void> {
  const steps = new Map<string, ModelStep>([[options.model, MODEL_STEPS[0]]])
  for (const [name, model] of Object.entries(options.models)) {
    const step = MODEL_STEPS.find(known => known === name)
    if (step !== undefined && !steps.has(model)) steps.set(model, step)
  }
  await Promise.all([...steps].map(([model, step]) => checkOne(options, model, step, report, signal)))
}

async function checkOne(
  options: ModelCheckOptions,
  model: string,
  step: ModelStep,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const capabilities = new Map<string, EndpointCapabilities>()
  const waitMs = Math.min(options.timeoutMs, LLM_LIMITS.checkMs)
  const endpoint = new OpenAILanguageModel({
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    model,
    logger: options.logger,
    // The check must stop after `waitMs`. After the total limit, the client gives up. After the idle limit, it would ask again,
    // so the idle limit is longer and never reached.
    idleTimeoutMs: 2 * waitMs,
    totalTimeoutMs: waitMs,
    retry: { maxAttempts: 2 },
    capabilities,
    random: Math.random,
    now: Date.now,
  })
  const budget = new AnswerBudget()
  const request = { step, budget, messages: PROBE, jsonSchema: strictJsonSchema(answerSchema), temperature: 0 }
  const startedAt = performance.now()
  let pieces = 0
  let completion: ModelCompletion | undefined
  try {
    for await (const event of endpoint.stream(request, signal)) {
      if (event.kind === 'text') pieces += 1
      if (event.kind === 'restarted') pieces = 0
      if (event.kind === 'completed') completion = event.completion
    }
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind === 'cancelled') throw error
    if (error.kind === 'timeout') {
      const found = `no whole answer within ${waitMs / 1000} s: the model is slow, or what OPENAI_BASE_URL names does not answer`
      const limit = `CLEW_MODEL_TIMEOUT_S (${options.timeoutMs / 1000})`
      const advice = `Choose a faster model, or raise ${limit}: a question waits no longer than that.`
      report({ check: model, state: waitMs < options.timeoutMs ? 'warning' : 'failed', found, advice })
      return
    }
    const advice = ADVICE[error.kind] ?? 'Choose another model, or ask whoever runs the endpoint.'
    report({ check: model, state: 'failed', found: error.message, advice })
    return
  }
  if (completion === undefined) throw new ModelError('The model ended without an answer.', { kind: 'unavailable' })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const { inputTokens = 0, outputTokens = 0, estimated = true } = budget.spending ?? {}
  const tokens = estimated
    ? 'the endpoint does not count tokens, so they are estimated'
    : `${inputTokens} + ${outputTokens} tokens`
  report({ check: model, state: 'ok', found: `answers in ${seconds} s; ${tokens}` })
  reportJson(model, completion.text, capabilities.get(model) ?? ALL_CAPABILITIES, report)
  if (pieces > 1) report({ check: `${model}, streaming`, state: 'ok', found: 'the answer comes in pieces' })
  else
    report({
      check: `${model}, streaming`,
      state: 'warning',
      found: 'the answer comes whole, so queries start later and answers do not appear sentence by sentence',
      advice: 'Check whether a proxy in front of the endpoint holds event streams back.',
    })
}

function reportJson(model: string, text: string, { responseFormat }: EndpointCapabilities, report: Report): void {
  const check = `${model}, JSON`
  const obeyed = [...jsonCandidates(text)].some(candidate => answerSchema.safeParse(candidate).success)
  if (!obeyed) {
    const how =
      responseFormat === 'json_schema' ? 'takes a JSON schema and does not obey it' : 'does not obey a schema in the prompt'
    const advice = 'Choose another model: most steps need an answer in a given form.'
    report({ check, state: 'failed', found: `the model ${how}`, advice })
    return
  }
  const found = {
    json_schema: 'JSON schemas are obeyed',
    json_object: 'no JSON schemas; JSON mode is used, with the schema in the prompt',
    text: 'no JSON schemas, no JSON mode; the schema goes into the prompt and the answer is checked',
  }[responseFormat]
  if (responseFormat === 'json_schema') report({ check, state: 'ok', found })
  else report({ check, state: 'warning', found, advice: 'It works; a model with JSON-schema support makes fewer mistakes.' })
}
