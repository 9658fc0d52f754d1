/** Providers cache prompts above a minimum length, in blocks of this size (platform.openai.com/docs/guides/prompt-caching). */
export const CACHE_BLOCK_TOKENS = 128
export const CACHE_LEAST_TOKENS = 1024

/** The prompts that a provider has cached. It keeps the beginning of each prompt, in whole blocks. */
export interface PromptCache {
  /** Returns how many tokens at the beginning of the prompt are cached. */
  cachedTokens(prompt: readonly number[]): number
  /** Stores the whole blocks of a prompt in the cache. */
  keep(prompt: readonly number[]): void
  clear(): void
}

export function createPromptCache(): PromptCache {
  const seen = new Set<string>()
  return {
    cachedTokens(prompt) {
      let cached = 0
      for (const key of prefixKeys(prompt)) {
        if (!seen.has(key)) break
        cached += CACHE_BLOCK_TOKENS
      }
      return cached < CACHE_LEAST_TOKENS ? 0 : cached
    },
    keep(prompt) {
      for (const key of prefixKeys(prompt)) seen.add(key)
    },
    clear: () => seen.clear(),
  }
}

/** Yields a key for the first block, the first two blocks, and so on. A key consists of two 32-bit hashes of the tokens. */
function* prefixKeys(prompt: readonly number[]): Generator<string> {
  let first = 0x811c9dc5
  let second = 0x9747b28c
  for (const [index, token] of prompt.entries()) {
    first = Math.imul(first ^ token, 0x01000193)
    second = Math.imul(second + token, 0x85ebca6b) ^ (second >>> 13)
    if ((index + 1) % CACHE_BLOCK_TOKENS === 0) yield `${index}:${first >>> 0}:${second >>> 0}`
  }
}
