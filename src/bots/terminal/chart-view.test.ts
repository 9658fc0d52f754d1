import { describe, expect, it } from '@jest/globals'
import type { Chart } from '../../charts/chart.ts'
import { chartView } from './chart-view.ts'
import { terminalStyle } from './style.ts'

const view = { style: terminalStyle(false), width: 40, wraps: true }
const chart = (given: Partial<Chart>): Chart => ({
  kind: 'bar',
  title: 'Users by city',
  labels: ['Bonn', '東京', 'Oslo', 'Rome'],
  series: [{ name: 'users', values: [1_000, 500, null, 1] }],
  unit: '',
  ...given,
})

describe('chartView', () => {
  it('shows one bar per name', () => {
    expect(chartView(chart({}), view).split('\n')).toEqual([
      'Users by city',
      `Bonn  ${'█'.repeat(27)} 1,000`,
      `東京  ${'█'.repeat(14)} 500`,
      'Oslo   –',
      'Rome  █ 1',
    ])
  })

  it('shows one curve per series, with gaps and extremes', () => {
    const labels = ['Nov 1', 'Nov 2', 'Nov 3', 'Nov 4', 'Nov 5']
    const series = [
      { name: 'p50', values: [10, 20, null, 40, 80] },
      { name: 'p95 of all', values: [80, 80, 80, 80, 80] },
    ]
    expect(
      chartView(chart({ kind: 'line', labels, series, unit: 'ms' }), view)
        .split('\n')
        .slice(1),
    ).toEqual(['p50         ▂▃ ▅█  10 ms to 80 ms', 'p95 of all  █████  80 ms to 80 ms', 'Nov 1 to Nov 5'])
  })

  it('starts a curve at 0, or says that it does not', () => {
    const close = chart({ kind: 'line', labels: ['a', 'b', 'c'], series: [{ name: 'rtt', values: [96, 98, 100] }], unit: 'ms' })
    expect(chartView(close, view).split('\n').slice(1)).toEqual(['rtt  ███  96 ms to 100 ms', 'a to c'])
    expect(
      chartView({ ...close, starts_elsewhere: true }, view)
        .split('\n')
        .slice(1),
    ).toEqual(['rtt  ▁▅█  96 ms to 100 ms', 'a to c (the curves do not start at 0)'])
  })

  it('shows the means of many points in one line', () => {
    const values = Array.from({ length: 1_440 }, (_, index) => index)
    const shown = chartView(chart({ kind: 'line', labels: values.map(String), series: [{ name: 'n', values }] }), view)
    expect(shown.split('\n')[1]).toMatch(/^n {2}▁+▂+▃+▄+▅+▆+▇+█+ {2}0 to 1,439$/)
  })

  it('shows nothing beyond the abilities of text, and no escape sequence', () => {
    expect(chartView(chart({ series: [...chart({}).series, ...chart({}).series] }), view)).toBe('')
    expect(chartView(chart({ series: [{ name: 'n', values: [1, -1, 2, 3] }] }), view)).toBe('')
    expect(chartView(chart({ title: '\u001b[31mred', labels: ['\u001b]0;x\u0007', 'b\nc', 'd', 'e'] }), view)).not.toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test shows that these characters are absent
      /[\u001b\u0007]/,
    )
  })
})
