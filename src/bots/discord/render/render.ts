import type { ChatAction } from '../../../chat/action.ts'
import type { Answer, PrivateReply, Progress, Reply } from '../../../chat/reply.ts'
import { chatWords } from '../../../words/chat.ts'
import { type CutRules, cutPiece } from '../../markdown/cut-piece.ts'
import { markdownHead } from '../../markdown/head.ts'
import { packPieces } from '../../markdown/pack-pieces.ts'
import { type LaidOut, type Piece, smallPrint } from '../../markdown/piece.ts'
import { type LinkOptions, type MarkdownRules, markdownPieceSteps, markdownPieces } from '../../markdown/pieces.ts'
import type { Span } from '../../markdown/span.ts'
import { shownActions } from '../../shared/shown-actions.ts'
import { shortLine, shownText } from '../../shared/shown-text.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import type { DiscordPart } from './part.ts'
import { gapBefore, pieceMarkdown, piecesMarkdown } from './piece.ts'
import { spanMarkdown } from './span.ts'
import { tablePieces } from './table.ts'

/** Colors of the stripe beside a message. */
const COLORS = { progress: 0x99aab5, answer: 0x5865f2, error: 0xed4245 } as const
const WHOLE_ANSWER = 'answer.md'

/**
 * Renders a reply as messages, in short steps. All text of the reply is treated as hostile. Only a notification can mention a
 * person, the author of the question. Links can lead only to `allowedLinkHosts`. No text can break a message's format. Answers
 * and errors lose no text.
 */
export function* renderDiscordReply(reply: Reply, options: LinkOptions): Generator<void, readonly DiscordPart[]> {
  if (reply.kind === 'progress') {
    return [
      part(progressText(reply, options), {
        color: COLORS.progress,
        isPassing: true,
        buttons: buttonRows(reply.actions),
      }),
    ]
  }
  if (reply.kind === 'notification') return [notificationPart(reply)]
  if (reply.kind === 'answer') return yield* answerParts(reply, options)
  const pieces: readonly Piece[] = [{ kind: 'paragraph', spans: [{ text: `⚠️ ${shownText(reply.sentence).trim()}` }] }]
  return withButtons(
    splitPieces(pieces, DISCORD_LIMITS.embedDescription).map(text => part(text, { color: COLORS.error })),
    reply.actions,
  )
}

export function renderPrivateReply(
  { markdown, actions }: PrivateReply,
  options: LinkOptions,
): Generator<void, readonly DiscordPart[]> {
  return answerParts({ kind: 'answer', markdown, ...(actions === undefined ? {} : { actions }) }, options)
}

function* answerParts(answer: Answer, options: LinkOptions): Generator<void, readonly DiscordPart[]> {
  const words = chatWords(answer.language ?? 'en')
  const markdown = shownText(answer.markdown)
  const footer = shownText(answer.footer ?? '')
  const head = markdownHead(markdown)
  const rules = { ...DISCORD_MARKDOWN, ...options }
  const body = yield* markdownPieceSteps(head, rules)
  const small = (yield* markdownPieceSteps(footer, rules)).map(smallPrint)
  const texts = splitPieces([...body, ...small], DISCORD_LIMITS.embedDescription)
  yield
  const isTooLong = texts.length > DISCORD_LIMITS.messages || head !== markdown
  const shown = isTooLong ? texts.slice(0, DISCORD_LIMITS.messages - 1) : texts
  const parts = (shown.length === 0 ? [words.noText] : shown).map(text => part(text, { color: COLORS.answer }))
  if (isTooLong) {
    const whole = { name: WHOLE_ANSWER, text: [markdown, footer].filter(text => text !== '').join('\n\n') }
    parts.push(part(`-# ${words.goesOn} \`${WHOLE_ANSWER}\`.`, { color: COLORS.answer, files: [whole] }))
  }
  const [first, ...rest] = parts
  const withChart = first === undefined || answer.chart === undefined ? parts : [{ ...first, chart: answer.chart }, ...rest]
  return withButtons(withChart, answer.actions)
}

function part(text: string, fields: Partial<DiscordPart>): DiscordPart {
  return { text, buttons: [], files: [], ...fields }
}

function withButtons(parts: readonly DiscordPart[], actions: Answer['actions']): readonly DiscordPart[] {
  const buttons = buttonRows(actions)
  return parts.map((each, index) => (index === parts.length - 1 ? { ...each, buttons } : each))
}

