import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, Next } from 'hono'
import { accepts } from 'hono/accepts'
import { stream } from 'hono/streaming'
import { SIZES } from '../base/sizes.ts'
import type { HttpEnv } from './app.ts'
import { breakOff, type EventStreamsDeps, eventStreams } from './event-stream.ts'
import { HTTP_LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import { turnSchema, turnSummarySchema } from './turn.ts'
import { turnWriter } from './turn-bodies.ts'
import type { NewTurn, StoredTurn, TurnClient } from './turn-client.ts'
import { EVENT_DATA } from './turn-events.ts'

const threadId = z.string().regex(/^[\w-]{1,64}$/, 'expected 1 to 64 letters, digits, - and _')
const runId = z.string().regex(/^run_[0-9a-f]{16}$/, 'expected an id such as run_0123456789abcdef')
const newTurnSchema = z
  .union(
    [
      z.strictObject({ thread: threadId.optional(), text: z.string().trim().min(1).max(SIZES.question) }),
      z.strictObject({
        thread: threadId.optional(),
        choice: z.strictObject({ turn: runId, index: z.number().int().min(0).max(99) }),
      }),
    ],
    { error: 'expected either {"text": "…"} or {"choice": {"turn": "run_…", "index": 0}}, each with or without "thread"' },
  )
  .openapi('NewTurn')

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    code: z.string(),
    mistakes: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'The fields of a request that are not as described.' }),
  })
  .openapi('Problem')

/** The stream's text carries them, which OpenAPI 3.1 cannot say. So the description names this schema. */
const turnEventsSchema = z
  .object({
    ...EVENT_DATA,
    answer: turnSchema,
    question: turnSchema,
    error: turnSchema,
    problem: problemSchema,
  })
  .openapi('TurnEvents', { description: 'For each event by name, the JSON of its `data`.' })

export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
})
const events = {
  'text/event-stream': {
    schema: z.string().openapi({
      description: 'With `Accept: text/event-stream`: server-sent events, whose data `TurnEvents` describes.',
    }),
  },
}
const streamed = {
  description: 'The turn, or its events',
  content: { 'application/json': { schema: turnSchema }, ...events },
}
const problem = { description: 'A problem', content: { 'application/problem+json': { schema: problemSchema } } }
const busy = { ...problem, headers: z.object({ 'Retry-After': z.string().openapi({ description: 'Seconds to wait.' }) }) }
export const problems = { 400: problem, 401: problem, 403: problem, 404: problem, 429: busy, 503: busy }
const located = z.object({ Location: z.string().openapi({ description: 'The path of the turn.' }) })
const ofId = { params: z.object({ id: runId }) }
const resuming = z.object({ 'last-event-id': z.string().optional() })

