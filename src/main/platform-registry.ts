import { DISCORD } from '../bots/discord/entry.ts'
import type { PlatformEntry } from '../bots/shared/platform-entry.ts'
import { SLACK } from '../bots/slack/entry.ts'

/** All chat platforms. Configuration, access rules and checks read this list, so a new platform is added only here. */
export const PLATFORM_REGISTRY: readonly PlatformEntry[] = [SLACK, DISCORD]
