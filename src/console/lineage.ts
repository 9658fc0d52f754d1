import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import { Problem } from '../http/problem.ts'
import { PipelineError } from '../pipelines/error.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { lineageWords } from '../words/lineage.ts'
import { type ConsoleApp, readQuery, type Viewer } from './app.ts'
import { LineageViews, type LineageViewsDeps } from './lineage-views.ts'

const value = z.string().min(1).max(1_000)
const rowsSchema = z.object({ holds: value.optional(), null_in: value.optional() })
const holdersSchema = z.object({ value })

/**
 * Adds the routes of jobs, their runs and the graphs of runs.
 * @param open opens the parts, because the console starts without its warehouse
 */
export function addLineageRoutes(app: Pick<ConsoleApp, 'add'>, open: () => Promise<LineageViewsDeps>): void {
  const viewsOf = async ({ access }: Viewer) => new LineageViews(await open(), access)
  app.add('GET /console/api/lineage/jobs', context =>
    told(async signal => context.json(await (await viewsOf(context.get('viewer'))).runs(undefined, signal))),
  )
  app.add('GET /console/api/lineage/jobs/:job/runs', context =>
    told(async signal => context.json(await (await viewsOf(context.get('viewer'))).runs(context.req.param('job'), signal))),
  )
  app.add('GET /console/api/lineage/runs/:run/graph', context =>
    told(async signal => context.json(await (await viewsOf(context.get('viewer'))).graph(context.req.param('run'), signal))),
  )
  app.add('GET /console/api/lineage/runs/:run/nodes/:node', context =>
    told(async signal => {
      const { holds, null_in: nullIn } = readQuery(context, rowsSchema)
      const { run, node } = context.req.param()
      return context.json(await (await viewsOf(context.get('viewer'))).node(run, node, { holds, nullIn }, signal))
    }),
  )
  app.add('GET /console/api/lineage/runs/:run/holders', context =>
    told(async signal => {
      const { value: wanted } = readQuery(context, holdersSchema)
      return context.json(await (await viewsOf(context.get('viewer'))).holders(context.req.param('run'), wanted, signal))
    }),
  )
}

/** The time limit of one request. A table may be large, and a graph has many tables. */
const REQUEST_MS = 30_000

async function told(work: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  try {
    return await work(AbortSignal.timeout(REQUEST_MS))
  } catch (error) {
    if (error instanceof PipelineError && error.kind === 'not_found') throw new Problem(404, 'not_found', error.message)
    if (error instanceof PipelineError && error.kind === 'refused') throw new Problem(403, 'not_allowed', error.message)
    if (error instanceof WarehouseError) throw Problem.busy('warehouse_unavailable', error.message, undefined, 503)
    if (error instanceof ConfigurationError) throw new Problem(503, 'no_pipelines', lineageWords('en').noPipelines)
    throw error
  }
}
