import { z } from 'zod'
import type { DirectReads } from '../agent/direct-reads.ts'
import { runErrorSentence } from '../agent/run/describe-run-error.ts'
import { ConfigurationError } from '../base/errors.ts'
import { compareReports } from '../evals/report.ts'
import { readReports } from '../evals/stored-reports.ts'
import { Problem } from '../http/problem.ts'
import { isSensitiveName } from '../warehouse/catalog/sensitive-name.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import { type ConsoleApp, readQuery } from './app.ts'
import type { EvalsDiffJson, EvalsJson, SourcesJson, TableJson } from './data-json.ts'
import { CONSOLE_LIMITS } from './limits.ts'

export interface DataRoutesDeps {
  /** Reads data as a viewer. It connects with the first use. */
  readonly reads: () => Promise<Pick<DirectReads, 'listSources' | 'table' | 'domain' | 'checkDomain' | 'runQuery'>>
  /** The folder of the reports of `clew evals`. */
  readonly evalsFolder: string
}

const searchSchema = z.object({ search: z.string().trim().min(1).max(200).optional() })
const tableSchema = z.object({ source: z.string().optional(), table: z.string().min(1) })
const diffSchema = z.object({ before: z.string(), after: z.string() })

/** Adds the routes of sources, tables and eval reports. */
export function addDataRoutes(app: ConsoleApp, { reads, evalsFolder }: DataRoutesDeps): void {
  app.add('GET /console/api/data/sources', async context => {
    const { access } = context.get('viewer')
    const { search } = readQuery(context, searchSchema)
    const sources = await readable(async signal => (await reads()).listSources({ access, search }, signal))
    return context.json({ sources } satisfies SourcesJson)
  })
  app.add('GET /console/api/data/table', async context => {
    const { access } = context.get('viewer')
    const asked = { access, ...readQuery(context, tableSchema) }
    const found = await readable(async signal => (await reads()).table(asked, signal))
    if (found.kind === 'refused') throw new Problem(404, 'no_table', found.message)
    return context.json(tableJson(found))
  })
  app.add('GET /console/api/data/evals', async context => {
    const reports = (await readReports(evalsFolder)).map(({ cases: _, ...report }) => report)
    return context.json({ folder: evalsFolder, reports } satisfies EvalsJson)
  })
  app.add('GET /console/api/data/evals/diff', async context => {
    const asked = readQuery(context, diffSchema)
    const reports = new Map((await readReports(evalsFolder)).map(report => [report.id, report]))
    const [before, after] = [reports.get(asked.before), reports.get(asked.after)]
    if (before === undefined || after === undefined) throw new Problem(404, 'no_report', 'There is no such report any more.')
    const misses = after.cases.filter(({ correct }) => !correct)
    return context.json({ ...compareReports(before, after), misses } satisfies EvalsDiffJson)
  })
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

function tableJson({ table, joins }: Extract<Awaited<ReturnType<DirectReads['table']>>, { kind: 'read' }>): TableJson {
  const { database, name, engine, comment, rows, sortingKey, partitionKey } = table
  const columns = table.columns.map(column => {
    const { isPrivate, statistics } = column
    return {
      ...{ name: column.name, type: column.nativeType ?? column.type, comment: column.comment },
      ...(statistics && { statistics }),
      values: isPrivate ? ('private' as const) : isSensitiveName(column.name) ? ('unsampled' as const) : ('gathered' as const),
      joins: joins
        .filter(join => join.columns.includes(column.name))
        .map(({ to, toColumns, columns: own, found }) => {
          return { to: `${qualifiedName(to)}.${toColumns.join(', ')}`, columns: own.join(', '), found }
        }),
    }
  })
  return { database, name, engine, comment, rows, sortingKey, partitionKey, columns }
}
