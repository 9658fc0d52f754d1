import type { UsageOf } from '../../src/bots/shared/platform-entry.ts'

/** Tells for whom and in which language it was asked. */
export const usageOf: UsageOf = async (person, language) => `used by ${person} (${language})`
