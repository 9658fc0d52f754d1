import { z } from 'zod'
import type { DirectReads, SourceListing } from '../agent/direct-reads.ts'
import { runErrorSentence } from '../agent/run/describe-run-error.ts'
import { ConfigurationError } from '../base/errors.ts'
import { readReports } from '../evals/stored-reports.ts'
import { Problem } from '../http/problem.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import { type ConsoleApp, readQuery, type Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'

export interface DataRoutesDeps {
  /** Reads data as a viewer. It connects with the first use. */
  readonly reads: () => Promise<Pick<DirectReads, 'listSources' | 'table' | 'domain' | 'checkDomain' | 'runQuery'>>
  /** The folder of the reports of `clew evals`. */
  readonly evalsFolder: string
}

/** `GET …/data/sources`, `…/data/table` and `…/data/evals`, which has the newest report first. */
export type SourcesJson = readonly SourceListing[]
export type TableJson = Awaited<ReturnType<typeof tableJson>>
export type EvalsJson = Awaited<ReturnType<typeof readReports>>

const searchSchema = z.object({ search: z.string().trim().min(1).max(200).optional() })
const tableSchema = z.object({ source: z.string().optional(), table: z.string().min(1) })

/** Adds the routes of sources, tables and eval reports. */
export function addDataRoutes(app: ConsoleApp, { reads, evalsFolder }: DataRoutesDeps): void {
  app.add('GET /console/api/data/sources', async context => {
    const asked = { ...readQuery(context, searchSchema), access: context.get('viewer').access }
    return context.json(await readable(async signal => (await reads()).listSources(asked, signal)))
  })
  app.add('GET /console/api/data/table', async context =>
    context.json(await tableJson(context.get('viewer'), readQuery(context, tableSchema), reads)),
  )
  app.add('GET /console/api/data/evals', async context => context.json(await readReports(evalsFolder)))
}

/**
 * Does work that reads data, within its time limit.
 * @throws Problem with a sentence for people, if the data cannot be read now
 */
export async function readable<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  try {
    return await work(AbortSignal.timeout(CONSOLE_LIMITS.dataMs))
  } catch (error) {
    if (error instanceof ConfigurationError) throw new Problem(409, 'not_configured', error.message)
    if (error instanceof WarehouseError) throw new Problem(503, 'data_unavailable', runErrorSentence(error, 'en'))
    throw error
  }
}

async function tableJson({ access }: Viewer, asked: z.infer<typeof tableSchema>, reads: DataRoutesDeps['reads']) {
  const found = await readable(async signal => (await reads()).table({ access, ...asked }, signal))
  if (found.kind === 'refused') throw new Problem(404, 'no_table', found.message)
  const { table, joins } = found
  const shown = joins.map(({ to, toColumns, ...join }) => ({ ...join, to: `${qualifiedName(to)}.${toColumns.join(', ')}` }))
  return { table, joins: shown }
}
