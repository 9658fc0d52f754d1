/** How fast a simulated model is. */
export interface ModelPreset {
  /** Before the first token, in milliseconds, whatever the prompt. */
  readonly firstTokenMs: number
  /** More, for each token of the prompt that the cache does not hold. */
  readonly perUncachedTokenMs: number
  /** Of the answer; `Infinity` sends all at once. */
  readonly tokensPerSecond: number
}

export const MODEL_PRESETS = {
  /** A small hosted model: what most of the figures are of. */
  mini: { firstTokenMs: 500, perUncachedTokenMs: 0.03, tokensPerSecond: 80 },
  /** A fast one, for the limits of a complete answer. */
  fast: { firstTokenMs: 300, perUncachedTokenMs: 0, tokensPerSecond: 150 },
  /** No time at all: what is left is the program's own. */
  zero: { firstTokenMs: 0, perUncachedTokenMs: 0, tokensPerSecond: Number.POSITIVE_INFINITY },
} as const satisfies Readonly<Record<string, ModelPreset>>

export type PresetName = keyof typeof MODEL_PRESETS

/** What the model needs before its first token, in milliseconds. */
export function firstTokenDelay(preset: ModelPreset, uncachedTokens: number): number {
  return preset.firstTokenMs + preset.perUncachedTokenMs * uncachedTokens
}

/** What it needs for so many tokens once it has begun; the first comes at once. In milliseconds. */
export function writingTime(preset: ModelPreset, tokens: number): number {
  return tokens <= 1 ? 0 : ((tokens - 1) * 1000) / preset.tokensPerSecond
}

/** How many tokens are out, so long after the first. */
export function tokensWritten(preset: ModelPreset, sinceFirstMs: number, total: number): number {
  if (sinceFirstMs < 0) return 0
  if (preset.tokensPerSecond === Number.POSITIVE_INFINITY) return total
  // What is due within a millionth of a token is due: times are sums of fractions.
  return Math.min(total, 1 + Math.floor((sinceFirstMs * preset.tokensPerSecond) / 1000 + 1e-6))
}
