import type { KnownBlock, RichTextBlock } from '@slack/types'
import { z } from 'zod'
import type { RenderedPart } from '../chat-platform.ts'
import { type LinkOptions, markdownPieces } from '../markdown/markdown-pieces.ts'
import type { Piece } from '../markdown/piece.ts'
import type { Reply } from '../reply.ts'
import { pieceBlocks } from './slack-blocks.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { SLACK_MARKDOWN } from './slack-markdown.ts'
import { piecesText } from './slack-piece.ts'
import { splitPieces } from './slack-split.ts'
import { escapeText, visibleText } from './slack-text.ts'

/** Slack's own payload. `text` says all that the blocks say, escaped: it is what notifications and a plain resend show. */
export const slackPartSchema = z.object({
  text: z.string().min(1),
  blocks: z.array(z.looseObject({ type: z.string() })),
})

/**
 * A reply as messages. Everything in it is hostile: it cannot mention anyone (but the author of a notification), link anywhere outside of
 * `allowedLinkHosts`, or break the format, and no text of an answer or error is lost.
 */
export function renderSlackReply(reply: Reply, options: LinkOptions): readonly RenderedPart[] {
  if (reply.kind === 'progress') return [slackPart(progressPieces(reply.lines))]
  if (reply.kind === 'notification') return [notificationPart(reply.author)]
  const pieces =
    reply.kind === 'error'
      ? errorPieces(reply.sentence)
      : markdownPieces(visibleText(reply.markdown), { ...SLACK_MARKDOWN, ...options })
  const messages = splitPieces(pieces)
  return messages.length === 0 ? [slackPart([{ kind: 'paragraph', spans: [{ text: '(no text)' }] }])] : messages.map(slackPart)
}

function slackPart(pieces: readonly Piece[]): RenderedPart {
  const text = escapeText(piecesText(pieces))
  return { text: text.trim() === '' ? '(no text)' : text, blocks: pieceBlocks(pieces) } satisfies {
    text: string
    blocks: KnownBlock[]
  }
}

/** The status line and the latest finished queries, each cut to a line: progress is gone as soon as the answer is there. */
function progressPieces(lines: readonly string[]): readonly Piece[] {
  const [status = 'Working on it', ...finished] = lines.map(shortLine).filter(line => line !== '')
  const shown = finished.slice(-SLACK_LIMITS.progressLines)
  const rest = shown.map((text): Piece => ({ kind: 'item', spans: [{ text }], indent: 0, number: undefined }))
  return [{ kind: 'paragraph', spans: [{ text: status, italic: true }] }, ...rest]
}

function shortLine(line: string): string {
  const characters = [...visibleText(line).replace(/\s+/g, ' ').trim()]
  return characters.length <= SLACK_LIMITS.progressLine
    ? characters.join('')
    : `${characters.slice(0, SLACK_LIMITS.progressLine - 1).join('')}…`
}

function errorPieces(sentence: string): readonly Piece[] {
  return [{ kind: 'paragraph', spans: [{ text: `⚠️ ${visibleText(sentence).trim()}` }] }]
}

function notificationPart(author: string): RenderedPart {
  const sentence = 'your answer is ready.'
  // Anything but a person's id could address others.
  if (!/^[UW][A-Z0-9]{1,20}$/.test(author)) return slackPart([{ kind: 'paragraph', spans: [{ text: `Done: ${sentence}` }] }])
  const mention: RichTextBlock = {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'user', user_id: author },
          { type: 'text', text: ` ${sentence}` },
        ],
      },
    ],
  }
  return { text: `<@${author}> ${sentence}`, blocks: [mention] }
}
