import { type ColumnLineage, type InputColumn, mergedInputs, transformed } from '../../warehouse/column-lineage.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import type { LineageGraph, LineageNode } from './graph.ts'

/**
 * Traces the columns of a table back through the operations of the run. A trace ends at an input, or at a table without logged
 * column lineage.
 * @returns undefined if the table itself has no logged column lineage
 */
export function columnOrigins(graph: LineageGraph, node: LineageNode): ColumnLineage | undefined {
  const known = new Map<string, ColumnLineage | undefined>()
  const originsOf = (name: string, depth: number): ColumnLineage | undefined => {
    // At a table in a cycle, or beyond the depth limit, the trace ends, as at an input.
    if (known.has(name) || depth > PIPELINES_LIMITS.depth) return known.get(name)
    known.set(name, undefined)
    const found = ownLineage(graph, name)
    if (found === undefined) return undefined
    const back = (input: InputColumn) => {
      const origins = originsOf(input.table, depth + 1)
      const field = origins?.fields.find(({ column }) => column === input.column)
      return field === undefined ? [input] : input.transformations.flatMap(step => transformed(field.inputs, step))
    }
    const read = graph.edges.filter(({ to }) => to === name).map(({ from }) => from)
    const lineage = {
      fields: found.fields.map(({ column, inputs }) => ({ column, inputs: mergedInputs(inputs.flatMap(back)) })),
      dataset: mergedInputs([...read.flatMap(from => originsOf(from, depth + 1)?.dataset ?? []), ...found.dataset.flatMap(back)]),
    }
    known.set(name, lineage)
    return lineage
  }
  return originsOf(qualifiedName(node.table), 0)
}

/** One column on the way from a traced column back to the run's inputs. */
export interface ColumnStep {
  /** The table, as `database.table`. */
  readonly table: string
  readonly column: string
  /** The columns from which this column is made. Empty if the column belongs to an input of the run. */
  readonly inputs: readonly InputColumn[]
}

/** Traces one column back to the run's inputs. Returns each column on the way once, nearest first. */
export function columnSteps(graph: LineageGraph, node: LineageNode, column: string): readonly ColumnStep[] {
  const steps = new Map<string, ColumnStep>()
  let layer: readonly Pick<ColumnStep, 'table' | 'column'>[] = [{ table: qualifiedName(node.table), column }]
  while (layer.length > 0) {
    const fresh = layer.filter(step => !steps.has(stepKey(step)))
    for (const { table, column: name } of fresh) {
      const inputs = ownLineage(graph, table)?.fields.find(field => field.column === name)?.inputs ?? []
      steps.set(stepKey({ table, column: name }), { table, column: name, inputs })
    }
    layer = fresh.flatMap(step => steps.get(stepKey(step))?.inputs ?? [])
  }
  return [...steps.values()]
}

function stepKey({ table, column }: Pick<ColumnStep, 'table' | 'column'>): string {
  return JSON.stringify([table, column])
}

/**
 * Returns the logged column lineage of a table. Returns undefined for an input, even if a query loaded its rows, because traces
 * end at inputs.
 */
function ownLineage(graph: LineageGraph, name: string): ColumnLineage | undefined {
  const node = graph.find(name)
  return node === undefined || node.kind === 'input' ? undefined : node.operation?.text?.columnLineage
}
