import { type ColumnStep, columnOrigins, columnSteps } from '../../pipelines/lineage/column-origins.ts'
import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import type { ColumnLineage, InputColumn } from '../../warehouse/column-lineage.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { LineageWords } from '../../words/lineage.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { columnLines } from './column-lines.ts'

/** The origins of a target's columns in the inputs, and the steps between. */
export interface ColumnReport extends Pick<ColumnLineage, 'dataset'> {
  /** As `database.table`. */
  readonly table: string
  readonly fields: readonly {
    readonly column: string
    readonly inputs: readonly InputColumn[]
    readonly steps: readonly ColumnStep[]
  }[]
}

/** Reports for the targets with logged columns. */
export function columnReports(graph: LineageGraph): readonly ColumnReport[] {
  return graph.targets.flatMap(node => {
    const origins = columnOrigins(graph, node)
    if (origins === undefined) return []
    const fields = origins.fields.map(({ column, inputs }) => ({ column, inputs, steps: columnSteps(graph, node, column) }))
    return [{ table: qualifiedName(node.table), fields, dataset: origins.dataset }]
  })
}

/** Short Markdown of the reports; empty if nothing is logged. */
export function columnsMarkdown(graph: LineageGraph, words: LineageWords): string {
  const parts = columnReports(graph).map(report => {
    // Column names may contain anything, so they are shown as code.
    const items = columnLines(report, graph, LINEAGE_LIMITS.reportLines, words).map(line => `- \`${line.replaceAll('`', "'")}\``)
    return `${words.columnsOf(graph.find(report.table)?.label ?? report.table)}\n${items.join('\n')}`
  })
  return parts.join('\n\n')
}
