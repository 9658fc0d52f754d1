import { quoteTable } from '../../clickhouse/catalog/quote-identifier.ts'
import type { LineageGraph } from '../../pipelines/lineage/lineage-graph.ts'

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g

/** A query in which `{{ label }}` stands for a table of the graph, as in the templates of operations, with the tables' names in it. What is no label stays: it may be part of a string. */
export function withTableNames(sql: string, graph: Pick<LineageGraph, 'find'>): string {
  return sql.replace(PLACEHOLDER, (whole, label: string) => {
    const node = graph.find(label.trim())
    return node === undefined ? whole : quoteTable(node.table)
  })
}

/** The first placeholder of a query that is no table's label. */
export function unknownLabel(sql: string, graph: Pick<LineageGraph, 'find'>): string | undefined {
  return [...sql.matchAll(PLACEHOLDER)].map(([, label = '']) => label.trim()).find(label => graph.find(label) === undefined)
}
