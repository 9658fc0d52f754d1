import { isDeepStrictEqual } from 'node:util'
import { Allow, parse } from 'partial-json'
import { z } from 'zod'
import { isRescanDue } from '../../base/text/is-rescan-due.ts'
import { AnswerBudget } from '../answer-budget.ts'
import { fenceData } from '../data-fence.ts'
import { ModelError } from '../error.ts'
import type { LanguageModel, ModelCompletion, ModelRequest } from '../language-model.ts'
import { LLM_LIMITS } from '../limits.ts'
import { jsonCandidates } from './json-candidates.ts'
import { readStrictAnswer } from './strict-answer.ts'
import { strictJsonSchema } from './strict-json-schema.ts'

/** A request whose answer is a value. A zod schema describes the value. */
export type StructuredRequest = Omit<ModelRequest, 'jsonSchema'>

export interface StructuredCompletion<Value> {
  readonly value: Value
  /** The whole answer of the model. Its text is the JSON before parsing. */
  readonly completion: ModelCompletion
}

/**
 * The form of a streamed answer: its schema, and the part that the caller wants early. This part is either the objects of an
 * array or one text. An object or text is released as soon as it is complete.
 */
export interface StreamedOutput<Value, Element> {
  readonly schema: z.ZodType<Value>
  /** The key of a text in the answer that the caller wants early. */
  readonly field?: string
  /**
   * The array whose elements the caller wants early. `property` is the key of the array at the answer's top level, and `schema`
   * describes one element.
   */
  readonly elements?: { readonly property: string; readonly schema: z.ZodType<Element> }
}

export type StructuredEvent<Value, Element> =
  | { readonly kind: 'element'; readonly index: number; readonly element: Element }
  /**
   * The text of `output.field`. It is yielded at most once each time the model starts the answer, so possibly again after
   * `restarted`. If the final value has another text, the caller must use the final one.
   */
  | { readonly kind: 'field'; readonly text: string }
  /** The answer began again, or was corrected. The caller must forget all earlier elements. */
  | { readonly kind: 'restarted' }
  | ({ readonly kind: 'completed' } & StructuredCompletion<Value>)

/**
 * Asks any endpoint for a value that matches a zod schema. Finds the JSON in the answer's text and checks it. A wrong answer goes
 * back to the model once, with a list of its problems, unless the one repeat of the answer is used up.
 * @throws ModelError `invalid_output` if the answer is wrong and no repeat is left, or the error of the model
 * @throws TypeError for a schema that strict endpoints do not accept (see `strictJsonSchema`)
 */
export async function completeStructured<Value>(
  model: LanguageModel,
  request: StructuredRequest,
  schema: z.ZodType<Value>,
  signal: AbortSignal,
): Promise<StructuredCompletion<Value>> {
  for await (const event of streamStructured(model, request, { schema }, signal)) {
    if (event.kind === 'completed') return { value: event.value, completion: event.completion }
  }
  throw new ModelError('The model ended without an answer.', { kind: 'unavailable' })
}

/**
 * Asks as `completeStructured` does, but yields each element of one array, or one text, as soon as it is complete. The elements
 * between the last `restarted` and `completed` are exactly those of the final value. A caller may act on an element at once, and
 * must undo this on `restarted`.
 */
export async function* streamStructured<Value, Element>(
  model: LanguageModel,
  request: StructuredRequest,
  output: StreamedOutput<Value, Element>,
  signal: AbortSignal,
): AsyncGenerator<StructuredEvent<Value, Element>, void> {
  const jsonSchema = strictJsonSchema(output.schema)
  const { budget = new AnswerBudget() } = request
  const first = yield* readTurn(model, { ...request, jsonSchema, budget }, output, signal)
  const answer = readAnswer(output, first.completion.text)
  if (answer.ok) {
    yield* settle(first.released, answer, first.completion)
    return
  }
  if (first.released.length > 0) yield { kind: 'restarted' }
  if (!budget.takeRepeat()) throw wrongForm(answer.problems)
  const repair = repairRequest({ ...request, budget }, jsonSchema, first.completion.text, answer.problems)
  const second = yield* readTurn(model, repair, output, signal)
  const repaired = readAnswer(output, second.completion.text)
  if (!repaired.ok) {
    if (second.released.length > 0) yield { kind: 'restarted' }
    throw wrongForm(repaired.problems)
  }
  yield* settle(second.released, repaired, second.completion)
}

function wrongForm([problem = '']: readonly string[]): ModelError {
  return new ModelError(`The model's answer did not have the required form, also when it was asked again: ${problem}`, {
    kind: 'invalid_output',
  })
}

interface Turn<Element> {
  readonly released: readonly Element[]
  readonly completion: ModelCompletion
}

