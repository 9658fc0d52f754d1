import type { Context } from 'hono'
import { z } from 'zod'
import { RunError } from '../agent/run/error.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { ChartDrawer } from '../charts/drawer.ts'
import { Problem } from '../http/problem.ts'
import type { McpParts } from '../mcp/parts.ts'
import { PipelineError } from '../pipelines/error.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { lineageWords } from '../words/lineage.ts'
import { type ConsoleApp, type ConsoleEnv, readQuery } from './app.ts'
import { LineageViews, type LineageViewsDeps } from './lineage-views.ts'

const value = z.string().min(1).max(1_000)
const rowsSchema = z.object({ holds: value.optional(), null_in: value.optional() })
const holdersSchema = z.object({ value })
const whySchema = z.object({ column: value, key: value })

/** The time limit of one request. A table may be large, and a graph has many tables. */
const REQUEST_MS = 30_000

export interface LineageRoutesDeps extends Pick<McpParts, 'countQuery' | 'recorded'> {
  /** Opens the parts, because the console starts without its warehouse. */
  readonly lineage: () => Promise<Omit<LineageViewsDeps, 'place'>>
  readonly drawer: Pick<ChartDrawer, 'place'>
}

/** Adds the routes of jobs, their runs and the graphs of runs. They read within the caps, and are audited before they are shown. */
export function addLineageRoutes(app: Pick<ConsoleApp, 'add'>, deps: LineageRoutesDeps): void {
  const answer = async (context: Context<ConsoleEnv>, read: (views: LineageViews, signal: AbortSignal) => Promise<object>) => {
    try {
      const { person, access } = context.get('viewer')
      const place: LineageViewsDeps['place'] = (graph, signal) =>
        deps.drawer.place(graph, { person, signal }).catch(() => {
          throw Problem.busy('not_placed', 'The graph could not be laid out in time. Try again.', undefined, 503)
        })
      const signal = AbortSignal.timeout(REQUEST_MS)
      await deps.countQuery?.(signal)
      const views = new LineageViews({ ...(await deps.lineage()), place }, access)
      const shown = await read(views, signal)
      await deps.recorded?.(signal)
      return context.json(shown)
    } catch (error) {
      throw problemOf(error) ?? error
    }
  }
  app.add('GET /console/api/lineage/jobs', context => answer(context, (views, signal) => views.runs(undefined, signal)))
  app.add('GET /console/api/lineage/jobs/:job/runs', context =>
    answer(context, (views, signal) => views.runs(context.req.param('job'), signal)),
  )
  app.add('GET /console/api/lineage/runs/:run/graph', context =>
    answer(context, (views, signal) => views.graph(context.req.param('run'), signal)),
  )
  app.add('GET /console/api/lineage/runs/:run/nodes/:node', context => {
    const wanted = readQuery(context, rowsSchema)
    const { run, node } = context.req.param()
    return answer(context, (views, signal) => views.node(run, node, wanted, signal))
  })
  app.add('GET /console/api/lineage/runs/:run/nodes/:node/why', context => {
    const { run, node } = context.req.param()
    const asked = readQuery(context, whySchema)
    return answer(context, (views, signal) => views.why(run, node, asked, signal))
  })
  app.add('GET /console/api/lineage/runs/:run/holders', context => {
    const { value: wanted } = readQuery(context, holdersSchema)
    return answer(context, (views, signal) => views.holders(context.req.param('run'), wanted, signal))
  })
}

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof PipelineError && error.kind === 'not_found') return new Problem(404, 'not_found', error.message)
  if (error instanceof PipelineError && error.kind === 'refused') return new Problem(403, 'not_allowed', error.message)
  if (error instanceof RunError) return Problem.busy(error.code, error.message)
  if (error instanceof WarehouseError) return Problem.busy('warehouse_unavailable', error.message, undefined, 503)
  return error instanceof ConfigurationError ? new Problem(503, 'no_pipelines', lineageWords('en').noPipelines) : undefined
}
