/** The speed of a simulated model. */
export interface ModelPreset {
  /** Milliseconds before the first token of any prompt. */
  readonly firstTokenMs: number
  /** Additional milliseconds per uncached prompt token. */
  readonly perUncachedTokenMs: number
  /** The pace of the answer. `Infinity` sends everything at once. */
  readonly tokensPerSecond: number
}

export const MODEL_PRESETS = {
  /** A small hosted model, used for most figures. */
  mini: { firstTokenMs: 500, perUncachedTokenMs: 0.03, tokensPerSecond: 80 },
  /** A fast model, for the time limits of a complete answer. */
  fast: { firstTokenMs: 300, perUncachedTokenMs: 0, tokensPerSecond: 150 },
  /** No latency, so that only the program's own time remains. */
  zero: { firstTokenMs: 0, perUncachedTokenMs: 0, tokensPerSecond: Number.POSITIVE_INFINITY },
} as const satisfies Readonly<Record<string, ModelPreset>>

export type PresetName = keyof typeof MODEL_PRESETS

/** Returns the milliseconds before the first token. */
export function firstTokenDelay(preset: ModelPreset, uncachedTokens: number): number {
  return preset.firstTokenMs + preset.perUncachedTokenMs * uncachedTokens
}

/** Returns the milliseconds for writing this many tokens. They count from the first token. */
export function writingTime(preset: ModelPreset, tokens: number): number {
  return tokens <= 1 ? 0 : ((tokens - 1) * 1000) / preset.tokensPerSecond
}

/** Returns how many tokens are written this long after the first one. */
export function tokensWritten(preset: ModelPreset, sinceFirstMs: number, total: number): number {
  if (sinceFirstMs < 0) return 0
  if (preset.tokensPerSecond === Number.POSITIVE_INFINITY) return total
  // An error of a millionth of a token is allowed, because times are sums of fractions.
  return Math.min(total, 1 + Math.floor((sinceFirstMs * preset.tokensPerSecond) / 1000 + 1e-6))
}
