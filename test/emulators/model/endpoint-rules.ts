import { z } from 'zod'

/** The differences between real model endpoints. An endpoint answers a request for an unsupported feature with 400 or 422. */
export interface EndpointRules {
  readonly jsonSchema: boolean
  readonly jsonObject: boolean
  readonly streamOptions: boolean
  readonly temperature: boolean
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens' | 'either' | 'none'
  readonly tools: boolean
  /** The largest limit of output tokens that the endpoint accepts. Requests call it `max_tokens` or `max_completion_tokens`. */
  readonly maxOutputTokens: number
  /** The models that the endpoint knows. For another model, it answers 404. An empty list means that it knows every model. */
  readonly models: readonly string[]
  /** The key that the endpoint accepts. For another key, it answers 401. If empty, keys are not checked. */
  readonly apiKey: string
  /** The form of an error answer: OpenAI's with `param` and `code`, FastAPI's with `detail`, or one without any details. */
  readonly wording: 'openai' | 'detail' | 'terse'
}

/** The rules of an endpoint that supports everything. It checks the form of requests as strictly as OpenAI does. */
export const GENEROUS_RULES: EndpointRules = {
  jsonSchema: true,
  jsonObject: true,
  streamOptions: true,
  temperature: true,
  tokenLimit: 'either',
  tools: true,
  maxOutputTokens: 1_000_000,
  models: [],
  apiKey: '',
  wording: 'openai',
}

const toolCallSchema = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
})
const messageSchema = z.union([
  z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().min(1).nullable(),
    tool_calls: z.array(toolCallSchema).min(1),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: z.string() }),
])

const bodySchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(['auto', 'none']).optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          strict: z.literal(true),
          schema: z.record(z.string(), z.unknown()),
        }),
      }),
    ])
    .optional(),
})
export type ChatBody = z.infer<typeof bodySchema>

export interface Refusal {
  readonly status: number
  readonly param: string | null
  readonly code: string | null
  readonly message: string
}

/** Checks the body of a request against the endpoint's rules. Returns the parsed body, or a refusal. */
export function judgeBody(raw: unknown, rules: EndpointRules): ChatBody | Refusal {
  const parsed = bodySchema.safeParse(raw)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return refuse(String(issue?.path[0] ?? 'body'), 'invalid_request', `Invalid '${issue?.path.join('.')}': ${issue?.message}`)
  }
  const body = parsed.data
  if (rules.models.length > 0 && !rules.models.includes(body.model)) {
    return {
      ...refuse('model', 'model_not_found', `The model '${body.model}' does not exist or you do not have access to it.`),
      status: 404,
    }
  }
  if (body.stream_options && !rules.streamOptions) return unsupported('stream_options')
  if (body.temperature !== undefined && !rules.temperature) return unsupported('temperature')
  if (body.tools && !rules.tools) return unsupported('tools')
  const stray = strayToolMessage(body)
  if (stray !== undefined) return stray
  return judgeTokenLimit(body, rules) ?? judgeResponseFormat(body, rules) ?? body
}

/** Each tool call in an assistant's message must be followed by a tool message with its result. Other tool messages are not allowed. */
function strayToolMessage({ messages }: ChatBody): Refusal | undefined {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id))
        return refuse(
          'messages',
          null,
          `Invalid tool_call_id '${message.tool_call_id}': no call of the preceding message has it.`,
        )
      open = open.filter(id => id !== message.tool_call_id)
      continue
    }
    if (open.length > 0) return refuse('messages', null, `These tool_call_ids did not have response messages: ${open.join(', ')}`)
    open = 'tool_calls' in message ? message.tool_calls.map(({ id }) => id) : []
  }
  return undefined
}

function judgeTokenLimit(body: ChatBody, rules: EndpointRules): Refusal | undefined {
  for (const name of ['max_tokens', 'max_completion_tokens'] as const) {
    const asked = body[name]
    if (asked === undefined) continue
    if (rules.tokenLimit !== 'either' && rules.tokenLimit !== name) return unsupported(name)
    if (asked > rules.maxOutputTokens) return refuse(name, 'invalid_value', `${name} is too large: ${asked}.`)
  }
  return undefined
}

function judgeResponseFormat(body: ChatBody, rules: EndpointRules): Refusal | undefined {
  const format = body.response_format
  if (format === undefined) return undefined
  if (!rules.jsonObject) return unsupported('response_format')
  if (format.type === 'json_object') {
    const mentioned = body.messages.some(message => /json/i.test(message.content ?? ''))
    return mentioned
      ? undefined
      : refuse('messages', null, "'messages' must contain the word 'json' to use 'response_format' of type 'json_object'.")
  }
  if (!rules.jsonSchema) {
    return refuse(
      'response_format',
      null,
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    )
  }
  const flaw = strictFlaw(format.json_schema.schema, '')
  return flaw === undefined
    ? undefined
    : refuse('response_format', null, `Invalid schema for response_format '${format.json_schema.name}': ${flaw}`)
}

function unsupported(parameter: string): Refusal {
  const hint = parameter === 'max_tokens' ? " Use 'max_completion_tokens' instead." : ''
  return refuse(
    parameter,
    'unsupported_parameter',
    `Unsupported parameter: '${parameter}' is not supported with this model.${hint}`,
  )
}

function refuse(param: string, code: string | null, message: string): Refusal {
  return { status: 400, param, code, message }
}

// The keys that OpenAI and Azure document for structured outputs. Where the two differ, the stricter one counts.
const STRICT_KEYS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'enum',
  'const',
  'description',
  '$ref',
  '$defs',
])

/** Returns the first part of a schema that a strict endpoint would refuse. Returns undefined if the schema is accepted. */
export function strictFlaw(schema: unknown, path: string): string | undefined {
  const parsed = z.record(z.string(), z.unknown()).safeParse(schema)
  if (!parsed.success) return `In context=(${path}), a schema must be an object.`
  const { type, properties, required, additionalProperties, items, anyOf, $defs } = parsed.data
  const foreign = Object.keys(parsed.data).find(key => !STRICT_KEYS.has(key))
  if (foreign !== undefined) return `In context=(${path}), '${foreign}' is not permitted.`
  if (path === '' && type !== 'object') return 'schema must be a JSON Schema of type "object".'
  const children: [string, unknown][] = []
  if (type === 'object') {
    if (additionalProperties !== false)
      return `In context=(${path}), 'additionalProperties' is required to be supplied and to be false.`
    const names = Object.keys(z.record(z.string(), z.unknown()).parse(properties))
    const listed = new Set(z.array(z.string()).parse(required))
    const missing = names.find(name => !listed.has(name))
    if (missing !== undefined)
      return `In context=(${path}), 'required' is required to include every key in properties. Missing '${missing}'.`
    children.push(...Object.entries(Object(properties)))
  }
  if (type === 'array' && items === undefined) return `In context=(${path}), array schema missing items.`
  if (items !== undefined) children.push(['items', items])
  if (anyOf !== undefined)
    children.push(
      ...z
        .array(z.unknown())
        .parse(anyOf)
        .map((each, index): [string, unknown] => [`anyOf.${index}`, each]),
    )
  if ($defs !== undefined) children.push(...Object.entries(Object($defs)))
  for (const [name, child] of children) {
    const flaw = strictFlaw(child, `${path}.${name}`)
    if (flaw !== undefined) return flaw
  }
  return undefined
}
