import type { LaidOut } from './piece.ts'
import { type Span, spansText } from './span.ts'

/** How a platform measures pieces (paragraphs, tables …) and spans (texts of one style), and how long they may be. */
export interface CutRules {
  /** The maximum length of a piece, as measured by `pieceLength`. The measured length must be at least the length of the text. */
  readonly most: number
  /** The maximum number of spans in a piece. Default: no limit. */
  readonly mostSpans?: number
  pieceLength(piece: LaidOut): number
  spanLength(span: Span): number
}

const FENCE = '```python\n\n```'.length
/** `cut` never aims for parts shorter than this, in characters. */
const LEAST = 8

/** Splits a piece into parts that fit. Cuts after a line if possible, otherwise after a word, otherwise between characters. */
export function cutPiece(piece: LaidOut, rules: CutRules): readonly LaidOut[] {
  return cut(piece, rules, rules.most)
}

/**
 * Cuts a piece into parts of about `aim` characters. Escapes and the markup of quotes may make a part longer than that. A part
 * that is too long is cut again with a smaller aim.
 */
function cut(piece: LaidOut, rules: CutRules, aim: number): readonly LaidOut[] {
  if (piece.kind === 'rule' || fits(piece, rules)) return [piece]
  const finer = (part: LaidOut) => cut(part, rules, Math.max(LEAST, Math.floor(aim / 2)))
  if (piece.kind === 'code') {
    const parts = cutSpans([{ text: piece.text }], { most: aim - FENCE, spanLength: span => span.text.length })
    return parts
      .map(spans => ({ ...piece, text: spansText(spans).replace(/\n$/, '') }))
      .filter(part => part.text !== '')
      .flatMap(finer)
  }
  const [first = [], ...rest] = cutSpans(piece.spans, { ...rules, most: aim })
  // If a list item is cut, its second part becomes a paragraph. Otherwise the second part would look like another item.
  const kind = piece.kind === 'item' ? 'paragraph' : piece.kind
  return [{ ...piece, spans: first }, ...rest.map((spans): LaidOut => ({ kind, spans }))].flatMap(finer)
}

function fits(piece: LaidOut, { most, mostSpans, pieceLength }: CutRules): boolean {
  const tooMany = mostSpans !== undefined && 'spans' in piece && piece.spans.length > mostSpans
  return !tooMany && pieceLength(piece) <= most
}

function cutSpans(
  spans: readonly Span[],
  { most, mostSpans, spanLength }: Omit<CutRules, 'pieceLength'>,
): readonly (readonly Span[])[] {
  const parts: Span[][] = []
  let part: Span[] = []
  let room = most
  const close = () => {
    if (part.length > 0) parts.push(part)
    part = []
    room = most
  }
  const isLonger = (span: Span, than: number) => span.text.length > than || spanLength(span) > than
  for (const span of spans) {
    let rest = span
    while (rest.text !== '') {
      const isFull = mostSpans !== undefined && part.length >= mostSpans
      const isBetterBelow = isLonger(rest, room) && (rest.link !== undefined || !isLonger(rest, most / 4))
      if (part.length > 0 && (isFull || isBetterBelow)) close()
      if (rest.link !== undefined && isLonger(rest, room)) rest = withoutLink(rest)
      const head = fittingHead(rest, room, part.length === 0, spanLength)
      if (head !== '') part.push({ ...rest, text: head })
      room -= head === '' ? 0 : spanLength({ ...rest, text: head })
      rest = { ...rest, text: rest.text.slice(head.length) }
      if (rest.text !== '') close()
    }
  }
  close()
  return parts
}

/** Turns a link into the text `label (address)`, for a link that does not fit. */
function withoutLink({ link, ...span }: Span): Span {
  return link === undefined || link === span.text ? span : { ...span, text: `${span.text} (${link})` }
}

/**
 * Returns the longest start of the span's text that fits, cut after a line or a word. If no line or word fits, cuts within a word
 * if `mayCutWord` is set. Otherwise returns an empty text.
 */
function fittingHead(span: Span, room: number, mayCutWord: boolean, spanLength: (span: Span) => number): string {
  const { text } = span
  if (text.length <= room && spanLength(span) <= room) return text
  let least = 0
  let most = Math.min(text.length, Math.max(0, room))
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (spanLength({ ...span, text: text.slice(0, middle) }) <= room) least = middle
    else most = middle - 1
  }
  const line = text.lastIndexOf('\n', least - 1) + 1
  if (line > 0 && least > 0) return text.slice(0, line)
  const word = text.lastIndexOf(' ', least - 1) + 1
  if (word > 0 && least > 0) return text.slice(0, word)
  if (!mayCutWord) return ''
  const end = isInsideCharacter(text, least) ? least - 1 : least
  return text.slice(0, Math.max(end, String.fromCodePoint(text.codePointAt(0) ?? 32).length))
}

function isInsideCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}
