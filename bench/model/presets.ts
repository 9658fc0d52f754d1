/** The speed of a simulated model. */
export interface ModelPreset {
  /** The milliseconds until the first token, for a prompt of any length. */
  readonly firstTokenMs: number
  /** Further milliseconds for each token of the prompt that is not in the cache. */
  readonly perUncachedTokenMs: number
  /** The tokens that the model writes per second. `Infinity` sends the whole answer at once. */
  readonly tokensPerSecond: number
}

export const MODEL_PRESETS = {
  /** Like a small hosted model. Most figures use it. */
  mini: { firstTokenMs: 500, perUncachedTokenMs: 0.03, tokensPerSecond: 80 },
  /** Like a fast model. The time limits of a complete answer are measured with it. */
  fast: { firstTokenMs: 300, perUncachedTokenMs: 0, tokensPerSecond: 150 },
  /** A model without latency. With it, only the program's own time remains. */
  zero: { firstTokenMs: 0, perUncachedTokenMs: 0, tokensPerSecond: Number.POSITIVE_INFINITY },
} as const satisfies Readonly<Record<string, ModelPreset>>

export type PresetName = keyof typeof MODEL_PRESETS

/** Returns the milliseconds from the request to the first token. */
export function firstTokenDelay(preset: ModelPreset, uncachedTokens: number): number {
  return preset.firstTokenMs + preset.perUncachedTokenMs * uncachedTokens
}

/** Returns the milliseconds from the first token to the last, for this many tokens. */
export function writingTime(preset: ModelPreset, tokens: number): number {
  return tokens <= 1 ? 0 : ((tokens - 1) * 1000) / preset.tokensPerSecond
}

/** Returns how many tokens the model has written when this much time has passed since the first one. */
export function tokensWritten(preset: ModelPreset, sinceFirstMs: number, total: number): number {
  if (sinceFirstMs < 0) return 0
  if (preset.tokensPerSecond === Number.POSITIVE_INFINITY) return total
  // The sum allows for an error of a millionth of a token, because times are sums of fractions.
  return Math.min(total, 1 + Math.floor((sinceFirstMs * preset.tokensPerSecond) / 1000 + 1e-6))
}
