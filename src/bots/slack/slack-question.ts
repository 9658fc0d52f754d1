import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import { errorMessage } from '../../errors.ts'
import { languageFor } from '../../words/language.ts'
import { slackWords } from '../../words/slack-words.ts'
import { ChatError } from '../chat-error.ts'
import { cutText, visibleText } from '../shown-text.ts'
import { callSlack, type SlackClientOptions } from './slack-client.ts'
import type { AskedQuestion } from './slack-interaction.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { escapeText } from './slack-text.ts'
import { delay } from './slack-wait.ts'

const postedSchema = z.object({ ts: z.string().regex(/^\d{1,10}\.\d{6}$/) })

/**
 * Repeats a question in the channel, as commands and forms are seen by nobody else; the thread below it, or the one it was asked in, is where it is
 * answered. A limit on posts is waited for, anything else is not tried twice: the post may have been made.
 * @returns the id of the message. @throws ChatError `forbidden` or `gone` where Clew is not in the channel
 */
export async function postQuestion(
  { client, now }: { readonly client: SlackClientOptions; readonly now: () => number },
  { channel, thread, userName, text }: AskedQuestion,
  signal: AbortSignal,
): Promise<string> {
  const shown = `❓ ${cutText(visibleText(text), SLACK_LIMITS.shownQuestion)}`
  const asker = slackWords(languageFor({ question: text })).askedBy(visibleText(userName))
  // Rich text and plain text are shown as they are: nobody can be mentioned by a question.
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

/** Takes a question back that could not be accepted: it would wait for an answer for ever. Never throws. */
export async function takeBackQuestion(
  client: SlackClientOptions,
  message: { readonly channel: string; readonly ts: string },
  signal: AbortSignal,
): Promise<void> {
  await callSlack(client, signal, slack => slack.chat.delete(message)).catch((error: unknown) => {
    client.logger.warn({ cause: errorMessage(error) }, 'a question that was not accepted stays in slack')
  })
}
