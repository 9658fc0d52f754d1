import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { GraphPicture } from './picture.ts'
import { pictureText } from './picture-text.ts'

const table = { kind: 'input', state: 'live', rows: 1, failed: false, suspected: false } as const
const graph: GraphPicture = {
  kind: 'graph',
  title: 'Lineage of orders',
  nodes: [
    { ...table, label: 'a' },
    { ...table, label: 'b\u202e\nc', kind: 'target', state: 'gone', rows: 1_234, failed: true, suspected: true },
  ],
  edges: [{ from: 0, to: 1 }],
}

describe('a picture in words', () => {
  it('describes a graph as seen, with the fault first', () => {
    expect(pictureText(graph, 1_000)).toBe(
      'Lineage of orders, 2 tables. The fault is suspected in b c. a (input, 1 row); b c (suspected, failed, target, gone, 1,234 rows), from a.',
    )
  })

  it('describes a graph in German too', () => {
    expect(pictureText({ ...graph, language: 'de' }, 1_000)).toBe(
      'Lineage of orders, 2 Tabellen. Der Fehler wird in b c vermutet. a (Eingabe, 1 Zeile); b c (verdächtig, fehlgeschlagen, Ziel, gelöscht, 1.234 Zeilen), aus a.',
    )
  })

  it('describes a chart by its content', () => {
    const chart = { kind: 'bar', title: 'Users by city', labels: ['Bonn', 'Oslo'], series: [], unit: '' } as const
    expect(pictureText({ ...chart, labels: [...chart.labels], series: [] }, 100)).toBe(
      'Bar chart: Users by city. From Bonn to Oslo.',
    )
  })

  it("keeps the platform's limit without splitting a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '👩‍👩‍👧', '\ud83d', 'é') }),
        fc.integer({ min: 1, max: 200 }),
        (title, most) => {
          const text = pictureText({ ...graph, title }, most)
          expect(text.length).toBeLessThanOrEqual(most)
          expect(text).not.toMatch(/\p{Surrogate}/u)
        },
      ),
    )
  })
})
