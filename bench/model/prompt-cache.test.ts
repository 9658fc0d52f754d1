import { expect, test } from '@jest/globals'
import { createPromptCache } from './prompt-cache.ts'

const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)

test('finds the whole blocks at the beginning of two prompts, from 1,024 tokens on', () => {
  const cache = createPromptCache()
  expect(cache.cachedTokens(tokens(5000))).toBe(0)
  cache.keep(tokens(5000))
  expect(cache.cachedTokens(tokens(5000))).toBe(4992)
  expect(cache.cachedTokens([...tokens(2000), ...tokens(3000, 90_000)])).toBe(1920)
  expect(cache.cachedTokens([...tokens(1000), ...tokens(3000, 90_000)])).toBe(0)
  expect(cache.cachedTokens([99, ...tokens(5000)])).toBe(0)
  cache.clear()
  expect(cache.cachedTokens(tokens(5000))).toBe(0)
})
