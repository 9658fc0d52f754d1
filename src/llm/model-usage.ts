import type { ModelUsage } from './language-model.ts'

/** The sum of two calls' tokens; estimated as soon as one of them is. */
export function addUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    estimated: left.estimated || right.estimated,
  }
}
