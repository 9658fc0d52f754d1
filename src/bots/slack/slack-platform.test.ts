import { createSlackWorld } from '../../../test/support/slack-platform-world.ts'
import { describeChatPlatform } from '../chat-platform.contract.ts'

describeChatPlatform('Slack', () => createSlackWorld('socket'))
describeChatPlatform('Slack over HTTP', () => createSlackWorld('http'))
