import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import { quoteTable } from '../../warehouse/sql/quote-identifier.ts'

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g

/** Replaces `{{ label }}` by the table's name, as in templates of operations. Unknown labels stay, because they may be part of a string. */
export function withTableNames(sql: string, graph: Pick<LineageGraph, 'find'>): string {
  return sql.replace(PLACEHOLDER, (whole, label: string) => {
    const node = graph.find(label.trim())
    return node === undefined ? whole : quoteTable(node.table)
  })
}

/** The first placeholder without a matching table. */
export function unknownLabel(sql: string, graph: Pick<LineageGraph, 'find'>): string | undefined {
  return [...sql.matchAll(PLACEHOLDER)].map(([, label = '']) => label.trim()).find(label => graph.find(label) === undefined)
}
