import { afterEach, describe, expect, it } from '@jest/globals'
import type { Chart } from './chart.ts'
import { type ChartDrawer, createChartDrawer } from './drawer.ts'
import type { GraphPicture, PicturedTable } from './picture.ts'

const chart: Chart = {
  kind: 'bar',
  title: 'Users by city',
  labels: ['Bonn', 'Köln', 'Oslo'],
  series: [{ name: 'users', values: [30, 20, 10] }],
  unit: '',
}
const broken = { kind: 'bar' } as Chart
const isPng = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, 4)).toString() === 'PNG'

const table: PicturedTable = { label: 'orders', kind: 'intermediate', state: 'live', rows: 3, failed: false, suspected: false }
const graph: GraphPicture = {
  kind: 'graph',
  title: 'Lineage of orders',
  nodes: Array.from({ length: 60 }, () => table),
  edges: Array.from({ length: 59 }, (_, from) => ({ from, to: from + 1 })),
}

let drawer: ChartDrawer
const of = (person: string, signal = new AbortController().signal) => ({ person, signal })
afterEach(() => drawer.close())

describe('the thread that draws charts', () => {
  it('draws several at once, and a failed drawing affects no other', async () => {
    drawer = createChartDrawer()
    const drawn = await Promise.allSettled([chart, broken, chart].map(each => drawer.draw(each, of('alice'))))
    expect(drawn.map(each => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(drawn.every(each => each.status === 'rejected' || isPng(each.value))).toBe(true)
  })

  it('is replaced after it was too slow', async () => {
    drawer = createChartDrawer({ drawMs: 1 })
    await expect(drawer.draw(chart, of('alice'))).rejects.toThrow('no chart was drawn within 1 ms')
    await drawer.close()
    drawer = createChartDrawer()
    expect(isPng(await drawer.draw(chart, of('alice')))).toBe(true)
  })

  it('fails drawings in progress when it closes', async () => {
    drawer = createChartDrawer()
    const drawings = [1, 2].map(() => expect(drawer.draw(chart, of('alice'))).rejects.toThrow('charts are drawn no longer'))
    await drawer.close()
    await Promise.all(drawings)
  })

  it('draws by its method alone, as platforms get it', async () => {
    drawer = createChartDrawer()
    const { draw } = drawer
    expect(isPng(await draw(chart, of('alice')))).toBe(true)
  })

  it('lets people take turns', async () => {
    drawer = createChartDrawer()
    const drawn: string[] = []
    const draw = async (person: string) => {
      await drawer.draw(chart, of(person))
      drawn.push(person)
    }
    await Promise.all(['alice', 'alice', 'alice', 'alice', 'alice', 'bob'].map(draw))
    expect(drawn.indexOf('bob')).toBeLessThanOrEqual(2)
  })

  it('does not draw pictures that were given up while they waited, and goes on with the others', async () => {
    drawer = createChartDrawer({ turnMs: 1 })
    const first = drawer.draw(chart, of('alice'))
    await expect(drawer.draw(chart, of('alice'))).rejects.toThrow('no turn to draw came within 1 ms')
    expect(isPng(await first)).toBe(true)
    await drawer.close()

    drawer = createChartDrawer()
    const stop = new AbortController()
    const inProgress = drawer.draw(chart, of('alice'))
    const settled: string[] = []
    const givenUp = drawer.draw(graph, of('alice', stop.signal)).catch((error: Error) => settled.push(error.message))
    stop.abort(new Error('the worker stops'))
    await givenUp
    await inProgress.then(() => settled.push('drawn'))
    expect(settled).toEqual(['the worker stops', 'drawn'])
  })
})
