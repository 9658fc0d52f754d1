import type { OpenAPIHono } from '@hono/zod-openapi'
import type { RunEvent } from '../agent/run/event.ts'
import { newRunId } from '../agent/run/id.ts'
import type { McpHandler } from '../mcp/http.ts'
import type { McpAnswer, McpParts } from '../mcp/parts.ts'
import { progressSentence } from '../mcp/progress-sentence.ts'
import { askerName } from '../queue/asker.ts'
import type { RedisClient } from '../store/redis/client.ts'
import type { HttpEnv } from './app.ts'
import { HTTP_LIMITS } from './limits.ts'
import { HTTP_PLATFORM } from './place.ts'
import { Problem } from './problem.ts'
import { awaitTurn, type Caller, type TurnClient } from './turn-client.ts'
import { EVENT_DATA, type StoredEvent } from './turn-events.ts'
import { takeTurn } from './turn-rate.ts'

interface McpRouteDeps {
  readonly turns: Pick<TurnClient, 'submit' | 'find' | 'packed' | 'follow' | 'stop'>
  /** The parts that read without a model. */
  readonly reading: McpParts
  readonly hasPipelines: boolean
  readonly handle: McpHandler
  readonly redis: RedisClient
}

/** Adds `/mcp`. Its questions are turns, which workers answer. A query of the agent's own counts as a turn too. */
export function addMcpRoute(app: OpenAPIHono<HttpEnv>, deps: McpRouteDeps): void {
  const { turns, hasPipelines, handle } = deps
  app.all('/mcp', context => {
    const caller = context.get('caller')
    const { token } = caller
    const { access } = caller.access
    const ask = askInTurn(turns, caller)
    const parts = { ...readingOf(deps, caller), ask, ...(hasPipelines && { lineage: ask }) }
    const id = askerName({ platform: HTTP_PLATFORM }, token.id)
    return handle(context.req.raw, { id, ...(access && { access }) }, parts)
  })
}

function readingOf({ reading, redis }: McpRouteDeps, { token }: Caller): McpParts {
  const { runQuery } = reading
  if (runQuery === undefined) return reading
  return {
    ...reading,
    async runQuery(asked, signal) {
      const waitMs = await takeTurn(redis, token, newRunId(), signal)
      if (waitMs === 0) return runQuery(asked, signal)
      return { kind: 'refused', message: Problem.tooManyTurns(token.rate, waitMs).message }
    },
  }
}

/** Answers by a turn of the caller. If the agent cancels its call, the turn is stopped. */
function askInTurn(turns: McpRouteDeps['turns'], caller: Caller): McpAnswer {
  return async ({ thread, text }, tell, signal) => {
    const late = AbortSignal.timeout(HTTP_LIMITS.streamMs)
    try {
      const { id } = await turns.submit(caller, { thread, asks: { text } }, signal)
      // If Redis is away, the run ends at its time limit.
      const stop = () => turns.stop(caller, id, AbortSignal.timeout(HTTP_LIMITS.requestMs)).catch(() => {})
      signal.addEventListener('abort', stop, { once: true })
      const onEvent = (event: StoredEvent) => sentencesOf(event).forEach(tell)
      const { result, error } = await awaitTurn(turns, caller, id, { onEvent, signal: AbortSignal.any([signal, late]) })
      return result ?? { kind: 'refused', message: `${error?.message ?? 'The turn was stopped.'} (${id})` }
    } catch (error) {
      if (error instanceof Problem) return { kind: 'refused', message: error.message }
      if (late.aborted && !signal.aborted) return { kind: 'refused', message: 'No worker has answered in time. Ask again later.' }
      throw error
    }
  }
}

/** Returns the sentences about the progress that an event stands for: one, or none. */
function sentencesOf({ kind, data }: StoredEvent): readonly string[] {
  const plan = kind === 'plan' ? EVENT_DATA.plan.safeParse(data).data : undefined
  const read = kind === 'query' ? EVENT_DATA.query.safeParse(data).data : undefined
  const notice = kind === 'notice' ? EVENT_DATA.notice.safeParse(data).data : undefined
  const events: readonly RunEvent[] = [
    ...(notice ? [{ kind: 'model_busy', isBusy: !notice.is_over } as const] : []),
    ...(plan?.question ? [{ kind: 'data_question_planned', id: plan.query, question: plan.question } as const] : []),
    ...(read
      ? [{ ...read, kind: 'query_finished', id: read.query, rowCount: read.row_count, elapsedMs: read.elapsed_ms } as const]
      : []),
  ]
  return events.flatMap(event => progressSentence(event) ?? [])
}
