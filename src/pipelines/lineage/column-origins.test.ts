import { expect, it } from '@jest/globals'
import type { ColumnLineage, InputColumn, Transformation } from '../../warehouse/column-lineage.ts'
import { columnOrigins, columnSteps } from './column-origins.ts'
import { LineageGraph } from './graph.ts'
import { SeenRun } from './seen-run.ts'
import type { LoggedOperation } from './source.ts'

const table = (name: string) => ({ database: 'p', name })
const input = (from: string, column: string, ...transformations: readonly Transformation[]): InputColumn => ({
  table: `p.${from}`,
  column,
  transformations,
})
const at = new Date(0)

function operation(
  name: string,
  inputs: readonly string[],
  columnLineage: ColumnLineage | undefined,
  kind: LoggedOperation['kind'] = 'operation',
): LoggedOperation {
  return {
    operationId: name,
    kind,
    operation: name,
    result: table(name),
    inputs: inputs.map(role => ({ role, table: table(role) })),
    template: '',
    sql: 'SELECT …',
    columnLineage,
    startedAt: at,
    finishedAt: at,
    rows: 1,
    bytes: 1,
    error: '',
  }
}

function graphOf(...operations: readonly LoggedOperation[]): LineageGraph {
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
  return new LineageGraph(SeenRun.whole(run, operations), new Map())
}

const lineage = (
  fields: Readonly<Record<string, readonly InputColumn[]>>,
  ...dataset: readonly InputColumn[]
): ColumnLineage => ({
  fields: Object.entries(fields).map(([column, inputs]) => ({ column, inputs })),
  dataset,
})

/** `paid` and `sums` are both made from `orders`, and `final` is made from `paid` and `sums`. The rows of `orders` come from `elsewhere`. */
const DIAMOND = [
  operation('orders', [], lineage({ id: [input('elsewhere', 'id', 'IDENTITY')] }), 'input'),
  operation('paid', ['orders'], lineage({ id: [input('orders', 'id', 'IDENTITY')] }, input('orders', 'paid_at', 'FILTER'))),
  operation(
    'sums',
    ['orders'],
    lineage(
      { id: [input('orders', 'id', 'IDENTITY')], total: [input('orders', 'amount', 'AGGREGATION')] },
      input('orders', 'id', 'GROUP_BY'),
    ),
  ),
  operation(
    'final',
    ['paid', 'sums'],
    lineage(
      { id: [input('paid', 'id', 'IDENTITY')], euros: [input('sums', 'total', 'TRANSFORMATION')], one: [] },
      input('paid', 'id', 'JOIN'),
      input('sums', 'id', 'JOIN'),
    ),
    'target',
  ),
]

const originsOf = (graph: LineageGraph, name: string) => {
  const node = graph.find(name)
  return node === undefined ? undefined : columnOrigins(graph, node)
}

it('columns are traced through all operations to the inputs, with everything that decides about rows', () => {
  expect(originsOf(graphOf(...DIAMOND), 'final')).toEqual(
    lineage(
      { id: [input('orders', 'id', 'IDENTITY')], euros: [input('orders', 'amount', 'AGGREGATION')], one: [] },
      input('orders', 'paid_at', 'FILTER'),
      input('orders', 'id', 'JOIN', 'GROUP_BY'),
    ),
  )
})

it('the steps of a column are listed, nearest first', () => {
  const graph = graphOf(...DIAMOND)
  const node = graph.find('final')
  const steps = node === undefined ? [] : columnSteps(graph, node, 'euros')
  expect(steps.map(({ table: from, column, inputs }) => [`${from}.${column}`, inputs.length])).toEqual([
    ['p.final.euros', 1],
    ['p.sums.total', 1],
    ['p.orders.amount', 0],
  ])
})

it('an indirect input never becomes direct again', () => {
  const decided = [
    operation('a', ['in'], lineage({ x: [input('in', 'x', 'CONDITIONAL')], y: [input('in', 'y', 'IDENTITY')] })),
    operation('b', ['a'], lineage({ z: [input('a', 'x', 'AGGREGATION'), input('a', 'y', 'WINDOW')] })),
  ]
  expect(originsOf(graphOf(...decided), 'b')).toEqual(
    lineage({ z: [input('in', 'x', 'CONDITIONAL'), input('in', 'y', 'WINDOW')] }),
  )
})

it('a table without logged columns ends a trace, and has no origins of its own', () => {
  const graph = graphOf(operation('a', ['in'], undefined), operation('b', ['a'], lineage({ z: [input('a', 'x', 'IDENTITY')] })))
  expect(originsOf(graph, 'b')).toEqual(lineage({ z: [input('a', 'x', 'IDENTITY')] }))
  expect(originsOf(graph, 'a')).toBeUndefined()
})

it('tables made from each other do not cause an endless trace', () => {
  const graph = graphOf(
    operation('a', ['b'], lineage({ x: [input('b', 'x', 'IDENTITY')] })),
    operation('b', ['a'], lineage({ x: [input('a', 'x', 'IDENTITY')] })),
  )
  expect(originsOf(graph, 'a')).toEqual(lineage({ x: [input('a', 'x', 'IDENTITY')] }))
  const node = graph.find('a')
  expect(node === undefined ? [] : columnSteps(graph, node, 'x')).toHaveLength(2)
})