/** Renders progress as a single message, because the answer soon replaces it. */
function progressText({ lines, table = '', answer = '' }: Progress, options: LinkOptions): string {
  // This runs each time the answer grows, so it parses only the start of the text. The start has twice as many characters as fit,
  // because some of them are markup and addresses that are not shown.
  const read = (text: string) =>
    markdownPieces(markdownHead(shownText(text), 2 * DISCORD_LIMITS.embedDescription), { ...DISCORD_MARKDOWN, ...options })
  const plan = planPieces(lines)
  // The growing answer comes first, as in the final message.
  const pieces = answer === '' ? [...plan, ...read(table)] : [...read(answer), ...plan.slice(0, 1)]
  return splitPieces(pieces, DISCORD_LIMITS.embedDescription)[0] ?? piecesMarkdown(plan)
}

/** Returns the status line and the latest finished queries, each cut to one line. */
function planPieces(lines: readonly string[]): readonly LaidOut[] {
  const [status = 'Working on it', ...finished] = lines
    .map(line => shortLine(line, DISCORD_LIMITS.progressLine))
    .filter(line => line !== '')
  const shown = finished.slice(-DISCORD_LIMITS.progressLines)
  const rest = shown.map((text): LaidOut => ({ kind: 'item', spans: [{ text: text }], indent: 0, number: undefined }))
  return [{ kind: 'paragraph', spans: [{ text: status }] }, ...rest]
}

function notificationPart({ author, language = 'en' }: Extract<Reply, { kind: 'notification' }>): DiscordPart {
  const { done, answerReady } = chatWords(language)
  // Only a person's id becomes a mention. Another string could mention other people, or everybody.
  if (!/^\d{1,20}$/.test(author)) return part(`${done} ${answerReady}`, {})
  return part(`<@${author}> ${answerReady}`, { mentions: author })
}

/**
 * Discord's component types and button styles. Source: discord.com/developers/docs/components/reference, "Component Types" and
 * "Button Styles".
 */
const ACTION_ROW = 1
const BUTTON = 2
const STYLES = { primary: 1, secondary: 2, danger: 4 } as const

/** Arranges actions as rows of buttons. Drops actions beyond Discord's limit. */
export function buttonRows(actions: readonly ChatAction[] = []): DiscordPart['buttons'] {
  const { buttonRows: rows, buttonsInRow, buttonLabel } = DISCORD_LIMITS
  const buttons = shownActions(actions, { buttons: rows * buttonsInRow, label: buttonLabel }).map(({ id, label, emphasis }) => ({
    type: BUTTON,
    style: STYLES[emphasis ?? 'secondary'],
    label,
    custom_id: id,
  }))
  return Array.from({ length: Math.ceil(buttons.length / buttonsInRow) }, (_, row) => ({
    type: ACTION_ROW,
    components: buttons.slice(row * buttonsInRow, (row + 1) * buttonsInRow),
  }))
}

/** Discord's rules for Markdown. All text is escaped, so an address needs no special treatment to stay plain text. */
const DISCORD_MARKDOWN: MarkdownRules = {
  listIndent: 4,
  plainAddress: span => span,
  guard: spans => spans.map(withoutRiskyStyles),
}

/** Removes the style of a span that touches another styled span. Discord misreads adjacent asterisks such as `**one***two*`. */
function withoutRiskyStyles(span: Span, index: number, spans: readonly Span[]): Span {
  const isMarked = (other: Span | undefined) => other !== undefined && (other.bold ?? other.italic ?? other.strike) === true
  const touches =
    (isMarked(spans[index - 1]) && !/\s$/.test(spans[index - 1]?.text ?? '') && !/^\s/.test(span.text)) ||
    (isMarked(spans[index + 1]) && !/^\s/.test(spans[index + 1]?.text ?? '') && !/\s$/.test(span.text))
  if (!touches || !isMarked(span)) return span
  const { bold: _bold, italic: _italic, strike: _strike, ...plain } = span
  return plain
}

/**
 * Distributes pieces over messages of at most `most` characters, in order. Splits a long text between paragraphs if possible, and
 * otherwise between lines, words or characters.
 */
function splitPieces(pieces: readonly Piece[], most: number): readonly string[] {
  const cutRules: CutRules = {
    most,
    pieceLength: piece => pieceMarkdown(piece).length,
    spanLength: span => spanMarkdown(span).length,
  }
  const laidOut = pieces.flatMap(piece => (piece.kind === 'table' ? tablePieces(piece, most) : [piece]))
  const messages = packPieces<LaidOut, 'characters'>(
    laidOut.flatMap(piece => cutPiece(piece, cutRules)),
    {
      limits: { characters: most },
      measure: (piece, previous) => ({ characters: gapBefore(piece, previous).length + pieceMarkdown(piece).length }),
    },
  )
  return messages.map(piecesMarkdown).filter(text => text.trim() !== '')
}
