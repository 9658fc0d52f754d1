import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import type { ChartDrawer } from '../charts/drawer.ts'
import { Problem } from '../http/problem.ts'
import type { McpParts } from '../mcp/parts.ts'
import { lineageWords } from '../words/lineage.ts'
import type { Asked, ConsoleApp } from './app.ts'
import { LineageViews, type LineageViewsDeps } from './lineage-views.ts'
import type { ConsoleRoute } from './routes.ts'

const value = z.string().min(1).max(1_000)
const nothing = z.object({})
const rowsSchema = z.object({ holds: value.optional(), null_in: value.optional() })
const whySchema = z.object({ column: value, key: value })
const holdersSchema = z.object({ value })

export interface LineageRoutesDeps extends Pick<McpParts, 'countQuery' | 'recorded'> {
  /** Opens the parts, because the console starts without its warehouse. */
  readonly lineage: () => Promise<Omit<LineageViewsDeps, 'place'>>
  readonly drawer: Pick<ChartDrawer, 'place'>
}

/** Adds the routes of jobs, their runs and the graphs of runs. They read within the caps, and are audited before they are shown. */
export function addLineageRoutes(app: ConsoleApp, deps: LineageRoutesDeps): void {
  const add = <Route extends ConsoleRoute, Given>(
    route: Route,
    schema: z.ZodType<Given>,
    read: (views: LineageViews, asked: Asked<Route, Given>) => Promise<object>,
  ) => {
    const answer = async (asked: Asked<Route, Given>) => {
      const { viewer, signal } = asked
      await deps.countQuery?.(signal)
      const place: LineageViewsDeps['place'] = graph =>
        deps.drawer.place(graph, { person: viewer.person, signal }).catch(() => {
          throw Problem.busy('not_placed', 'The graph could not be laid out in time. Try again.', undefined, 503)
        })
      const shown = await read(new LineageViews({ ...(await deps.lineage()), place }, viewer.access), asked)
      await deps.recorded?.(signal)
      return shown
    }
    app.add(route, schema, asked => answer(asked).catch(tellNoPipelines))
  }
  add('GET /console/api/lineage/jobs', nothing, (views, { signal }) => views.runs(undefined, signal))
  add('GET /console/api/lineage/jobs/:job/runs', nothing, (views, { path, signal }) => views.runs(path.job, signal))
  add('GET /console/api/lineage/runs/:run/graph', nothing, (views, { path, signal }) => views.graph(path.run, signal))
  add('GET /console/api/lineage/runs/:run/nodes/:node', rowsSchema, (views, { path, given, signal }) =>
    views.node(path.run, path.node, given, signal),
  )
  add('GET /console/api/lineage/runs/:run/nodes/:node/why', whySchema, (views, { path, given, signal }) =>
    views.why(path.run, path.node, given, signal),
  )
  add('GET /console/api/lineage/runs/:run/holders', holdersSchema, (views, { path, given, signal }) =>
    views.holders(path.run, given.value, signal),
  )
}

function tellNoPipelines(error: unknown): never {
  const isNone = error instanceof ConfigurationError
  throw isNone ? new Problem(503, 'no_pipelines', lineageWords('en').noPipelines) : error
}
