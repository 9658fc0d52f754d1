import stringWidth from 'string-width'
import type { GraphPicture } from '../../charts/picture.ts'
import { tableFacts } from '../../charts/picture-text.ts'
import { TERMINAL_LIMITS } from './limits.ts'
import { wrapped } from './markdown.ts'
import type { View } from './style.ts'
import { terminalText } from './text.ts'

const SIGNS = { outside: '▪', input: '▷', intermediate: '○', target: '◆' } as const

/** Draws a graph as text, one line per table. A table comes after its inputs. */
export function graphView({ title, nodes, edges, language }: GraphPicture, view: View): string {
  const { style } = view
  const names = nodes.map(({ label }) => inColumns(label))
  const columns = Math.max(...names.map(name => stringWidth(name)))
  const lines = inOrder(nodes.length, edges).flatMap(place => {
    const node = nodes[place]
    if (node === undefined) return []
    const name = names[place] ?? ''
    const from = edges.flatMap(edge => (edge.to === place && edge.from !== place ? (names[edge.from] ?? []) : []))
    const facts = tableFacts(node, language).join(', ')
    const marked = node.suspected || node.failed ? style('red', facts) : style('dim', facts)
    const padding = ' '.repeat(columns - stringWidth(name))
    const line = `${SIGNS[node.kind]} ${style('bold', name)}${padding}  ${marked}${from.length === 0 ? '' : `  ← ${from.join(', ')}`}`
    return wrapped(line, view, '    ')
  })
  return [style('bold', terminalText(title)), ...lines].join('\n')
}

/** Puts tables after their inputs. The tables of a cycle stay in the given order. */
function inOrder(count: number, edges: GraphPicture['edges']): readonly number[] {
  const order = new Set<number>()
  while (order.size < count) {
    const left = Array.from({ length: count }, (_, place) => place).filter(place => !order.has(place))
    const ready = left.filter(place => edges.every(({ from, to }) => to !== place || from === place || order.has(from)))
    for (const place of ready.length === 0 ? left.slice(0, 1) : ready) order.add(place)
  }
  return [...order]
}

function inColumns(label: string): string {
  const characters = [...terminalText(label.slice(0, TERMINAL_LIMITS.nameCharacters)).replace(/\s+/g, ' ')]
  if (stringWidth(characters.join('')) <= TERMINAL_LIMITS.graphNameColumns) return characters.join('')
  while (stringWidth(characters.join('')) >= TERMINAL_LIMITS.graphNameColumns) characters.pop()
  return `${characters.join('')}…`
}
