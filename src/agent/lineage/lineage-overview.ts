import type { TableGrant } from '../../access/table-grant.ts'
import { LineageGraph } from '../../pipelines/lineage/lineage-graph.ts'
import type { LineageRun } from '../../pipelines/lineage/lineage-source.ts'
import type { GraphPicture } from '../picture.ts'
import { type ColumnReport, columnReports, columnsMarkdown } from './column-report.ts'
import { graphPicture } from './graph-picture.ts'
import { mayInvestigate } from './investigate.ts'
import type { LineageDeps } from './lineage-context.ts'

/** What is known of a run without any question: by program, so at once and without a model. */
export interface LineageOverview {
  readonly run: LineageRun
  readonly picture: GraphPicture | null
  readonly columns: readonly ColumnReport[]
  /** Markdown: the run, what failed, and questions worth asking. */
  readonly markdown: string
}

const MOST_QUESTIONS = 3

/** @throws PipelineError `not_found` with near names; WarehouseError */
export async function lineageOverview(
  deps: Pick<LineageDeps, 'source'>,
  run: LineageRun,
  signal: AbortSignal,
  grants?: readonly TableGrant[],
): Promise<LineageOverview> {
  const operations = await deps.source.operations(run.id, signal)
  const tables = operations.flatMap(({ result, inputs }) => [result, ...inputs.map(({ table }) => table)])
  const graph = new LineageGraph(run, operations, await deps.source.liveTables(tables, signal))
  mayInvestigate(graph, grants)
  const questions = worthAsking(graph)
  const parts = [
    runSentence(run),
    failures(graph),
    columnsMarkdown(graph),
    questions.length === 0 ? '' : `Worth asking:\n${questions.map(question => `- ${question}`).join('\n')}`,
  ]
  return {
    run,
    picture: graphPicture(graph),
    columns: columnReports(graph),
    markdown: parts.filter(part => part !== '').join('\n\n'),
  }
}

function runSentence({ job, id, status, startedAt, finishedAt }: LineageRun): string {
  const at = startedAt === undefined ? '' : `, started ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const took =
    startedAt === undefined || finishedAt === undefined
      ? ''
      : `, took ${((finishedAt.getTime() - startedAt.getTime()) / 1_000).toFixed(1)} s`
  return `**${job}**, last run \`${id}\`: ${status}${at}${took}.`
}

function failures({ run, nodes }: LineageGraph): string {
  const failed = nodes.filter(({ operation }) => operation !== undefined && operation.error !== '')
  if (failed.length > 0) return failed.map(({ label, operation }) => `**${label}** failed: ${operation?.error}`).join('\n')
  return run.error === '' ? '' : `It ended with: ${run.error}`
}

/** What a person might want to know next, from what the counts and states already show. */
function worthAsking(graph: LineageGraph): readonly string[] {
  const failed = graph.nodes.find(({ operation }) => operation !== undefined && operation.error !== '')
  const shrunk = graph.edges.flatMap(({ from, to }) => {
    const [before, after] = [graph.find(from), graph.find(to)]
    if (before?.rows === undefined || after?.rows === undefined || after.rows >= before.rows) return []
    return [{ before, after, lost: before.rows - after.rows }]
  })
  const [most] = shrunk.toSorted((one, other) => other.lost - one.lost)
  const grown = graph.edges
    .map(({ from, to }) => ({ before: graph.find(from), after: graph.find(to) }))
    .find(({ before, after }) => before?.kind === 'intermediate' && (after?.rows ?? 0) > (before.rows ?? 0))
  const [target] = graph.targets
  return [
    failed === undefined ? '' : `Why did ${failed.label} fail?`,
    most === undefined ? '' : `Which rows of ${most.before.label} are not in ${most.after.label}, and why?`,
    grown?.before === undefined ? '' : `Why has ${grown.after?.label} more rows than ${grown.before.label}?`,
    target === undefined ? '' : `Which columns of ${target.label} are NULL or empty, and where does that come from?`,
    target === undefined ? '' : `Are there duplicates in ${target.label}?`,
  ]
    .filter(question => question !== '')
    .slice(0, MOST_QUESTIONS)
}
