import type { ActionsBlock, RichTextBlock } from '@slack/types'
import { pictureFileName } from '../../../charts/picture-text.ts'
import type { ChatAction } from '../../../chat/action.ts'
import type { Answer, Progress, Reply } from '../../../chat/reply.ts'
import { type ChatWords, chatWords } from '../../../words/chat.ts'
import { slackWords } from '../../../words/slack.ts'
import { markdownHead } from '../../markdown/head.ts'
import { type Piece, smallPrint } from '../../markdown/piece.ts'
import { type LinkOptions, markdownPieceSteps, markdownPieces } from '../../markdown/pieces.ts'
import { shownActions } from '../../shared/shown-actions.ts'
import { shortLine, shownText } from '../../shared/shown-text.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { escapeText } from '../text.ts'
import { pieceBlocks, type SlackBlock } from './blocks.ts'
import { chartBlock } from './chart.ts'
import { SLACK_MARKDOWN } from './markdown.ts'
import type { SlackFile, SlackPart } from './part.ts'
import { piecesText, pieceText, type SlackPiece } from './piece.ts'
import { splitPieces } from './split.ts'

export interface SlackRenderOptions extends LinkOptions {
  /** Whether Clew draws the charts that Slack cannot draw. If not, these charts are left out. */
  readonly drawsCharts?: boolean
}

const WHOLE_ANSWER = 'answer.md'

/**
 * Renders a reply as messages, in short steps. All text of the reply is treated as hostile. Only a notification can mention a
 * person, the author of the question. Links can lead only to `allowedLinkHosts`. No text can break a message's format. Answers
 * and errors lose no text.
 */
export function* renderSlackReply(reply: Reply, options: SlackRenderOptions): Generator<void, readonly SlackPart[]> {
  if (reply.kind === 'answer') return yield* answerParts(reply, options)
  if (reply.kind === 'notification') return [notificationPart(reply)]
  const messages = reply.kind === 'error' ? splitPieces(errorPieces(reply.sentence)) : [progressPieces(reply, options)]
  return messages.map((pieces, index) => ({
    ...messagePart(pieces, index === messages.length - 1 ? buttonBlocks(reply.actions) : []),
    ...(reply.kind === 'progress' ? { status: slackWords(reply.language).thinking } : {}),
  }))
}

function* answerParts(
  { chart, actions, language = 'en', ...answer }: Answer,
  options: SlackRenderOptions,
): Generator<void, readonly SlackPart[]> {
  const words = chatWords(language)
  const [markdown, footer] = [shownText(answer.markdown), shownText(answer.footer ?? '')]
  const [head, footerHead] = [markdownHead(markdown), markdownHead(footer)]
  const rules = { ...SLACK_MARKDOWN, ...options }
  const isDrawnBySlack = chart !== undefined && chartBlock(chart) !== undefined
  const picture = !isDrawnBySlack && options.drawsCharts === true ? chart : undefined
  const body = yield* markdownPieceSteps(head, rules)
  const small = (yield* markdownPieceSteps(footerHead, rules)).map(smallPrint)
  // A picture becomes a message of its own, between the answer and its small print.
  const below: readonly SlackPiece[] =
    picture === undefined ? [...(isDrawnBySlack ? [{ kind: 'chart' as const, chart }] : []), ...small] : []

  const whole = head === markdown && footerHead === footer ? splitPieces([...body, ...below]) : undefined
  const isWhole = whole !== undefined && whole.length <= SLACK_LIMITS.messages
  yield
  const shown = isWhole ? whole : withoutMiddle(body, below, words)
  yield
  const texts: SlackPart[] = []
  for (const pieces of shown.length === 0 ? [[nothing(words)]] : shown) {
    texts.push(messagePart(pieces, []))
    yield
  }
  const parts =
    picture === undefined
      ? texts
      : [
          ...texts,
          filePart({ name: pictureFileName(picture), chart: picture }),
          ...splitPieces(small).map(pieces => messagePart(pieces, [])),
        ]
  const withEnd = withButtons(parts, buttonBlocks(actions), words)
  if (isWhole) return withEnd
  return [...withEnd, filePart({ name: WHOLE_ANSWER, text: [markdown, footer].filter(text => text !== '').join('\n\n') })]
}

/** Puts buttons on the last message. A message with a file cannot have buttons, so another message follows it. */
function withButtons(parts: readonly SlackPart[], buttons: readonly SlackBlock[], words: ChatWords): readonly SlackPart[] {
  const last = parts.at(-1)
  if (buttons.length === 0 || last === undefined) return parts
  const blocks = [...buttons] as SlackPart['blocks']
  if (last.file !== undefined) return [...parts, { text: words.buttonsOfAbove, blocks }]
  return [...parts.slice(0, -1), { ...last, blocks: [...last.blocks, ...blocks] }]
}

