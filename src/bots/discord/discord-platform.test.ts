import { createDiscordWorld } from '../../../test/support/discord-platform-world.ts'
import { describeChatPlatform } from '../chat-platform.contract.ts'

describeChatPlatform('Discord', createDiscordWorld)
