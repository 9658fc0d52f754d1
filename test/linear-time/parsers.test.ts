import { describe, expect, it } from '@jest/globals'
import { sampleOf } from '../support/whole.ts'
import { slownessOf } from './growth.ts'
import { PARSERS } from './parsers.ts'
import { COMMON, grown } from './seeds.ts'

describe('the parsers behind doors', () => {
  // The sample tries each common seed on an eighth of the parsers, and gives each parser an eighth of its own seeds.
  it.each(PARSERS.map((parser, index) => ({ ...parser, index })))(
    '$name takes linear time up to $longest characters',
    async given => {
      const { read, longest, seeds = [], index } = given
      const slow: string[] = []
      for (const seed of [rotated(COMMON, index), rotated(seeds, index)].flatMap(each => sampleOf(each, 8))) {
        const slowness = await slownessOf(read, length => grown(seed, length), longest)
        if (slowness !== undefined) slow.push(`${JSON.stringify(seed)}: ${slowness}`)
      }
      expect(slow).toEqual([])
    },
  )
})

describe('the check of parsers', () => {
  it.each([
    // A quarter of this text takes about 50 ms. The compiler and the collector of garbage add little to that.
    ['the square of the text', 16_000, (text: string) => [...text].map((_, at) => text.slice(at).includes('ab'))],
    [
      'more than 100 ms for a thousand characters',
      400,
      (text: string) => [...text].map(() => 'a'.repeat(8_000).replace(/a/g, 'b')),
    ],
  ])('finds what takes %s', async (_, longest, read) => {
    expect(await slownessOf(read, length => grown('a', length), longest)).toBeDefined()
  })

  it('lets pass what is linear', async () => {
    expect(
      await slownessOf(
        text => text.split('').join(' '),
        length => grown('a', length),
        64_000,
      ),
    ).toBeUndefined()
  })
})

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const at = by % Math.max(1, items.length)
  return [...items.slice(at), ...items.slice(0, at)]
}
