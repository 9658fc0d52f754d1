import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { errorCode } from '../base/errors.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { REPORT_NAME } from './case.ts'
import { EVAL_LIMITS } from './limits.ts'
import type { EvalReport } from './report.ts'

/** `clew evals` writes its reports below this folder of the working directory. */
export const EVALS_FOLDER = join('.clew', 'evals')

/** The folder of earlier reports, beside the last one. */
const HISTORY = 'history'

const groupSchema = z.object({
  cases: z.number(),
  correct: z.number(),
  first_try: z.number(),
  error_free: z.number(),
  reasons: z.record(z.string(), z.number()),
})
const reportSchema = z.object({
  model: z.string(),
  finished_at: z.string(),
  all: groupSchema,
  by_tag: z.record(z.string(), groupSchema),
  cases: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      correct: z.boolean(),
      reason: z.string().nullable(),
      detail: z.string(),
    }),
  ),
})

/** A report of `clew evals`, as its file holds it. */
export interface StoredReport extends z.infer<typeof reportSchema> {
  /** Its path below the folder of all reports. */
  readonly id: string
  /** The folder of its cases, such as `network/cases`. */
  readonly set: string
}

/** Keeps a report beside later ones. */
export async function keepReport(folder: string, { finished_at: at }: Pick<EvalReport, 'finished_at'>): Promise<void> {
  await mkdir(join(folder, HISTORY), { recursive: true })
  await copyFile(join(folder, `${REPORT_NAME}.json`), join(folder, HISTORY, `${at.replaceAll(':', '')}.json`))
}

/** Reads the reports below a folder, the newest first. Leaves out files that are no report. */
export async function readReports(folder: string): Promise<readonly StoredReport[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  const isReport = new RegExp(`(?:^|[/\\\\])(?:${HISTORY}[/\\\\][^/\\\\]+|${REPORT_NAME})\\.json$`)
  const read = await Promise.all(names.filter(name => isReport.test(name)).map(name => readReport(folder, name)))
  const newest = read.flat().sort((a, b) => (a.finished_at < b.finished_at ? 1 : -1))
  // The last report is in the history too.
  const known = new Map(newest.map(report => [`${report.set} ${report.finished_at}`, report]))
  return [...known.values()].slice(0, EVAL_LIMITS.storedReports)
}

async function readReport(folder: string, name: string): Promise<StoredReport[]> {
  const path = join(folder, name)
  const { data } = reportSchema.safeParse(parseJson(await readFile(path, 'utf8')))
  const own = dirname(path)
  const set = relative(folder, own.endsWith(HISTORY) ? dirname(own) : own)
  return data === undefined ? [] : [{ id: name, set, ...data }]
}
