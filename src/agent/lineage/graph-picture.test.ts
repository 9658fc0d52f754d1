import { describe, expect, it } from '@jest/globals'
import { graphPictureSchema } from '../../charts/picture.ts'
import { LineageGraph } from '../../pipelines/lineage/graph.ts'
import { SeenRun } from '../../pipelines/lineage/seen-run.ts'
import type { LiveTable, LoggedOperation, LoggedRun } from '../../pipelines/lineage/source.ts'
import { graphPicture } from './graph-picture.ts'

const run: LoggedRun = {
  id: 'job_1',
  job: 'orders',
  status: 'COMPLETED',
  arguments: {},
  isRepeatable: true,
  startedAt: undefined,
  finishedAt: undefined,
  error: '',
}
const named = (name: string) => ({ database: 'pipelines', name })

function operation(name: string, inputs: readonly string[], given: Partial<LoggedOperation> = {}): LoggedOperation {
  return {
    operationId: `op_${name}`,
    kind: 'operation',
    operation: name,
    result: named(name),
    inputs: inputs.map(role => ({ role, table: named(role) })),
    template: '',
    sql: 'SELECT 1',
    startedAt: new Date(0),
    finishedAt: new Date(0),
    rows: 7,
    bytes: 0,
    error: '',
    ...given,
  }
}

function graphOf(operations: readonly LoggedOperation[], live: Readonly<Record<string, Partial<LiveTable>>> = {}): LineageGraph {
  const there = Object.entries(live).map(
    ([name, given]) => [`pipelines.${name}`, { rows: 7, runId: undefined, holdsRows: true, ...given }] as const,
  )
  return new LineageGraph(SeenRun.whole(run, operations), new Map(there))
}

describe('the picture of a graph', () => {
  const operations = [
    operation('orders', [], { kind: 'input' }),
    operation('rates', [], { kind: 'input', sql: '' }),
    operation('joined', ['orders', 'rates', 'countries', 'orders']),
    operation('final', ['joined'], { kind: 'target', error: 'out of memory', rows: 0 }),
  ]

  it("has its title and words in the asker's language", () => {
    expect(graphPicture(graphOf(operations), { language: 'de' })).toMatchObject({ title: 'Herkunft von orders', language: 'de' })
    expect(graphPicture(graphOf(operations), { language: 'en' })).not.toHaveProperty('language')
  })

  it('shows kinds, states, rows and failures; a link with two roles appears once', () => {
    const picture = graphPicture(graphOf(operations, { orders: {}, rates: {}, countries: {}, final: { runId: 'job_2' } }))
    expect(picture).toMatchObject({
      title: 'Lineage of orders',
      nodes: [
        { label: 'orders', kind: 'input', state: 'live', rows: 7, failed: false },
        { label: 'rates', kind: 'outside', state: 'live' },
        { label: 'joined', kind: 'intermediate', state: 'gone', suspected: false },
        { label: 'final', kind: 'target', state: 'replaced', rows: null, failed: true },
        { label: 'countries', kind: 'outside', rows: null },
      ],
      edges: [
        { from: 0, to: 2 },
        { from: 1, to: 2 },
        { from: 4, to: 2 },
        { from: 2, to: 3 },
      ],
    })
    expect(graphPictureSchema.safeParse(picture).success).toBe(true)
  })

  it('does not depend on which operation ended first', () => {
    const [orders, rates, joined, final] = operations
    if (!orders || !rates || !joined || !final) throw new Error('there are four')
    expect(graphPicture(graphOf([rates, orders, joined, final]))).toEqual(graphPicture(graphOf(operations)))
  })

  it('marks the suspect and the replayed tables', () => {
    const graph = graphOf(operations, { orders: {} })
    const replay = graphOf([operation('joined', [], { result: named('t_1') })], { t_1: {} })
    const picture = graphPicture(graph, { suspect: graph.find('rates'), replay })
    expect(picture?.nodes.filter(node => node.suspected).map(({ label }) => label)).toEqual(['rates'])
    expect(picture?.nodes.map(({ state }) => state)).toEqual(['live', 'gone', 'replayed', 'gone', 'gone'])
  })

  it('shows the tables nearest to the fault and the target if there are too many', () => {
    const chain = Array.from({ length: 300 }, (_, place) => operation(`step_${place}`, place === 0 ? [] : [`step_${place - 1}`]))
    const graph = graphOf([...chain, operation('final', ['step_299'], { kind: 'target' })])
    const picture = graphPicture(graph, { suspect: graph.find('step_5') })
    expect(picture?.title).toBe('Lineage of orders (120 of 301 tables)')
    const labels = picture?.nodes.map(({ label }) => label)
    expect(labels).toEqual(expect.arrayContaining(['step_0', 'step_5', 'step_250', 'final']))
  })

  it('is absent for a run without log entries', () => {
    expect(graphPicture(graphOf([]))).toBeNull()
  })
})
