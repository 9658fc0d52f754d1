import { describe, expect, it } from '@jest/globals'
import type { GraphPicture } from '../../charts/picture.ts'
import { graphView } from './graph-view.ts'
import { terminalStyle } from './style.ts'

const view = { style: terminalStyle(false), width: 80, wraps: true }
const table = { kind: 'intermediate', state: 'live', rows: 3, failed: false, suspected: false } as const
const graph = (nodes: GraphPicture['nodes'], edges: GraphPicture['edges']): GraphPicture => ({
  kind: 'graph',
  title: 'Lineage',
  nodes,
  edges,
})

describe('a graph as text', () => {
  it('has one line per table, after its inputs', () => {
    const nodes: GraphPicture['nodes'] = [
      { ...table, label: 'final', kind: 'target' },
      { ...table, label: 'joined', state: 'gone', suspected: true },
      { ...table, label: 'orders', kind: 'input' },
      { ...table, label: 'rates', kind: 'outside', rows: null },
    ]
    const edges = [
      { from: 1, to: 0 },
      { from: 2, to: 1 },
      { from: 3, to: 1 },
    ]
    expect(graphView(graph(nodes, edges), view).split('\n')).toEqual([
      'Lineage',
      '▷ orders  input, 3 rows',
      '▪ rates   outside',
      '○ joined  suspected, intermediate, gone, 3 rows  ← orders, rates',
      '◆ final   target, 3 rows  ← joined',
    ])
  })

  it('handles cycles, and removes escape sequences from names', () => {
    const nodes = [
      { ...table, label: 'a\u001b[31m' },
      { ...table, label: 'b'.repeat(300) },
    ]
    const shown = graphView(
      graph(nodes, [
        { from: 0, to: 1 },
        { from: 1, to: 0 },
        { from: 1, to: 1 },
      ]),
      view,
    )
    expect(shown).not.toContain('\u001b')
    expect(Math.max(...shown.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
  })
})
