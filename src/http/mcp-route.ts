import type { OpenAPIHono } from '@hono/zod-openapi'
import { RefusedRead } from '../agent/direct-reads.ts'
import { readLineageCommand } from '../agent/lineage/command.ts'
import type { RunEvent } from '../agent/run/event.ts'
import { newRunId } from '../agent/run/id.ts'
import type { RunResult } from '../agent/run/result.ts'
import { unpackJson } from '../history/packed-json.ts'
import type { McpHandler } from '../mcp/http.ts'
import type { McpAnswer, McpParts } from '../mcp/parts.ts'
import { progressSentence } from '../mcp/progress-sentence.ts'
import { askerName } from '../queue/asker.ts'
import type { HttpEnv } from './app.ts'
import { HTTP_LIMITS } from './limits.ts'
import { HTTP_PLATFORM } from './place.ts'
import { Problem } from './problem.ts'
import { type Caller, FIRST_EVENT, type TurnClient } from './turn-client.ts'
import type { TurnEvent } from './turn-events.ts'

interface McpRouteDeps {
  readonly turns: Pick<TurnClient, 'submit' | 'count' | 'find' | 'packed' | 'follow' | 'stop'>
  readonly parts: Omit<McpParts, 'answer'>
  readonly handle: McpHandler
}

/** Adds `/mcp`. Its questions are turns, which workers answer. A query of the agent's own counts as a turn too. */
export function addMcpRoute(app: OpenAPIHono<HttpEnv>, deps: McpRouteDeps): void {
  const { turns, parts, handle } = deps
  app.all('/mcp', context => {
    const caller = context.get('caller')
    const { access } = caller.access
    const id = askerName({ platform: HTTP_PLATFORM }, caller.token.id)
    const countQuery = async (signal: AbortSignal) => {
      await turns.count(caller, newRunId(), signal).catch(refuse)
      await parts.countQuery?.(signal)
    }
    const own = { ...parts, countQuery, answer: answerInTurn(deps, caller) }
    return handle(context.req.raw, { id, ...(access && { access }) }, own)
  })
}

/** Answers by a turn of the caller. If the agent cancels its call, the turn is stopped. */
function answerInTurn({ turns, parts }: McpRouteDeps, caller: Caller): McpAnswer {
  return async ({ thread, text }, tell, signal) => {
    // The worker would take the command of a tool that is not offered as one.
    if (!parts.tools.has('lineage') && readLineageCommand(text) !== undefined)
      throw new RefusedRead('Questions about pipelines are switched off here. Ask about the data in other words.')
    const late = AbortSignal.timeout(HTTP_LIMITS.streamMs)
    const own = AbortSignal.any([signal, late])
    try {
      const { id } = await turns.submit(caller, { thread, asks: { text } }, signal)
      // If Redis is away, the run ends at its time limit.
      const stop = () => turns.stop(caller, id, AbortSignal.timeout(HTTP_LIMITS.requestMs)).catch(() => {})
      signal.addEventListener('abort', stop, { once: true })
      for await (const event of (await turns.follow(caller, id, FIRST_EVENT, own)) ?? []) {
        const sentence = event && progressOf(event)
        if (sentence !== undefined) tell(sentence)
      }
      const { stored, error } = await turns.find(caller, id, own)
      const packed = await turns.packed(stored && { key: stored.short ?? stored.key }, own)
      if (packed !== null) return (await unpackJson(packed)) as RunResult
      throw new RefusedRead(`${error?.message ?? 'The turn was stopped.'} (${id})`)
    } catch (error) {
      if (late.aborted && !signal.aborted) throw new RefusedRead('No worker has answered in time. Ask again later.')
      return refuse(error)
    }
  }
}

/** Returns the sentence about the progress that an event stands for. */
function progressOf({ kind, data }: TurnEvent): string | undefined {
  if (kind === 'plan' && data.question !== null)
    return progressSentence({ kind: 'data_question_planned', id: data.query, question: data.question })
  if (kind === 'notice') return progressSentence({ kind: 'model_busy', isBusy: !data.is_over })
  if (kind !== 'query') return undefined
  const { query: id, row_count: rowCount, elapsed_ms: elapsedMs, ...common } = data
  return progressSentence({ kind: 'query_finished', id, rowCount, elapsedMs, ...common } satisfies RunEvent)
}

/** @throws RefusedRead for a Problem, or the error itself */
function refuse(error: unknown): never {
  throw error instanceof Problem ? new RefusedRead(error.message) : error
}
