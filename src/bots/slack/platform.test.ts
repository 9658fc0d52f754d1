import { createSlackWorld } from '../../../test/support/slack-platform-world.ts'
import { describeChatInteractions } from '../../chat/interactions.contract.ts'
import { describeChatPlatform } from '../../chat/platform.contract.ts'

describeChatPlatform('Slack', () => createSlackWorld('socket'))
describeChatPlatform('Slack over HTTP', () => createSlackWorld('http'))
describeChatInteractions('Slack', () => createSlackWorld('socket'))
describeChatInteractions('Slack over HTTP', () => createSlackWorld('http'))
