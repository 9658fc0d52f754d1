import { atOnce } from '../../src/base/at-once.ts'
import { renderDiscordReply as renderForDiscord } from '../../src/bots/discord/render/render.ts'
import type { LinkOptions } from '../../src/bots/markdown/pieces.ts'
import { renderSlackReply as renderForSlack, type SlackRenderOptions } from '../../src/bots/slack/render/render.ts'
import type { Reply } from '../../src/chat/reply.ts'

/** Renders a reply as Discord's outbox does, but without pauses. */
export function renderDiscordReply(reply: Reply, options: LinkOptions) {
  return atOnce(renderForDiscord(reply, options))
}

/** Renders a reply as Slack's outbox does, but without pauses. */
export function renderSlackReply(reply: Reply, options: SlackRenderOptions) {
  return atOnce(renderForSlack(reply, options))
}
