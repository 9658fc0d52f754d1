import type { ColumnLineage, InputColumn } from '../../clickhouse/column-lineage/column-lineage.ts'
import { type ColumnStep, columnOrigins, columnSteps } from '../../pipelines/lineage/column-origins.ts'
import { type LineageGraph, tableText } from '../../pipelines/lineage/lineage-graph.ts'
import type { LineageWords } from '../../words/lineage-words.ts'
import { columnLines } from './column-lines.ts'

/** Where the columns of a target come from: of its inputs, and which steps lie between. */
export interface ColumnReport extends Pick<ColumnLineage, 'dataset'> {
  /** `database.table`. */
  readonly table: string
  readonly fields: readonly {
    readonly column: string
    readonly inputs: readonly InputColumn[]
    readonly steps: readonly ColumnStep[]
  }[]
}

const MOST_LINES = 8

/** Of each target of which that is logged. */
export function columnReports(graph: LineageGraph): readonly ColumnReport[] {
  return graph.targets.flatMap(node => {
    const origins = columnOrigins(graph, node)
    if (origins === undefined) return []
    const fields = origins.fields.map(({ column, inputs }) => ({ column, inputs, steps: columnSteps(graph, node, column) }))
    return [{ table: tableText(node.table), fields, dataset: origins.dataset }]
  })
}

/** The same in a few lines of Markdown; empty where nothing is logged. */
export function columnsMarkdown(graph: LineageGraph, words: LineageWords): string {
  const parts = columnReports(graph).map(report => {
    // Names of columns may be anything: as code they stay what they are.
    const items = columnLines(report, graph, MOST_LINES, words).map(line => `- \`${line.replaceAll('`', "'")}\``)
    return `${words.columnsOf(graph.find(report.table)?.label ?? report.table)}\n${items.join('\n')}`
  })
  return parts.join('\n\n')
}
