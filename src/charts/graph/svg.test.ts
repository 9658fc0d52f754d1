import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type GraphPicture, graphPictureSchema, type PicturedTable, TABLE_KINDS, TABLE_STATES } from '../picture.ts'
import { textWidth } from '../text-width.ts'
import type { Point } from './fold-graph.ts'
import { GRAPH_STYLE } from './style.ts'
import { graphSvg, layOutGraph } from './svg.ts'

const { boxWidth, stem, thumbnail } = GRAPH_STYLE

const table = (given: Partial<PicturedTable> = {}): PicturedTable => ({
  label: 'orders',
  kind: 'intermediate',
  state: 'live',
  rows: 1_234,
  failed: false,
  suspected: false,
  ...given,
})
const graph = (nodes: readonly PicturedTable[], links: readonly (readonly [number, number])[]): GraphPicture =>
  graphPictureSchema.parse({ kind: 'graph', title: 'Lineage of orders', nodes, edges: links.map(([from, to]) => ({ from, to })) })

const tables = fc.record({
  label: fc.string({ unit: fc.constantFrom('a', 'W', '_', '.', '<', '"', '東', 'ש'), maxLength: 60 }),
  kind: fc.constantFrom(...TABLE_KINDS),
  state: fc.constantFrom(...TABLE_STATES),
  rows: fc.oneof(fc.constant(null), fc.nat(1e12)),
  failed: fc.boolean(),
  suspected: fc.boolean(),
})
/** Generates graphs: trees, diamonds, cycles, separate parts, single tables. Without cycles, links lead only to higher indexes. */
const graphs = (hasCycles: boolean) =>
  fc.array(tables, { minLength: 1, maxLength: 60 }).chain(nodes => {
    const place = fc.nat(nodes.length - 1)
    const link = fc
      .tuple(place, place)
      .map(([from, to]) => (hasCycles ? [from, to] : [Math.min(from, to), Math.max(from, to)]) as [number, number])
    return fc
      .uniqueArray(link, { maxLength: Math.ceil(nodes.length * 1.4), selector: pair => pair.join(' ') })
      .map(links => graph(nodes, hasCycles ? links : links.filter(([from, to]) => from !== to)))
  })

it('a graph has German words for a German question', () => {
  const nodes = [
    table({ kind: 'outside', failed: true, rows: 12_345 }),
    table({ kind: 'target', state: 'gone', suspected: true, rows: 2_000_000 }),
  ]
  const german = {
    ...graph(nodes, [
      [0, 1],
      [1, 1],
    ]),
    language: 'de' as const,
  }
  const texts = [...graphSvg(german).svg.matchAll(/<text[^>]*>([^<]*)</g)].map(match => match[1])
  expect(texts).toEqual(
    expect.arrayContaining([
      'fehlgeschlagen',
      '12.345',
      'verdächtig',
      'von anderen gefüllt',
      'Ziel',
      'nach dem Lauf gelöscht',
      'weitergegebene Zeilen',
    ]),
  )
  expect(texts.join('\n')).toMatch(/gelöscht, 2\sMio\. Zeilen, liest sich selbst/)
})

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

function boxesOf({ nodes, folded }: ReturnType<typeof layOutGraph>): readonly (Box & { readonly band: number })[] {
  return folded.boxes.map(({ x, y, band }, index) => ({
    left: x,
    top: y,
    right: x + boxWidth,
    bottom: y + (nodes[index]?.height ?? 0),
    band,
  }))
}

/** Returns many points along the drawn line. */
function along(points: readonly Point[]): readonly Point[] {
  return points.slice(1).flatMap((end, index) => {
    const start = points[index] ?? end
    return Array.from({ length: 9 }, (_, step) => {
      const part = (step + 1) / 10
      const bent = start.x === end.x || start.y === end.y ? part : 3 * part ** 2 - 2 * part ** 3
      const across = start.x === end.x || start.y === end.y ? part : 1.5 * part * (1 - part) + part ** 3
      return { x: start.x + (end.x - start.x) * across, y: start.y + (end.y - start.y) * bent }
    })
  })
}

