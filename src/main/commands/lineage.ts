import { writeFile } from 'node:fs/promises'
import { asQuery } from '../../agent/lineage/evidence.ts'
import { findRun, investigate } from '../../agent/lineage/investigate.ts'
import { lineageOverview } from '../../agent/lineage/overview.ts'
import type { LineageResult } from '../../agent/lineage/result.ts'
import { newRunId } from '../../agent/run/id.ts'
import type { QueryReport } from '../../agent/run/result.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { evidenceView } from '../../bots/terminal/answer-view.ts'
import { askAtTerminal } from '../../bots/terminal/ask-at-terminal.ts'
import { graphView } from '../../bots/terminal/graph-view.ts'
import { terminalMarkdown } from '../../bots/terminal/markdown.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { createChartDrawer } from '../../charts/drawer.ts'
import type { GraphPicture } from '../../charts/picture.ts'
import { createSqlFormatter } from '../../clickhouse/sql-formatter.ts'
import { RunLog } from '../../history/run-log.ts'
import { type Language, languageFor } from '../../words/language.ts'
import { lineageWords } from '../../words/lineage.ts'
import { wireGuard, wireModel, wireWarehouse } from '../parts.ts'
import { requireClickHouse, wireLineage } from '../pipelines.ts'
import { openStateStore } from '../store.ts'
import { checkQuestion, openPrompt } from './ask.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'
import { showSources } from './show-sources.ts'
import { translateFailure } from './translate-failure.ts'

export interface LineageOptions {
  readonly json: boolean
  /** Whether to show the SQL of the queries and the sources of the figures below the answer. */
  readonly sources: boolean
  /** Whether to run the job again before answering, and to keep all tables of that second run. */
  readonly deep: boolean
  /** Whether to run the job again without asking the person, if the answer needs it. */
  readonly yes: boolean
  /** Writes the graph as a picture to this file. */
  readonly picture?: string
}

/** `clew lineage JOB [QUESTION]`: shows the graph of a job's run, or answers a question about the rows of the run. */
export async function lineageCommand(
  context: CommandContext,
  job: string,
  question: string | undefined,
  options: LineageOptions,
): Promise<number> {
  checkQuestion(`${job} ${question ?? ''}`)
  const { output, config, signal } = context
  const language = languageFor({ question: question ?? '', platform: context.language })
  if (options.deep && (question === undefined || question.trim() === ''))
    throw new ConfigurationError(`--deep runs ${job} again for a question: clew lineage --deep ${job} "why is … missing?"`)
  requireClickHouse(config)
  const warehouse = await wireWarehouse(context, signal)
  const deps = await wireLineage(context, { warehouse, guard: await wireGuard(context, warehouse, signal) }, signal)
  const view = viewOf(output)
  if (question === undefined || question.trim() === '') {
    const { markdown, run, picture, columns } = await lineageOverview(
      deps,
      await findRun(deps, { job, language }, signal),
      signal,
      { language },
    )
    const drawn = picture === null ? '' : `\n\n${graphView(picture, view)}`
    output.write(
      options.json
        ? `${JSON.stringify({ job: run.job, job_id: run.id, overview: markdown, graph: picture, columns })}\n`
        : `${terminalMarkdown(markdown, view)}${drawn}\n`,
    )
    return savePicture(context, picture, language, options)
  }
  const store = await openStateStore(context)
  const runId = newRunId()
  const investigating = investigate(
    {
      ...deps,
      model: wireModel(context),
      request: {
        job,
        question,
        isDeep: options.deep,
        conversation: '',
        askedAt: new Date().toISOString(),
        timeZone: config.timeZone,
        language,
      },
      log: await RunLog.open(runId, { store, now: Date.now }, signal),
      observe: event => {
        if (options.json) return
        if (event.kind === 'replay_progressed') tell(context, `  ${event.line}`)
        if (event.kind === 'step_started' && event.step === 'tool') tell(context, `· ${event.query ?? ''}`)
      },
      ...confirmation(context, language, options),
    },
    signal,
  )
  const result = await translateFailure(() => language, investigating)
  await context.recorded?.(signal)
  if (options.json) output.write(`${JSON.stringify(result)}\n`)
  else {
    const { figures, evidence } = result
    const queries = evidence.map(asQuery)
    output.write(`${findings(result, queries, language, context)}\n`)
    if (queries.length > 0) await showSources(context, createSqlFormatter(warehouse), options, { language, queries, figures })
  }
  return savePicture(context, result.graph, language, options)
}

/** Writes the graph to the file as PNG. Does nothing if no file is given. A failure is told, because the answer is printed already. */
async function savePicture(
  context: CommandContext,
  graph: GraphPicture | null,
  language: Language,
  { picture: file }: LineageOptions,
): Promise<number> {
  if (file === undefined) return EXIT.answered
  if (graph === null) {
    tell(context, lineageWords(language).nothingLogged)
    return EXIT.answered
  }
  const drawer = createChartDrawer()
  try {
    await writeFile(file, await drawer.draw(graph, { person: '', signal: context.signal }))
    tell(context, lineageWords(language).pictureIn(file))
    return EXIT.answered
  } catch (error) {
    tell(context, `The graph could not be written to ${file}: ${fileReason(error)}.`)
    return EXIT.usage
  } finally {
    await drawer.close()
  }
}

function findings(
  { answer, graph }: LineageResult,
  queries: readonly QueryReport[],
  language: Language,
  { output }: CommandContext,
): string {
  const view = viewOf(output)
  const drawn = graph === null ? [] : ['', graphView(graph, view)]
  return [terminalMarkdown(answer, view), ...drawn, '', ...evidenceView(queries, view, language)].join('\n')
}

function confirmation(context: CommandContext, language: Language, { json, yes }: LineageOptions) {
  if (yes) return { askPerson: async () => 'replay' }
  if (json || !process.stdin.isTTY || !context.errorOutput.isTTY) return {}
  return { askPerson: askAtTerminal(() => openPrompt(context), { pause: () => {}, resume: () => {}, language }) }
}
