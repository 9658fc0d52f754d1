import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import type { ColumnLineage, InputColumn } from '../../warehouse/column-lineage.ts'
import { type LineageWords, lineageWords } from '../../words/lineage.ts'
import { LINEAGE_LIMITS } from '../limits.ts'

/**
 * Writes in short lines where a table's columns come from: `id, name ← orders` for copies, and `total ← orders.amount
 * (aggregated)`. The last line names the columns that decide which rows exist: `which rows ← orders.country (filter)`.
 * @param most the maximum number of lines about columns; if some are left out, the last of these lines says how many
 * @param words the words of a language; a model reads the English ones
 */
export function columnLines(
  { fields, dataset }: ColumnLineage,
  graph: LineageGraph,
  most: number,
  words: LineageWords = lineageWords('en'),
): readonly string[] {
  const copied = new Map<string, string[]>()
  const others: string[] = []
  for (const { column, inputs } of fields) {
    const from = copiedFrom(column, inputs)
    if (from === undefined) others.push(`${column} ← ${inputs.length === 0 ? words.noColumn : inputsText(inputs, graph, words)}`)
    else copied.set(from, [...(copied.get(from) ?? []), column])
  }
  const copies = [...copied].map(([from, columns]) => {
    const one = columns.length === 1 ? `.${columns[0]}` : ''
    return `${columns.join(', ')} ← ${labelOf(from, graph)}${one}`
  })
  const lines = [...copies, ...others]
  const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), words.moreLines(lines.length - most + 1)]
  return (dataset.length === 0 ? shown : [...shown, `${words.whichRows} ← ${inputsText(dataset, graph, words)}`]).map(cut)
}

function cut(line: string): string {
  const { columnLineCharacters: most } = LINEAGE_LIMITS
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}

/** If a column is copied from a table and keeps its name, returns that table. */
function copiedFrom(column: string, [only, ...others]: readonly InputColumn[]): string | undefined {
  const isCopy = only?.column === column && only.transformations.length === 1 && only.transformations[0] === 'IDENTITY'
  return isCopy && others.length === 0 ? only.table : undefined
}

/** Lists the input columns, grouped by their use: `orders.id, vendors.id (join), orders.day (filter)`. */
function inputsText(inputs: readonly InputColumn[], graph: LineageGraph, { columnUses }: LineageWords): string {
  const groups = new Map<string, string[]>()
  for (const { table, column, transformations } of inputs) {
    const how = transformations
      .map(transformation => columnUses[transformation])
      .filter(word => word !== '')
      .join(', ')
    groups.set(how, [...(groups.get(how) ?? []), `${labelOf(table, graph)}.${column}`])
  }
  return [...groups].map(([how, columns]) => `${columns.join(', ')}${how === '' ? '' : ` (${how})`}`).join('; ')
}

function labelOf(table: string, graph: LineageGraph): string {
  return graph.find(table)?.label ?? table
}
