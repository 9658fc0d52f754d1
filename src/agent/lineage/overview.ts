import type { GraphPicture } from '../../charts/picture.ts'
import { type ColumnStep, columnOrigins, columnSteps } from '../../pipelines/lineage/column-origins.ts'
import type { LineageGraph, LineageNode } from '../../pipelines/lineage/graph.ts'
import type { LineageRun } from '../../pipelines/lineage/seen-run.ts'
import type { LoggedRun } from '../../pipelines/lineage/source.ts'
import type { ColumnLineage, InputColumn } from '../../warehouse/column-lineage.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import { type LineageWords, lineageWords } from '../../words/lineage.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { columnLines } from './column-lines.ts'
import type { LineageDeps, LineageRequest } from './context.ts'
import { graphPicture } from './graph-picture.ts'
import { openGraph } from './open-graph.ts'

/** Facts about a run that are shown without a question and without a model. */
export interface LineageOverview {
  readonly run: LineageRun
  readonly picture: GraphPicture | null
  readonly columns: readonly ColumnReport[]
  /** Markdown with the run, its failures, and questions worth asking. */
  readonly markdown: string
}

/** @throws PipelineError `not_found` with similar names; WarehouseError */
export async function lineageOverview(
  deps: Pick<LineageDeps, 'source' | 'guard' | 'warehouse'>,
  logged: LoggedRun,
  signal: AbortSignal,
  asker: Partial<Pick<LineageRequest, 'grants' | 'language'>> = {},
): Promise<LineageOverview> {
  const words = lineageWords(asker.language)
  const graph = await openGraph(deps, logged, asker, signal)
  const { run } = graph
  const questions = worthAsking(graph, words)
  const parts = [
    `${runSentence(run, words)}${run.isRepeatable ? '' : ` ${words.loggedByOthers}`}`,
    failures(graph, words),
    hiddenSources(graph, words),
    columnsMarkdown(graph, words),
    questions.length === 0 ? '' : `${words.worthAsking}\n${questions.map(question => `- ${question}`).join('\n')}`,
  ]
  return {
    run,
    picture: graphPicture(graph, { language: asker.language }),
    columns: columnReports(graph),
    markdown: parts.filter(part => part !== '').join('\n\n'),
  }
}

function runSentence({ job, id, status, startedAt, finishedAt }: LineageRun, words: LineageWords): string {
  const at = startedAt === undefined ? '' : words.startedAt(startedAt.toISOString().slice(0, 16).replace('T', ' '))
  const took =
    startedAt === undefined || finishedAt === undefined ? '' : words.took((finishedAt.getTime() - startedAt.getTime()) / 1_000)
  return `${words.lastRun(job, id, status)}${at}${took}.`
}

function failures({ run, nodes }: LineageGraph, words: LineageWords): string {
  const failed = nodes.filter(({ operation }) => operation?.hasFailed === true)
  const sentence = ({ label, operation }: LineageNode) =>
    operation?.text === undefined ? words.failedUnseen(label) : words.failed(label, operation.text.error)
  if (failed.length > 0) return failed.map(sentence).join('\n')
  return run.error === '' ? '' : words.endedWith(run.error)
}

function hiddenSources({ nodes }: LineageGraph, words: LineageWords): string {
  const hidden = nodes.filter(({ operation }) => operation !== undefined && operation.text === undefined)
  return hidden.length === 0 ? '' : words.unseen(hidden.map(({ label }) => label))
}

/** Suggests questions that the row counts and the states of the tables raise. */
function worthAsking(graph: LineageGraph, words: LineageWords): readonly string[] {
  const failed = graph.nodes.find(({ operation }) => operation?.hasFailed === true && operation.text !== undefined)
  const shrunk = graph.edges.flatMap(({ from, to }) => {
    const [before, after] = [graph.find(from), graph.find(to)]
    if (before?.rows === undefined || after?.rows === undefined || after.rows >= before.rows) return []
    return [{ before, after, lost: before.rows - after.rows }]
  })
  const [most] = shrunk.toSorted((one, other) => other.lost - one.lost)
  const grown = graph.edges
    .map(({ from, to }) => ({ before: graph.find(from), after: graph.find(to) }))
    .find(({ before, after }) => before?.kind === 'intermediate' && (after?.rows ?? 0) > (before.rows ?? 0))
  // An empty target has no rows to show, and neither has one that was not made.
  const target = graph.targets.find(({ rows, operation }) => rows !== 0 && operation?.hasFailed !== true)
  return [
    failed === undefined ? '' : words.whyFailed(failed.label),
    most === undefined ? '' : words.whichMissing(most.before.label, most.after.label),
    grown?.before === undefined ? '' : words.whyMore(grown.after?.label ?? '', grown.before.label),
    target === undefined ? '' : words.whichEmpty(target.label),
    target === undefined ? '' : words.duplicates(target.label),
  ]
    .filter(question => question !== '')
    .slice(0, LINEAGE_LIMITS.suggestedQuestions)
}

/** Where a target's columns come from: the columns of the inputs, and the steps in between. */
interface ColumnReport extends Pick<ColumnLineage, 'dataset'> {
  readonly table: string
  readonly fields: readonly {
    readonly column: string
    readonly inputs: readonly InputColumn[]
    readonly steps: readonly ColumnStep[]
  }[]
}

/** Returns a report for each target with logged column lineage. */
function columnReports(graph: LineageGraph): readonly ColumnReport[] {
  return graph.targets.flatMap(node => {
    const origins = columnOrigins(graph, node)
    if (origins === undefined) return []
    const fields = origins.fields.map(({ column, inputs }) => ({ column, inputs, steps: columnSteps(graph, node, column) }))
    return [{ table: qualifiedName(node.table), fields, dataset: origins.dataset }]
  })
}

/** Writes the reports in short Markdown. Empty if no column lineage is logged. */
function columnsMarkdown(graph: LineageGraph, words: LineageWords): string {
  const parts = columnReports(graph).map(report => {
    // A column's name may contain any characters, so it is shown as code.
    const items = columnLines(report, graph, LINEAGE_LIMITS.reportLines, words).map(line => `- \`${line.replaceAll('`', "'")}\``)
    return `${words.columnsOf(graph.find(report.table)?.label ?? report.table)}\n${items.join('\n')}`
  })
  return parts.join('\n\n')
}
