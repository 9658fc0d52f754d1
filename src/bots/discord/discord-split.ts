import { gapBefore, type Piece, pieceMarkdown, piecesMarkdown } from './discord-piece.ts'
import { type Span, spanMarkdown, spansText } from './discord-span.ts'
import { type LaidOut, tablePieces } from './discord-table.ts'

/** Lays pieces out over messages of at most so many characters, in order, cut at paragraphs, else lines, else words, else characters. */
export function splitPieces(pieces: readonly Piece[], most: number): readonly string[] {
  const messages: LaidOut[][] = []
  let message: LaidOut[] = []
  let length = 0
  const add = (piece: LaidOut) => {
    length += addedLength(piece, message.at(-1))
    message.push(piece)
  }
  for (const piece of pieces.flatMap(candidate => laidOut(candidate, most))) {
    if (message.length > 0 && length + addedLength(piece, message.at(-1)) > most) {
      // A heading goes with what it heads.
      const goesOn = message.length > 1 && message.at(-1)?.kind === 'heading' ? message.pop() : undefined
      messages.push(message)
      message = []
      length = 0
      if (goesOn !== undefined) add(goesOn)
      if (goesOn !== undefined && length + addedLength(piece, goesOn) > most) {
        messages.push(message)
        message = []
        length = 0
      }
    }
    add(piece)
  }
  if (message.length > 0) messages.push(message)
  return messages.map(piecesMarkdown).filter(text => text.trim() !== '')
}

function addedLength(piece: LaidOut, previous: LaidOut | undefined): number {
  return gapBefore(piece, previous).length + pieceMarkdown(piece).length
}

function laidOut(piece: Piece, most: number): readonly LaidOut[] {
  const pieces = piece.kind === 'table' ? tablePieces(piece, most) : [piece]
  return pieces.flatMap(each => cutPiece(each, most, most))
}

/** What a piece adds around its text (quote marks, escapes) is not counted while cutting: if it is too much, it is cut finer. */
function cutPiece(piece: LaidOut, most: number, aim: number): readonly LaidOut[] {
  if (piece.kind === 'rule' || pieceMarkdown(piece).length <= most) return [piece]
  const finer = (part: LaidOut) => cutPiece(part, most, Math.max(8, Math.floor(aim / 2)))
  if (piece.kind === 'code') {
    const texts = cutSpans([{ text: piece.text }], aim - '```python\n\n```'.length, span => span.text.length)
    return texts
      .map(spans => ({ ...piece, text: spansText(spans).replace(/\n$/, '') }))
      .filter(part => part.text !== '')
      .flatMap(finer)
  }
  const [first = [], ...rest] = cutSpans(piece.spans, aim, span => spanMarkdown(span).length)
  // A list item goes on as a paragraph: it is not another item.
  const kind = piece.kind === 'item' ? 'paragraph' : piece.kind
  return [{ ...piece, spans: first }, ...rest.map((spans): LaidOut => ({ kind, spans }))].flatMap(finer)
}

function cutSpans(spans: readonly Span[], most: number, lengthOf: (span: Span) => number): readonly (readonly Span[])[] {
  const parts: Span[][] = []
  let part: Span[] = []
  let room = most
  const close = () => {
    if (part.length > 0) parts.push(part)
    part = []
    room = most
  }
  for (const span of spans) {
    let rest = span
    while (rest.text !== '') {
      if (lengthOf(rest) > room && part.length > 0 && (rest.link !== undefined || lengthOf(rest) <= most / 4)) close()
      // An address that fits nowhere is no link any more, but its text.
      if (rest.link !== undefined && lengthOf(rest) > room) rest = withoutLink(rest)
      const head = fittingHead(rest, room, part.length === 0, lengthOf)
      if (head !== '') part.push({ ...rest, text: head })
      room -= head === '' ? 0 : lengthOf({ ...rest, text: head })
      rest = { ...rest, text: rest.text.slice(head.length) }
      if (rest.text !== '') close()
    }
  }
  close()
  return parts
}

function withoutLink({ link: _, ...span }: Span): Span {
  return span
}

/** The longest head of the text that fits, cut after a line, else after a word, else (at the start of a part) anywhere between characters. */
function fittingHead(span: Span, room: number, mayCutWord: boolean, lengthOf: (span: Span) => number): string {
  const { text } = span
  if (lengthOf(span) <= room) return text
  let least = 0
  let most = Math.min(text.length, Math.max(0, room))
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (lengthOf({ ...span, text: text.slice(0, middle) }) <= room) least = middle
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
