import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import { errorMessage } from '../../../base/errors.ts'
import { ChatError } from '../../../chat/error.ts'
import { languageFor } from '../../../words/language.ts'
import { slackWords } from '../../../words/slack.ts'
import { cutText, shownText } from '../../shared/shown-text.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import { delay } from '../delay.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { escapeText } from '../text.ts'
import type { AskedQuestion } from './read-interaction.ts'

const postedSchema = z.object({ ts: z.string().regex(/^\d{1,10}\.\d{6}$/) })

/**
 * Posts a question in the channel, because other people do not see commands and forms. The answer goes into the post's thread.
 * Waits and tries again if Slack limits posts. Does not try again after other errors, because the post may exist.
 * @returns the id of the message
 * @throws ChatError `forbidden` or `gone` if Clew is not in the channel
 */
export async function postQuestion(
  { client, now }: { readonly client: SlackClientOptions; readonly now: () => number },
  { channel, thread, userName, text }: AskedQuestion,
  signal: AbortSignal,
): Promise<string> {
  const shown = `❓ ${cutText(shownText(text), SLACK_LIMITS.shownQuestion)}`
  const asker = slackWords(languageFor({ question: text })).askedBy(shownText(userName))
  // Slack reads no markup in these two blocks, so a question cannot mention anybody.
  const blocks: KnownBlock[] = [
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: shown }] }] },
    { type: 'context', elements: [{ type: 'plain_text', text: asker, emoji: false }] },
  ]
  const threaded = thread === undefined ? {} : { thread_ts: thread }
  const content = { text: escapeText(`${shown} (${asker})`), blocks, parse: 'none', link_names: false } as const
  const until = now() + SLACK_LIMITS.acceptInteractionMs
  for (;;) {
    try {
      const answer = await callSlack(client, signal, slack =>
        slack.chat.postMessage({ channel, ...threaded, ...content, unfurl_links: false, unfurl_media: false }),
      )
      return postedSchema.parse(answer).ts
    } catch (error) {
      const pauseMs = error instanceof ChatError && error.kind === 'rate_limited' ? (error.retryAfterMs ?? 1_000) : Infinity
      if (now() + pauseMs > until) throw error
      await delay(pauseMs, signal)
    }
  }
}

/** Removes a question that was posted but not accepted, because nobody would answer it. Never throws. */
export async function takeBackQuestion(
  client: SlackClientOptions,
  message: { readonly channel: string; readonly ts: string },
  signal: AbortSignal,
): Promise<void> {
  await callSlack(client, signal, slack => slack.chat.delete(message)).catch((error: unknown) => {
    client.logger.warn({ cause: errorMessage(error) }, 'unaccepted question could not be removed from slack')
  })
}
