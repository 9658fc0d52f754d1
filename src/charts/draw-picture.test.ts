import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { CHART_KINDS, type Chart } from './chart.ts'
import { chartSvg, drawPicture } from './draw-picture.ts'
import { GRAPH_STYLE } from './graph/style.ts'
import { CHART_STYLE } from './style.ts'
import { fittingText, textWidth } from './text-width.ts'

const chart = (given: Partial<Chart>): Chart => ({
  kind: 'bar',
  title: 'Users by city',
  labels: ['Bonn', 'Köln', 'Oslo'],
  series: [{ name: 'users', values: [1_234, null, 3] }],
  unit: '',
  ...given,
})

function textsOf(given: Partial<Chart>): string[] {
  const texts = chartSvg(chart(given)).matchAll(/<text[^>]*>([^<]*)<\/text>/g)
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#39;': "'" }
  return [...texts].map(([, text = '']) => text.replace(/&(?:lt|gt|amp|quot|#39);/g, entity => entities[entity] ?? entity))
}

function sizeOf(png: Uint8Array): { readonly width: number; readonly height: number } {
  const view = new DataView(png.buffer, png.byteOffset)
  expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

describe('a chart', () => {
  it.each(CHART_KINDS)('of kind %s is a picture with the size of a screen', kind => {
    const { width, height } = sizeOf(drawPicture(chart({ kind })))
    expect(width).toBeGreaterThanOrEqual(CHART_STYLE.pieWidth * CHART_STYLE.zoom)
    expect(height).toBeLessThan(2_000)
  })

  it('shows names and numbers, and nothing for a gap', () => {
    expect(textsOf({})).toEqual(expect.arrayContaining(['Users by city', 'Bonn', 'Köln', 'Oslo', '1,234', '3']))
    expect(textsOf({})).not.toContain('0')
    expect(textsOf({ kind: 'pie', unit: 'ms', series: [{ name: 'n', values: [3, 1, 0] }] })).toEqual(
      expect.arrayContaining(['Bonn', '75 % (3 ms)', '25 % (1 ms)', '0 % (0 ms)']),
    )
  })

  it('starts a line at zero, or says that it does not', () => {
    const close: Partial<Chart> = { kind: 'line', series: [{ name: 'rtt', values: [96, 98, 100] }], unit: 'ms' }
    expect(textsOf(close)).toContain('0 ms')
    const elsewhere = textsOf({ ...close, starts_elsewhere: true })
    expect(elsewhere).toContain('The axis does not start at 0.')
    expect(elsewhere).not.toContain('0 ms')
    expect(textsOf({ series: [{ name: 'users', values: [96, 98, 100] }] })).not.toContain('The axis does not start at 0.')
  })

  it('interrupts a line at a gap', () => {
    const pieces = (values: (number | null)[]) => {
      const svg = chartSvg(chart({ kind: 'line', labels: ['a', 'b', 'c', 'd', 'e'], series: [{ name: 'n', values }] }))
      const line = new RegExp(`<path d="([^"]*)" fill="none"[^>]*stroke="${CHART_STYLE.colors[0]}"`).exec(svg)?.[1] ?? ''
      return line.match(/M/g)?.length
    }
    expect(pieces([1, 2, 3, 4, 5])).toBe(1)
    expect(pieces([1, 2, null, 4, 5])).toBe(2)
  })

  it('has a legend with all series, even with equal names', () => {
    const series = [
      { name: '{a}', values: [1, 2, 3] },
      { name: '{a}', values: [2, 3, 4] },
    ]
    expect(textsOf({ series, kind: 'line' }).filter(text => text === '{a}')).toHaveLength(2)
  })

  it('cuts long text, and shows text that looks like markup', () => {
    const texts = textsOf({ title: 'word '.repeat(60), labels: ['<script>x</script>', 'W'.repeat(100), '{b|x} {c}'] })
    expect(texts).toEqual(expect.arrayContaining(['<script>x</script>', '{b|x} {c}']))
    for (const text of texts) expect(textWidth(text, 14)).toBeLessThan(CHART_STYLE.width)
    expect(texts.filter(text => text.endsWith('…'))).toHaveLength(2)
  })

  it('can contain any letters and numbers', () => {
    const text = fc.oneof(
      fc.constantFrom('القاهرة', 'תל אביב', '東京都', '서울', 'กรุงเทพ', '👩‍👩‍👧', '\ud83d', '', '&amp;', '\u0000', ']]>'),
      fc.string({ unit: anyCharacter, maxLength: 70 }),
    )
    const value = fc.oneof(
      fc.constantFrom(null, 0, -0, 1e300, -1e300, 5e-324),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    const any = fc.integer({ min: 2, max: 20 }).chain(places =>
      fc.record({
        kind: fc.constantFrom(...CHART_KINDS),
        title: text,
        labels: fc.array(text, { minLength: places, maxLength: places }),
        series: fc.array(fc.record({ name: text, values: fc.array(value, { minLength: places, maxLength: places }) }), {
          minLength: 1,
          maxLength: 6,
        }),
        unit: fc.constantFrom('', 'ms', '%', '$', 'B'),
      }),
    )
    fc.assert(
      fc.property(any, given => {
        sizeOf(drawPicture(given))
      }),
      { numRuns: 15 },
    )
  })
})

describe('fittingText', () => {
  it('keeps text that fits, and cuts between characters', () => {
    expect(fittingText('Bonn', 15, 100)).toBe('Bonn')
    expect(fittingText('👩‍👩‍👧'.repeat(20), 15, 100)).not.toMatch(/\p{Surrogate}/u)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 40, max: 300 }), (text, width) => {
        expect(textWidth(fittingText(text, 15, width), 15)).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('a graph', () => {
  const table = { label: 'orders', kind: 'intermediate', state: 'live', rows: 3, failed: false, suspected: true } as const

  it('becomes a picture with any table names', () => {
    const labels = ['<script>x</script>', '&amp;', ']]>', '\u0000\ufffe', '\ud83d', 'القاهرة', '', 'W_'.repeat(50_000)]
    const nodes = labels.map(label => ({ ...table, label }))
    const edges = labels.slice(1).map((_, place) => ({ from: place, to: place + 1 }))
    const { width, height } = sizeOf(drawPicture({ kind: 'graph', title: '<b>&'.repeat(10_000), nodes, edges }))
    expect(width).toBeGreaterThan(1_000)
    expect(height).toBeGreaterThan(500)
  })

  it('has fewer pixels if it would be too large', () => {
    const nodes = Array.from({ length: 120 }, () => table)
    const { width, height } = sizeOf(drawPicture({ kind: 'graph', title: 'all of it', nodes, edges: [] }))
    expect(width * height).toBeLessThan(1.01 * GRAPH_STYLE.mostPixels)
  })
})