/** Calls the model once. Releases each element, and the field, as soon as it is complete. */
async function* readTurn<Value, Element>(
  model: LanguageModel,
  request: ModelRequest,
  { elements, field }: StreamedOutput<Value, Element>,
  signal: AbortSignal,
): AsyncGenerator<StructuredEvent<Value, Element>, Turn<Element>> {
  let text = ''
  let released: Element[] = []
  let heard: string | undefined
  let looked = 0
  for await (const event of model.stream(request, signal)) {
    if (event.kind === 'completed') return { released, completion: event.completion }
    if (event.kind === 'restarted') {
      text = ''
      looked = 0
      heard = undefined
      if (released.length > 0) yield { kind: 'restarted' }
      released = []
      continue
    }
    text += event.text
    // Each search reads the whole text. So it runs only if it may find something new: a string ends at a quote, and an object at
    // a closing brace.
    if (!isRescanDue(text.length, looked)) continue
    const arrived = text.slice(looked)
    looked = text.length
    if (field !== undefined && heard === undefined && arrived.includes('"')) {
      heard = closedField(text, field)
      if (heard !== undefined) yield { kind: 'field', text: heard }
    }
    if (elements === undefined || !arrived.includes('}')) continue
    for (const candidate of closedElements(text, elements.property).slice(released.length)) {
      const element = readStrictAnswer(elements.schema, candidate)
      // After a wrong element, the model has to correct the whole answer. So no later elements are released.
      if (!element.success) break
      released.push(element.data)
      yield { kind: 'element', index: released.length - 1, element: element.data }
    }
  }
  throw new ModelError('The model ended without an answer.', { kind: 'unavailable' })
}

/**
 * Completes a valid answer by releasing the elements that are still missing. If the elements that were released early differ from
 * those of the answer, restarts and releases all.
 */
function* settle<Value, Element>(
  released: readonly Element[],
  answer: { readonly value: Value; readonly elements: readonly Element[] },
  completion: ModelCompletion,
): Generator<StructuredEvent<Value, Element>> {
  const agrees = isDeepStrictEqual(released, answer.elements.slice(0, released.length))
  if (!agrees) yield { kind: 'restarted' }
  for (const [index, element] of answer.elements.entries()) {
    if (!agrees || index >= released.length) yield { kind: 'element', index, element }
  }
  yield { kind: 'completed', value: answer.value, completion }
}

type Answer<Value, Element> =
  | { readonly ok: true; readonly value: Value; readonly elements: readonly Element[] }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Finds the first complete JSON value that matches the schema. If none matches, returns what is wrong with the first value. */
function readAnswer<Value, Element>(output: StreamedOutput<Value, Element>, text: string): Answer<Value, Element> {
  let problems: readonly string[] | undefined
  for (const candidate of jsonCandidates(text)) {
    const result = readStrictAnswer(output.schema, candidate)
    if (result.success) return { ok: true, value: result.data, elements: elementsOf(output, candidate) }
    problems ??= result.error.issues
      .slice(0, LLM_LIMITS.toldProblems)
      .map(issue => `${issue.path.join('.') || 'the answer'}: ${issue.message}`)
  }
  return { ok: false, problems: problems ?? ['the answer: no complete JSON object was found in it'] }
}

const objectSchema = z.looseObject({})

function elementsOf<Value, Element>({ elements }: StreamedOutput<Value, Element>, candidate: unknown): readonly Element[] {
  if (elements === undefined) return []
  const list = objectSchema.safeParse(candidate).data?.[elements.property]
  return (Array.isArray(list) ? list : []).flatMap((each: unknown) => {
    const element = readStrictAnswer(elements.schema, each)
    return element.success ? [element.data] : []
  })
}

function repairRequest(
  request: StructuredRequest,
  jsonSchema: Readonly<Record<string, unknown>>,
  answer: string,
  problems: readonly string[],
): ModelRequest {
  // The repair quotes the wrong answer as data, in the only user message. The answer may contain text that comes from an
  // untrusted row. As data, this text does not look like the model's own words. Endpoints that require alternating turns of user
  // and assistant also accept this form.
  const correction = [
    '# An earlier answer of yours to this, which does not have the required form',
    fenceData('earlier answer', answer.slice(0, LLM_LIMITS.quotedCharacters)),
    'What is wrong with it:',
    fenceData('problems', problems.map(problem => `- ${problem}`).join('\n')),
    'Answer again with one JSON object only, no other text, that satisfies this JSON schema:',
    JSON.stringify(jsonSchema),
  ].join('\n\n')
  const last = request.messages.at(-1)
  return {
    ...request,
    jsonSchema,
    messages: [...request.messages.slice(0, -1), { role: 'user', content: `${last?.content ?? ''}\n\n${correction}` }],
  }
}

/**
 * Returns the complete objects of the array `property` in an unfinished JSON text. The quoted key cannot match inside a string,
 * because JSON escapes quotes in strings.
 */
function closedElements(text: string, property: string): readonly unknown[] {
  const key = new RegExp(`(?<!\\\\)"${property}"\\s*:\\s*(?=\\[)`).exec(text)
  if (key === null) return []
  try {
    const elements: unknown = parse(text.slice(key.index + key[0].length), Allow.ARR)
    return Array.isArray(elements) ? elements.filter(element => typeof element === 'object' && element !== null) : []
  } catch {
    return []
  }
}

/**
 * Returns the string `property` of an unfinished JSON text. Undefined if the string is incomplete. The quoted key cannot match
 * inside a string, because JSON escapes quotes in strings.
 */
export function closedField(text: string, property: string): string | undefined {
  const literal = new RegExp(`(?<!\\\\)"${property}"\\s*:\\s*("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")`, 's').exec(text)?.[1]
  if (literal === undefined) return undefined
  try {
    return String(JSON.parse(literal))
  } catch {
    // The string may contain an unescaped line break. The parser of the complete answer decides whether it is valid.
    return undefined
  }
}
