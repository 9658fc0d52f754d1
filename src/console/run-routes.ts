import type { Context } from 'hono'
import { z } from 'zod'
import { newRunId } from '../agent/run/id.ts'
import type { RunResult } from '../agent/run/result.ts'
import { SIZES } from '../base/sizes.ts'
import { csvContent } from '../bots/actions/csv-text.ts'
import { csvFileName } from '../bots/actions/download-csv.ts'
import type { Feedback, FeedbackStore } from '../bots/actions/feedback.ts'
import type { ChartDrawer } from '../charts/drawer.ts'
import { type RunLogEntry, readRunLog } from '../history/run-log-entry.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { TurnClient } from '../http/turn-client.ts'
import { askerName } from '../queue/asker.ts'
import type { StateStore } from '../store/state-store.ts'
import { type ConsoleApp, type ConsoleEnv, readBody, readQuery, type Viewer } from './app.ts'
import { readContent } from './kept-content.ts'
import { CONSOLE_LIMITS, limited } from './limits.ts'
import { type RerunDeps, rerun } from './rerun.ts'
import { runFilterSchema, selectRuns } from './run-filter.ts'
import type { StoredLine } from './run-line.ts'
import { stepOf } from './run-step.ts'
import type { RunChangesJson, RunJson } from './runs-json.ts'
import { isListed, ShownRuns, type ShownRunsDeps, shownLine } from './shown-runs.ts'

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
type RunContext = Context<ConsoleEnv, `/console/api/runs/:id/${string}`>
const sinceSchema = z.object({ since: z.coerce.number() })