/** Cuts a long answer. Keeps its start and its small print, and leaves room for a message with the whole answer as a file. */
function withoutMiddle(
  body: readonly SlackPiece[],
  below: readonly SlackPiece[],
  words: ChatWords,
): readonly (readonly SlackPiece[])[] {
  const end = splitPieces([goesOn(words), ...below]).slice(0, 2)
  return [...splitPieces(body).slice(0, SLACK_LIMITS.messages - 1 - end.length), ...end]
}

function nothing({ noText }: ChatWords): Piece {
  return { kind: 'paragraph', spans: [{ text: noText }] }
}

function goesOn(words: ChatWords): Piece {
  return { kind: 'paragraph', spans: [{ text: `${words.goesOn} ` }, { text: WHOLE_ANSWER, code: true }, { text: '.' }] }
}

function messagePart(pieces: readonly SlackPiece[], buttons: readonly SlackBlock[]): SlackPart {
  const text = escapeText(piecesText(pieces))
  // The cast is safe: the queue stores the part as JSON, and Slack itself checks the blocks.
  const blocks = [...pieceBlocks(pieces), ...buttons] as SlackPart['blocks']
  return { text: text.trim() === '' ? '(no text)' : text, blocks }
}

function filePart(file: SlackFile): SlackPart {
  const head = 'chart' in file ? pieceText({ kind: 'chart', chart: file.chart }) : `\`${file.name}\``
  return { text: escapeText(head), blocks: [], file }
}

/** Renders a text as messages without blocks, in place of a file that Slack refuses. */
export function plainParts(text: string): readonly SlackPart[] {
  return splitPieces([{ kind: 'paragraph', spans: [{ text }] }]).map(pieces => ({ ...messagePart(pieces, []), blocks: [] }))
}

/** Renders progress as a single message, because the answer soon replaces it. */
function progressPieces({ lines, table = '', answer = '' }: Progress, options: LinkOptions): readonly SlackPiece[] {
  // This runs each time the answer grows, so it parses only the start of the text. The start has twice as many characters as fit,
  // because some of them are markup and addresses that are not shown.
  const read = (text: string) =>
    markdownPieces(markdownHead(shownText(text), 2 * SLACK_LIMITS.text), { ...SLACK_MARKDOWN, ...options })
  const plan = planPieces(lines)
  // The growing answer comes first, as in the final message.
  const [first = plan] = splitPieces(answer === '' ? [...plan, ...read(table)] : [...read(answer), ...plan.slice(0, 1)])
  return first
}

/** Returns the status line and the latest finished queries, each cut to one line. */
function planPieces(lines: readonly string[]): readonly Piece[] {
  const [status = 'Working on it', ...finished] = lines
    .map(line => shortLine(line, SLACK_LIMITS.progressLine))
    .filter(line => line !== '')
  const shown = finished.slice(-SLACK_LIMITS.progressLines)
  const rest = shown.map((text): Piece => ({ kind: 'item', spans: [{ text }], indent: 0, number: undefined }))
  return [{ kind: 'paragraph', spans: [{ text: status, italic: true }] }, ...rest]
}

function errorPieces(sentence: string): readonly Piece[] {
  return [{ kind: 'paragraph', spans: [{ text: `⚠️ ${shownText(sentence).trim()}` }] }]
}

function notificationPart({ author, language = 'en' }: Extract<Reply, { kind: 'notification' }>): SlackPart {
  const { done, answerReady } = chatWords(language)
  // Only a person's id becomes a mention. Another string could mention other people, or everybody.
  if (!/^[UW][A-Z0-9]{1,20}$/.test(author))
    return messagePart([{ kind: 'paragraph', spans: [{ text: `${done} ${answerReady}` }] }], [])
  const mention: RichTextBlock = {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'user', user_id: author },
          { type: 'text', text: ` ${answerReady}` },
        ],
      },
    ],
  }
  return { text: `<@${author}> ${answerReady}`, blocks: [{ ...mention }] }
}

/** Arranges actions as one block of buttons. Drops actions beyond Slack's limit. Empty if there are no actions. */
function buttonBlocks(actions: readonly ChatAction[] = []): readonly ActionsBlock[] {
  const shown = shownActions(actions, { buttons: SLACK_LIMITS.buttons, label: SLACK_LIMITS.buttonLabel })
  if (shown.length === 0) return []
  const elements = shown.map(({ id, label, emphasis }) => ({
    type: 'button' as const,
    action_id: id,
    text: { type: 'plain_text' as const, text: label, emoji: false },
    ...(emphasis === undefined ? {} : { style: emphasis }),
  }))
  return [{ type: 'actions', elements }]
}
