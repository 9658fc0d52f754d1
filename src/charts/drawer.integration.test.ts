import { afterEach, describe, expect, it } from '@jest/globals'
import type { Chart } from './chart.ts'
import { type ChartDrawer, createChartDrawer } from './drawer.ts'

const chart: Chart = {
  kind: 'bar',
  title: 'Users by city',
  labels: ['Bonn', 'Köln', 'Oslo'],
  series: [{ name: 'users', values: [30, 20, 10] }],
  unit: '',
}
const broken = { kind: 'bar' } as Chart
const isPng = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, 4)).toString() === 'PNG'

let drawer: ChartDrawer
afterEach(() => drawer.close())

describe('the thread that draws charts', () => {
  it('draws several at once, and a failed drawing affects no other', async () => {
    drawer = createChartDrawer()
    const drawn = await Promise.allSettled([drawer.draw(chart), drawer.draw(broken), drawer.draw(chart)])
    expect(drawn.map(each => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(drawn.every(each => each.status === 'rejected' || isPng(each.value))).toBe(true)
  })

  it('is replaced after it was too slow', async () => {
    drawer = createChartDrawer({ timeLimitMs: 1 })
    await expect(drawer.draw(chart)).rejects.toThrow('no chart was drawn within 1 ms')
    drawer = createChartDrawer()
    expect(isPng(await drawer.draw(chart))).toBe(true)
  })

  it('fails drawings in progress when it closes', async () => {
    drawer = createChartDrawer()
    const drawing = drawer.draw(chart)
    const failed = expect(drawing).rejects.toThrow('charts are drawn no longer')
    await drawer.close()
    await failed
  })
})
