import { describe, expect, it } from '@jest/globals'
import { slownessOf } from './growth.ts'
import { PARSERS } from './parsers.ts'
import { COMMON, grown } from './seeds.ts'

describe('the parsers behind doors', () => {
  it.each(PARSERS)('$name takes linear time up to $longest characters', async ({ read, longest, seeds = [] }) => {
    const slow: string[] = []
    for (const seed of [...COMMON, ...seeds]) {
      const slowness = await slownessOf(read, length => grown(seed, length), longest)
      if (slowness !== undefined) slow.push(`${JSON.stringify(seed)}: ${slowness}`)
    }
    expect(slow).toEqual([])
  })
})

describe('the check of parsers', () => {
  it.each([
    ['the square of the text', 16_000, (text: string) => [...text].map((_, at) => text.slice(at).includes('ab'))],
    [
      'more than 100 ms for a thousand characters',
      400,
      (text: string) => [...text].map(() => 'a'.repeat(40_000).replace(/a/g, 'b')),
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