describe('the layout of a graph', () => {
  it.each([
    ['with cycles', true],
    ['without cycles', false],
  ])('%s separates tables and lines, leads to the right, and fits its page', (_, hasCycles) => {
    fc.assert(
      fc.property(graphs(hasCycles), picture => {
        const laidOut = layOutGraph(picture)
        const { links, folded } = laidOut
        const boxes = boxesOf(laidOut)
        for (const [index, one] of boxes.entries()) {
          expect(
            one.left >= 0 && one.top >= -0.01 && one.right <= folded.width + 0.01 && one.bottom <= folded.height + 0.01,
          ).toBe(true)
          for (const other of boxes.slice(index + 1))
            expect(
              one.right + stem < other.left || other.right + stem < one.left || one.bottom < other.top || other.bottom < one.top,
            ).toBe(true)
        }
        for (const [index, { points, isBack }] of folded.routes.entries()) {
          const { from = 0, to = 0 } = links[index] ?? {}
          const [start, end] = [boxes[isBack ? to : from], boxes[isBack ? from : to]]
          if (start === undefined || end === undefined) throw new Error('a link without an end')
          // A graph in bands reads like lines of text, so a link leads to the right, or into a later band.
          expect(start.band < end.band || (start.band === end.band && start.right < end.left)).toBe(true)
          if (!hasCycles) expect(isBack).toBe(false)
          for (const { x, y } of along(points)) {
            expect(x >= 0 && x <= folded.width + stem && y >= 0 && y <= folded.height).toBe(true)
            const isWithin = (box: Box) => x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1
            expect(boxes.some(isWithin)).toBe(false)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it('writes nothing wider than its table beside it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'W', 'M', '_', '.', ' ', '東', '👩‍👩‍👧'), maxLength: 300 }), label => {
        const [node] = layOutGraph(graph([table({ label })], [])).nodes
        expect(node?.label.length).toBeLessThanOrEqual(2)
        for (const line of node?.label ?? []) expect(textWidth(line, 15)).toBeLessThanOrEqual(boxWidth - 20)
      }),
    )
  })

  it.each([5, 60])('for a chain of %i tables is folded until it is readable', count => {
    const chain = graph(
      Array.from({ length: count }, () => table()),
      Array.from({ length: count - 1 }, (_, place) => [place, place + 1] as const),
    )
    const { folded } = layOutGraph(chain)
    expect(new Set(folded.boxes.map(({ band }) => band)).size).toBeGreaterThan(1)
    const shown = Math.min(thumbnail.width / folded.width, thumbnail.height / folded.height)
    expect(shown).toBeGreaterThan(count === 5 ? thumbnail.scale : 0.25)
  })

  it('splits a column with too many tables', () => {
    const sources = Array.from({ length: 59 }, () => table({ kind: 'outside' }))
    const { folded } = layOutGraph(
      graph(
        [...sources, table({ kind: 'target' })],
        sources.map((_, place) => [place, 59] as const),
      ),
    )
    expect(folded.height).toBeLessThan(folded.width * 1.2)
  })
})

describe('the drawing of a graph', () => {
  const textsOf = (picture: GraphPicture) =>
    [...graphSvg(picture).svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

  it('shows rows on lines and on final tables, states, and problems', () => {
    const texts = textsOf(
      graph(
        [
          table({ label: 'cves', kind: 'input', rows: 3 }),
          table({ label: 'rated', state: 'gone', rows: 12_345_678, suspected: true, failed: true }),
          table({ label: 't_final', kind: 'target', rows: 1 }),
        ],
        [
          [0, 1],
          [1, 2],
          [1, 1],
        ],
      ),
    )
    expect(texts).toEqual(
      expect.arrayContaining(['cves', '3', 'rated', 'gone, reads itself', '12.3M', 'suspected, failed', 't_final', '1 row']),
    )
    expect(texts).toEqual(expect.arrayContaining(['input', 'made on the way', 'target', 'dropped after the run']))
    expect(texts).not.toContain('made again by the replay')
  })

  it('has a shape per kind and an outline per state, independent of colour', () => {
    const drawn = (given: Partial<PicturedTable>) =>
      /<g [^>]*>(?:<path[^>]*\/>)*/.exec(graphSvg(graph([table(given)], [])).svg)?.[0].replace(/#[0-9a-f]{6}/g, '')
    expect(new Set(TABLE_KINDS.map(kind => drawn({ kind })?.match(/ d="[^"]*"/)?.[0])).size).toBe(TABLE_KINDS.length)
    expect(new Set(TABLE_STATES.map(state => drawn({ state }))).size).toBe(TABLE_STATES.length)
  })

  it('escapes names', () => {
    const { svg } = graphSvg(graph([table({ label: `<script>&"'` })], []))
    expect(svg).not.toContain('<script')
    expect(svg).toContain('&lt;script&gt;')
  })
})
