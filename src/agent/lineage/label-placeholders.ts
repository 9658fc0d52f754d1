import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import { quoteTable } from '../../warehouse/sql/quote-identifier.ts'

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g

/**
 * Replaces `{{ label }}` by the name of the table, as in the templates of operations. An unknown label is not replaced, because
 * it may be part of a string.
 */
export function withTableNames(sql: string, graph: Pick<LineageGraph, 'find'>): string {
  return sql.replace(PLACEHOLDER, (whole, label: string) => {
    const node = graph.find(label.trim())
    return node === undefined ? whole : quoteTable(node.table)
  })
}

/** Returns the first placeholder's label that no table has. Undefined if there is none. */
export function unknownLabel(sql: string, graph: Pick<LineageGraph, 'find'>): string | undefined {
  return [...sql.matchAll(PLACEHOLDER)].map(([, label = '']) => label.trim()).find(label => graph.find(label) === undefined)
}
