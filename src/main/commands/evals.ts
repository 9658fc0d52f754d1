import { createHash } from 'node:crypto'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { type EvalCase, REPORT_NAME, readEvalCases } from '../../evals/case.ts'
import { contextCosts, contextCostsText, readContextParts } from '../../evals/context-parts.ts'
import { type ComparableReport, compareReports, type EvalReport, reportText } from '../../evals/report.ts'
import { reportPage } from '../../evals/report-page.ts'
import { EVALS_FOLDER, keepReport } from '../../evals/stored-reports.ts'
import type { EvalTranscript } from '../../evals/transcript.ts'
import { openEvalWorld } from '../eval-world.ts'
import { evaluateCases, variantOf } from '../evaluate-cases.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

/** The fields of an earlier report that a comparison needs. */
const comparableSchema = z.object({ cases: z.array(z.object({ id: z.string(), correct: z.boolean() })) })

export interface EvalsCommandOptions {
  readonly cases: string
  readonly concurrency: number
  /** Also writes the report to this file, as JSON. */
  readonly json?: string
  /** The folder of transcripts and reports. A case that already has a transcript there is not asked again. */
  readonly out?: string
  /** Asks only this many cases. The same number always selects the same cases. */
  readonly sample?: number
  /** Compares the results with this earlier JSON report, case by case. */
  readonly compare?: string
  /** The parts of the schema or domain pack to leave out of the prompts, separated by commas. */
  readonly without?: string
  /** Prints the size of each part of the prompts' context, and asks no question. */
  readonly context?: boolean
}

/**
 * `clew evals`: asks every case, compares the results with the expected ones, and writes a report. Without CLICKHOUSE_URL, it
 * creates the cases' data in an embedded engine. The command succeeds even if answers are wrong.
 */
export async function evalsCommand(context: CommandContext, options: EvalsCommandOptions): Promise<number> {
  const all = await readEvalCases(options.cases)
  const cases = options.sample === undefined ? all : sampleOf(all, options.sample)
  if (cases.length === 0) throw new ConfigurationError(`${options.cases} has no cases.`)
  const without = readContextParts(options.without ?? '')
  const set = { cases, folder: dirname(resolve(options.cases)), without }
  if (options.context) {
    const world = await openEvalWorld(context, {}, set)
    for (const database of new Set(cases.map(each => each.database))) {
      const { schema, domain } = await world.contextOf(database)
      context.output.write(`${contextCostsText(database ?? 'all', contextCosts(schema, domain))}\n\n`)
    }
    return EXIT.answered
  }
  const before = options.compare === undefined ? undefined : await readReport(options.compare)
  const name = [basename(options.cases, '.jsonl'), variantOf(without)].filter(text => text !== '').join('-')
  const folder = options.out ?? join(EVALS_FOLDER, basename(set.folder), name)
  let done = 0
  let isNews = false
  const { report, transcripts } = await evaluateCases(
    context,
    {},
    {
      ...set,
      casesFile: options.cases,
      out: folder,
      concurrency: options.concurrency,
      onCase: (each, isNew) => {
        isNews ||= isNew
        const how = each.correct ? 'right' : `${each.reason}, ${each.detail}`
        tell(context, `${++done}/${cases.length} ${each.id}: ${how}${isNew ? '' : ' (answered before)'}`)
      },
    },
  )
  await writeReports(folder, report, transcripts, options.json)
  if (isNews) await keepReport(folder, report)
  context.output.write(`${reportText(report)}\n`)
  if (before !== undefined) context.output.write(`${comparisonText(before, report)}\n`)
  context.output.write(`\n${join(folder, `${REPORT_NAME}.html`)}\n`)
  return EXIT.answered
}

/** Selects cases by a hash of their ids, so the choice is always the same. The order of the file stays. */
function sampleOf(cases: readonly EvalCase[], size: number): readonly EvalCase[] {
  const chosen = new Set(
    [...cases]
      .sort((a, b) => (hashOf(a.id) < hashOf(b.id) ? -1 : 1))
      .slice(0, size)
      .map(({ id }) => id),
  )
  return cases.filter(({ id }) => chosen.has(id))
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

async function readReport(path: string): Promise<ComparableReport> {
  try {
    return comparableSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new ConfigurationError(`${path} is not a report of evals: ${fileReason(cause)}.`, { cause })
  }
}

async function writeReports(
  folder: string,
  report: EvalReport,
  transcripts: readonly EvalTranscript[],
  copy: string | undefined,
): Promise<void> {
  const path = join(folder, `${REPORT_NAME}.json`)
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`)
  await writeFile(join(folder, `${REPORT_NAME}.html`), await reportPage(report, transcripts))
  if (copy !== undefined) await copyFile(path, copy)
}

function comparisonText(before: ComparableReport, after: EvalReport): string {
  const { gained, lost, onlyBefore, onlyAfter } = compareReports(before, after)
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Correct now, wrong before', gained],
    ['Wrong now, correct before', lost],
    ['Not asked now', onlyBefore],
    ['Not asked before', onlyAfter],
  ]
  const told = lines.filter(([, ids]) => ids.length > 0).map(([what, ids]) => `${what}: ${ids.join(', ')}`)
  return ['', ...(told.length > 0 ? told : ['No case differs from the earlier report.'])].join('\n')
}
