/** Providers cache prompts in blocks, from a minimum length on (platform.openai.com/docs/guides/prompt-caching). */
export const CACHE_BLOCK_TOKENS = 128
export const CACHE_LEAST_TOKENS = 1024

/** The prompts that a provider has seen. Their beginnings are kept, in whole blocks. */
export interface PromptCache {
  /** Returns the number of cached tokens at the prompt's beginning. */
  cachedTokens(prompt: readonly number[]): number
  /** Stores the prompt's whole blocks. */
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

/** Yields a key for each beginning of whole blocks, shortest first. A key is two 32-bit hashes of the tokens. */
function* prefixKeys(prompt: readonly number[]): Generator<string> {
  let first = 0x811c9dc5
  let second = 0x9747b28c
  for (const [index, token] of prompt.entries()) {
    first = Math.imul(first ^ token, 0x01000193)
    second = Math.imul(second + token, 0x85ebca6b) ^ (second >>> 13)
    if ((index + 1) % CACHE_BLOCK_TOKENS === 0) yield `${index}:${first >>> 0}:${second >>> 0}`
  }
}
