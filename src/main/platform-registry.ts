import { DISCORD } from '../bots/discord/entry.ts'
import type { PlatformEntry } from '../bots/shared/platform-entry.ts'
import { SLACK } from '../bots/slack/entry.ts'

/** Every chat platform. Configuration, access rules, wiring and checks take the platforms from this list. */
export const PLATFORM_REGISTRY: readonly PlatformEntry[] = [SLACK, DISCORD]
