import { expect, it } from '@jest/globals'
import { LineageGraph } from '../../pipelines/lineage/graph.ts'
import { SeenRun } from '../../pipelines/lineage/seen-run.ts'
import type { ColumnLineage, InputColumn, Transformation } from '../../warehouse/column-lineage.ts'
import { lineageWords } from '../../words/lineage.ts'
import { columnLines } from './column-lines.ts'

const at = new Date(0)
const run = {
  id: 'r',
  job: 'j',
  status: 'COMPLETED',
  arguments: {},
  isRepeatable: true,
  startedAt: at,
  finishedAt: at,
  error: '',
}
const orders = {
  operationId: 'o',
  kind: 'operation' as const,
  operation: 'orders',
  result: { database: 'p', name: 't_1' },
  inputs: [],
  template: '',
  sql: 'SELECT 1',
  startedAt: at,
  finishedAt: at,
  rows: 0,
  bytes: 0,
  error: '',
}
const graph = new LineageGraph(SeenRun.whole(run, [orders]), new Map())
const input = (column: string, ...transformations: readonly Transformation[]): InputColumn => ({
  table: 'p.t_1',
  column,
  transformations,
})
const copied = (column: string) => ({ column, inputs: [input(column, 'IDENTITY')] })

it('lists copied columns in one line, by table labels', () => {
  const lineage: ColumnLineage = {
    fields: [
      copied('id'),
      { column: 'total', inputs: [input('amount', 'AGGREGATION'), input('day', 'WINDOW'), input('id', 'WINDOW')] },
      copied('name'),
      { column: 'key', inputs: [input('id', 'IDENTITY')] },
      { column: 'unit', inputs: [] },
      { column: 'other', inputs: [{ table: 'shop.x', column: 'y', transformations: ['TRANSFORMATION', 'CONDITIONAL'] }] },
    ],
    dataset: [input('country', 'FILTER')],
  }
  expect(columnLines(lineage, graph, 10)).toEqual([
    'id, name ← orders',
    'total ← orders.amount (aggregated); orders.day, orders.id (window)',
    'key ← orders.id',
    'unit ← no column',
    'other ← shop.x.y (computed, condition)',
    'which rows ← orders.country (filter)',
  ])
  expect(columnLines(lineage, graph, 10, lineageWords('de'))).toEqual([
    'id, name ← orders',
    'total ← orders.amount (aggregiert); orders.day, orders.id (Fenster)',
    'key ← orders.id',
    'unit ← keine Spalte',
    'other ← shop.x.y (berechnet, Bedingung)',
    'welche Zeilen ← orders.country (Filter)',
  ])
})

it('is shortened to its limit, and says so', () => {
  const fields = Array.from({ length: 40 }, (_, index) => ({ column: `c${index}`, inputs: [input(`other${index}`, 'IDENTITY')] }))
  const wide = { column: 'hash', inputs: fields.flatMap(({ inputs }) => inputs) }
  const lines = columnLines({ fields: [wide, ...fields], dataset: [] }, graph, 5)
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^hash ← orders\.other0, .{200,290}…$/)
  expect(lines[4]).toBe('… and 37 more')
})