/** Adds the routes of the list of runs, and of one run. */
export function addRunRoutes(app: ConsoleApp, deps: RunRoutesDeps): void {
  const { mirror, turns, store, feedback } = deps
  const runs = new ShownRuns(deps)
  /** Returns what a person's opinion of an answer is about. An opinion counts as a turn. */
  const opinionOn = async (context: RunContext) => {
    const viewer = context.get('viewer')
    await turns.count(viewer.caller, newRunId(), limited())
    const { line, result } = await runs.findResult(context.req.param('id'), viewer, limited(), 0)
    return aboutAnswer(viewer, line, result, await readRunLog(line.run, store, limited()), deps.now())
  }

  app.add('GET /console/api/runs', async context => {
    const { lines, at } = await mirror.read(limited())
    return context.json({ ...selectRuns(lines, readQuery(context, runFilterSchema), context.get('viewer')), at })
  })
  app.add('GET /console/api/runs/changes', async context => {
    const viewer = context.get('viewer')
    const { lines, at } = await mirror.changesSince(readQuery(context, sinceSchema).since, limited())
    const listed = lines.filter(line => isListed(line, viewer)).slice(0, CONSOLE_LIMITS.largestPage)
    return context.json({ runs: listed.map(line => shownLine(line, viewer)), at } satisfies RunChangesJson)
  })
  app.add('GET /console/api/runs/:id', async context => {
    const viewer = context.get('viewer')
    const signal = limited()
    const { line, maySee, result } = await runs.find(context.req.param('id'), viewer, signal)
    const [log, contentOf, given] = await Promise.all([
      readRunLog(line.run, store, signal),
      maySee ? readContent(line.id, store, signal) : undefined,
      feedback.find({ runId: line.id, ...nameParts(viewer) }, signal),
    ])
    const { chart, ...shown } = result ?? {}
    return context.json({
      line: shownLine(line, viewer),
      steps: log.map((entry, index) => ({ id: `${index}`, ...stepOf(entry, maySee, contentOf?.(entry) ?? null) })),
      result: result === undefined ? null : ({ ...shown, chart: chart !== null } as RunJson['result']),
      hidden: !maySee,
      feedback: given === undefined ? null : { helpful: given.verdict === 'helpful', reason: given.reason ?? null },
      may: { rerun: result !== undefined },
    } satisfies RunJson)
  })
  app.add('GET /console/api/runs/:id/chart', async context => {
    const viewer = context.get('viewer')
    const { result } = await runs.findResult(context.req.param('id'), viewer, limited())
    if (result.chart === null) throw new Problem(404, 'no_chart', 'This answer has no chart.')
    const png = await deps.drawChart(result.chart, { person: viewer.person, signal: limited() })
    return context.body(new Uint8Array(png), 200, { 'Content-Type': 'image/png' })
  })
  app.add('GET /console/api/runs/:id/csv/:query', async context => {
    const { id, query: name } = context.req.param()
    const { result } = await runs.findResult(id, context.get('viewer'), limited(), Number.POSITIVE_INFINITY)
    const query = queryOf(result, name)
    const content = new Uint8Array(await csvContent(query))
    const disposition = `attachment; filename="${csvFileName(query)}"`
    return context.body(content, 200, { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': disposition })
  })
  app.add('GET /console/api/runs/:id/queries/:query/sql', async context => {
    const viewer = context.get('viewer')
    const { id, query: name } = context.req.param()
    const { sql, source } = queryOf((await runs.findResult(id, viewer, limited(), 0)).result, name)
    const asked = { sql: sql ?? '', source, access: viewer.access }
    return context.json({ sql: await (await deps.reads()).formatSql(asked, limited()) })
  })
  app.add('POST /console/api/runs/:id/queries/:query/run', async context => {
    const viewer = context.get('viewer')
    const { sql } = await readBody(context, rerunSchema)
    const { id, query: name } = context.req.param()
    const { source } = queryOf((await runs.findResult(id, viewer, limited(), 0)).result, name)
    const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(CONSOLE_LIMITS.queryMs)])
    return context.json(await rerun(deps, viewer, { sql, source }, signal))
  })
  app.add('POST /console/api/runs/:id/propose', async context => {
    const { sql, question } = await readBody(context, proposalSchema)
    // A proposal has an id of its own, so that a verdict on the answer does not replace it.
    const runId = newRunId()
    const { of, ...by } = await opinionOn(context)
    const proposed = { ...by, runId, proposes: by.runId, question, standaloneQuestion: question, sql: [sql] }
    // Whoever proposes a query shows it to those who decide.
    await feedback.give({ ...proposed, of: { ...of, isOpen: true }, verdict: 'helpful' }, limited())
    return context.json({ id: runId }, 201)
  })
  app.add('POST /console/api/runs/:id/feedback', async context => {
    const { helpful, reason } = await readBody(context, feedbackSchema)
    const given = { verdict: helpful ? 'helpful' : 'unhelpful', ...(reason !== '' && { reason }) } as const
    await feedback.give({ ...(await opinionOn(context)), ...given }, limited())
    return context.body(null, 204)
  })
  app.add('POST /console/api/runs/:id/retry', async context => {
    const viewer = context.get('viewer')
    const { line, result } = await runs.find(context.req.param('id'), viewer, limited(), 0)
    const isTurn = line.platform === HTTP_PLATFORM
    // A turn goes on in its thread. A question of a chat begins a new one, so it must stand on its own.
    const text = isTurn ? line.question : (result?.standalone_question ?? line.question)
    if (line.person !== viewer.person || text === null) throw new Problem(403, 'not_asker', 'Only the asker can ask this again.')
    const asks = { text, key: `retry-${line.id}` }
    const turn = await turns.submit(viewer.caller, { thread: isTurn ? line.thread : undefined, asks }, limited())
    return context.json({ turn: turn.id, thread: turn.thread }, 202)
  })
}

function queryOf({ queries }: Pick<RunResult, 'queries'>, name: string) {
  const query = queries.find(({ id }) => id === name)
  if (query === undefined) throw new Problem(404, 'not_found', `This answer has no query ${name}.`)
  return query
}

/** Returns a person's verdict on an answer, without the verdict itself. */
function aboutAnswer(
  viewer: Viewer,
  { id, question, person, platform, channel, sources, isOpen }: StoredLine,
  { standalone_question: standaloneQuestion, queries }: Pick<RunResult, 'standalone_question' | 'queries'>,
  log: readonly RunLogEntry[],
  at: number,
): Omit<Feedback, 'verdict' | 'of'> & Required<Pick<Feedback, 'of'>> {
  const models = [...new Set(log.flatMap(({ usage }) => usage?.model ?? []))]
  const of = { person, channel: askerName({ platform }, channel), sources: [...sources], models, isOpen }
  const sql = queries.flatMap(query => query.sql ?? [])
  return { runId: id, ...nameParts(viewer), at, question: question ?? standaloneQuestion, standaloneQuestion, sql, of }
}

function nameParts({ person, caller }: Viewer) {
  const [platform = '', user = ''] = person.split('/').map(decodeURIComponent)
  return { platform, user, workspace: caller.token.workspace ?? platform }
}
