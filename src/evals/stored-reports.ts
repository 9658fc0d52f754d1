import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
const IS_REPORT = new RegExp(`(?:^|[/\\\\])(?:${HISTORY}[/\\\\][^/\\\\]+|${REPORT_NAME})\\.json$`)

const groupSchema = z.object({ cases: z.number(), correct: z.number() })
const reportSchema = z.object({
  model: z.string(),
  finished_at: z.string(),
  all: groupSchema,
  by_tag: z.record(z.string(), groupSchema),
  cases: z.array(
    z.object({ id: z.string(), question: z.string(), correct: z.boolean(), reason: z.string().nullable(), detail: z.string() }),
  ),
})

/** A report of `clew evals`, as its file holds it. `set` is the folder of its cases, such as `network/cases`. */
export type StoredReport = z.infer<typeof reportSchema> & { readonly set: string }

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
  // The last report is in the history too.
  const known = new Map<string, StoredReport>()
  for (const name of names.filter(each => IS_REPORT.test(each))) {
    const { data } = reportSchema.safeParse(parseJson(await readFile(join(folder, name), 'utf8')))
    const set = dirname(name).replace(new RegExp(`[/\\\\]?${HISTORY}$`), '')
    if (data !== undefined) known.set(`${set} ${data.finished_at}`, { set, ...data })
  }
  return [...known.values()].sort((a, b) => (a.finished_at < b.finished_at ? 1 : -1)).slice(0, EVAL_LIMITS.storedReports)
}
