import { type ColumnStep, columnOrigins, columnSteps } from '../../pipelines/lineage/column-origins.ts'
import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import type { ColumnLineage, InputColumn } from '../../warehouse/column-lineage.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { LineageWords } from '../../words/lineage.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { columnLines } from './column-lines.ts'

/** Where a target's columns come from: the columns of the inputs, and the steps in between. */
export interface ColumnReport extends Pick<ColumnLineage, 'dataset'> {
  /** The target, as `database.table`. */
  readonly table: string
  readonly fields: readonly {
    readonly column: string
    readonly inputs: readonly InputColumn[]
    readonly steps: readonly ColumnStep[]
  }[]
}

/** Returns a report for each target whose columns are logged. */
export function columnReports(graph: LineageGraph): readonly ColumnReport[] {
  return graph.targets.flatMap(node => {
    const origins = columnOrigins(graph, node)
    if (origins === undefined) return []
    const fields = origins.fields.map(({ column, inputs }) => ({ column, inputs, steps: columnSteps(graph, node, column) }))
    return [{ table: qualifiedName(node.table), fields, dataset: origins.dataset }]
  })
}

/** Writes the reports in short Markdown. Empty if no columns are logged. */
export function columnsMarkdown(graph: LineageGraph, words: LineageWords): string {
  const parts = columnReports(graph).map(report => {
    // A column's name may contain any characters, so it is shown as code.
    const items = columnLines(report, graph, LINEAGE_LIMITS.reportLines, words).map(line => `- \`${line.replaceAll('`', "'")}\``)
    return `${words.columnsOf(graph.find(report.table)?.label ?? report.table)}\n${items.join('\n')}`
  })
  return parts.join('\n\n')
}