/** Adds the routes of turns, threads and runs to the app. */
export function addTurnRoutes(
  app: OpenAPIHono<HttpEnv>,
  { turns, ...streaming }: Omit<EventStreamsDeps, 'turns' | 'bodies'> & { readonly turns: TurnClient },
): void {
  const bodies = turnWriter(turns)
  const respond = eventStreams({ turns, bodies, ...streaming })
  const send = (context: Context<HttpEnv>, turn: StoredTurn, status: 200 | 202) => {
    context.header('Content-Type', 'application/json')
    context.status(status)
    // A HEAD request gets no body, so nothing would ever read one.
    if (context.req.method === 'HEAD') return context.body(null)
    return stream(context, async out => {
      const left = new AbortController()
      out.onAbort(() => left.abort())
      const { person, id } = context.get('caller').token
      const reader = { owner: person ?? id, signal: AbortSignal.any([left.signal, streaming.signal]) }
      await bodies(turn, piece => out.write(piece), reader).catch(() => breakOff(context))
    })
  }

  app.openapi(
    createRoute({
      operationId: 'submitTurn',
      method: 'post',
      path: '/v1/turns',
      summary: 'Asks a question, or takes a choice of a question back',
      middleware: needsJson,
      request: {
        headers: z.object({
          'idempotency-key': z
            .string()
            .regex(
              new RegExp(`^[\\x21-\\x7e]{1,${HTTP_LIMITS.keyCharacters}}$`),
              `must be 1 to ${HTTP_LIMITS.keyCharacters} letters, digits and signs of ASCII`,
            )
            .optional()
            .openapi({ description: 'A request with the same key is the same turn.' }),
        }),
        body: { required: true, content: { 'application/json': { schema: newTurnSchema } } },
      },
      responses: {
        200: { description: 'The events of the turn', content: events, headers: located },
        202: { ...json('The turn was accepted', turnSchema), headers: located },
        409: problem,
        413: problem,
        415: problem,
        422: problem,
        ...problems,
      },
    }),
    async context => {
      const { 'idempotency-key': key } = context.req.valid('header')
      const body = context.req.valid('json')
      const asks: NewTurn['asks'] = 'text' in body ? { text: body.text, key } : body.choice
      const submit = async () => {
        const turn = await turns.submit(context.get('caller'), { thread: body.thread, asks }, limited())
        context.header('Location', `/v1/turns/${turn.id}`)
        return turn
      }
      if (wantsEvents(context)) return respond(context, async () => (await submit()).id)
      return send(context, await submit(), 202)
    },
  )
  app.openapi(
    createRoute({
      operationId: 'getTurn',
      method: 'get',
      path: '/v1/turns/{id}',
      summary: 'A turn, with its result once it has one',
      request: { ...ofId, headers: resuming },
      responses: { 200: streamed, 204: { description: 'The client has had all events' }, ...problems },
    }),
    async context => {
      const { id } = context.req.valid('param')
      if (wantsEvents(context)) return respond(context, () => id)
      return send(context, await turns.find(context.get('caller'), id, limited()), 200)
    },
  )
  app.openapi(
    createRoute({
      operationId: 'stopTurn',
      method: 'delete',
      path: '/v1/turns/{id}',
      summary: 'Stops a turn',
      request: ofId,
      responses: { 202: json('The turn without its result. It is stopped soon unless it is over', turnSchema), ...problems },
    }),
    async context => {
      const { stored: _, answer: __, ...turn } = await turns.stop(context.get('caller'), context.req.valid('param').id, limited())
      return context.json({ ...turn, result: null }, 202)
    },
  )
  app.openapi(
    createRoute({
      operationId: 'getThread',
      method: 'get',
      path: '/v1/threads/{id}',
      summary: `The latest ${HTTP_LIMITS.turnsOfThread} turns of a thread with their answers, in order`,
      request: { params: z.object({ id: threadId }) },
      responses: { 200: json('The thread', z.object({ id: z.string(), turns: z.array(turnSummarySchema) })), ...problems },
    }),
    async context => {
      const { id } = context.req.valid('param')
      return context.json({ id, turns: [...(await turns.thread(context.get('caller'), id, limited()))] }, 200)
    },
  )
  app.openapi(
    createRoute({
      operationId: 'getTrace',
      method: 'get',
      path: '/v1/runs/{id}/trace',
      summary: 'The steps of a run, as `log` of `clew trace --json`',
      request: ofId,
      responses: {
        200: json('The steps', z.object({ run_id: z.string(), log: z.array(z.record(z.string(), z.unknown())) })),
        ...problems,
      },
    }),
    async context => {
      const { id } = context.req.valid('param')
      return context.json({ run_id: id, log: [...(await turns.trace(context.get('caller'), id, limited()))] }, 200)
    },
  )
  app.openAPIRegistry.register('TurnEvents', turnEventsSchema)
  const routes = app.routes.filter(({ path, method }) => path.startsWith('/v1/') && method !== 'ALL')
  for (const path of new Set(routes.map(route => route.path))) {
    const allowed = [...new Set(routes.filter(route => route.path === path).map(({ method }) => method))].join(', ')
    app.all(path, () => {
      throw new Problem(405, 'wrong_method', `This path takes ${allowed} only.`, { headers: { Allow: allowed } })
    })
  }
}

/** Without the header, the body would count as empty. */
async function needsJson({ req }: Context, next: Next): Promise<void> {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(req.header('Content-Type') ?? ''))
    throw new Problem(415, 'not_json', 'The body must be JSON: send Content-Type: application/json.')
  await next()
}

/** A request ends in this time, whether or not its client waits. A turn that it has begun to submit is not left half written. */
export function limited(): AbortSignal {
  return AbortSignal.timeout(HTTP_LIMITS.requestMs)
}

function wantsEvents(context: Context): boolean {
  const accepted = accepts(context, { header: 'Accept', supports: ['text/event-stream'], default: 'application/json' })
  return context.req.method !== 'HEAD' && accepted === 'text/event-stream'
}
