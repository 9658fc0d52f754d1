import { z } from 'zod'
import { newRunId } from '../agent/run/id.ts'
import { SIZES } from '../base/sizes.ts'
import { csvContent } from '../bots/actions/csv-text.ts'
import { csvFileName } from '../bots/actions/download-csv.ts'
import type { FeedbackStore } from '../bots/actions/feedback.ts'
import type { ChartDrawer } from '../charts/drawer.ts'
import { readRunLog } from '../history/run-log-entry.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { TurnClient } from '../http/turn-client.ts'
import { askerName } from '../queue/asker.ts'
import type { StateStore } from '../store/state-store.ts'
import type { ConsoleApp } from './app.ts'
import { type RerunDeps, rerun } from './rerun.ts'
import { runFilterSchema, selectRuns } from './run-filter.ts'
import { nameParts, runJson } from './runs-json.ts'
import { type AskedRun, ShownRuns, type ShownRunsDeps } from './shown-runs.ts'

export interface RunRoutesDeps extends ShownRunsDeps, RerunDeps {
  readonly turns: TurnClient
  readonly store: StateStore
  readonly feedback: FeedbackStore
  readonly drawChart: ChartDrawer['draw']
  /** Unix time in milliseconds. */
  readonly now: () => number
}

const sqlSchema = z.string().trim().min(1).max(SIZES.question)
const rerunSchema = z.strictObject({ sql: sqlSchema })
const proposalSchema = z.strictObject({ sql: sqlSchema, question: z.string().trim().min(1).max(SIZES.question) })
const feedbackSchema = z.strictObject({ helpful: z.boolean(), reason: z.string().trim().max(SIZES.reason).default('') })

/** Adds the routes of the list of runs, and of one run. */
export function addRunRoutes(app: ConsoleApp, deps: RunRoutesDeps): void {
  const { mirror, turns, feedback } = deps
  const runs = new ShownRuns(deps)
  const queryOf = async (asked: AskedRun & { readonly path: { readonly query: string } }, mostRows: number) => {
    const { query: name } = asked.path
    const query = (await runs.findResult(asked, mostRows)).result.queries.find(({ id }) => id === name)
    if (query === undefined) throw new Problem(404, 'not_found', `This answer has no query ${name}.`)
    return query
  }

  app.add('GET /console/api/runs', runFilterSchema, async ({ viewer, given, signal }) =>
    selectRuns(await mirror.read(signal), given, viewer),
  )
  app.add('GET /console/api/runs/:id', async asked => runJson(await runs.find(asked), asked.viewer, deps, asked.signal))
  app.add('GET /console/api/runs/:id/chart', async asked => {
    const { chart } = (await runs.findResult(asked)).result
    if (chart === null) throw new Problem(404, 'no_chart', 'This answer has no chart.')
    const png = await deps.drawChart(chart, { person: asked.viewer.person, signal: asked.signal })
    return asked.context.body(new Uint8Array(png), 200, { 'Content-Type': 'image/png' })
  })
  app.add('GET /console/api/runs/:id/csv/:query', async asked => {
    const query = await queryOf(asked, Number.POSITIVE_INFINITY)
    return asked.context.body(new Uint8Array(await csvContent(query)), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${csvFileName(query)}"`,
    })
  })
  app.add('GET /console/api/runs/:id/queries/:query/sql', async asked => {
    const { sql, source } = await queryOf(asked, 0)
    const written = { sql: sql ?? '', source, access: asked.viewer.access }
    return { sql: await (await deps.reads()).formatSql(written, asked.signal) }
  })
  app.add('POST /console/api/runs/:id/queries/:query/run', rerunSchema, async asked => {
    const { source } = await queryOf(asked, 0)
    const signal = AbortSignal.any([asked.context.req.raw.signal, asked.signal])
    return rerun(deps, asked.viewer, { ...asked.given, source }, signal)
  })
  app.add('POST /console/api/runs/:id/propose', proposalSchema, async asked => {
    const { sql, question } = asked.given
    // A proposal has an id of its own, so that a verdict on the answer does not replace it.
    const runId = newRunId()
    const { of, ...by } = await opinion(asked, runs, deps)
    const proposed = { ...by, runId, proposes: by.runId, question, standaloneQuestion: question, sql: [sql] }
    // Whoever proposes a query shows it to those who decide.
    await feedback.give({ ...proposed, of: { ...of, isOpen: true }, verdict: 'helpful' }, asked.signal)
    return asked.context.json({ id: runId }, 201)
  })
  app.add('POST /console/api/runs/:id/feedback', feedbackSchema, async asked => {
    const { helpful, reason } = asked.given
    const given = { verdict: helpful ? 'helpful' : 'unhelpful', ...(reason !== '' && { reason }) } as const
    await feedback.give({ ...(await opinion(asked, runs, deps)), ...given }, asked.signal)
  })
  app.add('POST /console/api/runs/:id/retry', async asked => {
    const { viewer, signal, context } = asked
    const { line, result } = await runs.find(asked, 0)
    const isTurn = line.platform === HTTP_PLATFORM
    // A turn goes on in its thread. A question of a chat begins a new one, so it must stand on its own.
    const text = isTurn ? line.question : (result?.standalone_question ?? line.question)
    if (line.person !== viewer.person || text === null) throw new Problem(403, 'not_asker', 'Only the asker can ask this again.')
    const asks = { text, key: `retry-${line.id}` }
    const turn = await turns.submit(viewer.caller, { thread: isTurn ? line.thread : undefined, asks }, signal)
    return context.json({ turn: turn.id, thread: turn.thread }, 202)
  })
}

/** Returns a person's opinion of an answer, without the verdict. It counts as a turn. */
async function opinion(asked: AskedRun, runs: ShownRuns, { turns, store, now }: RunRoutesDeps) {
  const { viewer, signal } = asked
  await turns.count(viewer.caller, newRunId(), signal)
  const { line, result } = await runs.findResult(asked, 0)
  const { id: runId, person, platform, channel, sources, isOpen, question } = line
  const log = await readRunLog(line.run, store, signal)
  const models = [...new Set(log.flatMap(({ usage }) => usage?.model ?? []))]
  const of = { person, channel: askerName({ platform }, channel), sources: [...sources], models, isOpen }
  const { standalone_question: standaloneQuestion, queries } = result
  const sql = queries.flatMap(query => query.sql ?? [])
  return { runId, ...nameParts(viewer), at: now(), question: question ?? standaloneQuestion, standaloneQuestion, sql, of }
}
