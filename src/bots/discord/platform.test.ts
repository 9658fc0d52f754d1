import { createDiscordWorld } from '../../../test/support/discord-platform-world.ts'
import { describeChatInteractions } from '../../chat/interactions.contract.ts'
import { describeChatPlatform } from '../../chat/platform.contract.ts'

describeChatPlatform('Discord', createDiscordWorld)
describeChatInteractions('Discord', createDiscordWorld)
