import { Marked, type Token, type Tokens } from 'marked'
import { isAllowedLink, type LinkHost } from '../../link-hosts.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { type Align, type Piece, pieceText, type Span, spansText } from './slack-piece.ts'

export interface MarkdownOptions {
  /** Hosts whose addresses may be links; any other address is shown as code. */
  readonly allowedLinkHosts: readonly LinkHost[]
}

type Style = Pick<Span, 'bold' | 'italic' | 'strike'>
type Context = MarkdownOptions & { readonly quoted: boolean; readonly indent: number }

/**
 * Reads Markdown into pieces. Only an allowed address becomes a link, and no text is dropped: a token whose letters and digits do not all
 * come out, in order (a table row with a cell too many, an unusual list number), is shown as it was written instead.
 * @param markdown what `visibleText` returned
 */
export function markdownPieces(markdown: string, options: MarkdownOptions): readonly Piece[] {
  return topLevelTokens(markdown).flatMap(token => {
    const pieces = blockPieces(token, { ...options, quoted: false, indent: 0 })
    return letters(pieces.map(sourceText).join('\n')) === letters(token.raw) ? pieces : literalPieces(token.raw)
  })
}

function topLevelTokens(markdown: string): readonly Token[] {
  // Reference definitions are off: they show nothing themselves and would turn [Q1] into a link.
  const marked = new Marked({ gfm: true, tokenizer: { def: () => undefined } })
  try {
    return marked.lexer(markdown)
  } catch {
    // Nesting some thousand levels deep overflows the parser's stack.
    return [{ type: 'html', raw: markdown }]
  }
}

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

/** A piece's text with what was Markdown's own, for comparison with the source. */
function sourceText(piece: Piece): string {
  return piece.kind === 'code' ? piece.language + piece.text : pieceText(piece)
}

function literalPieces(raw: string): readonly Piece[] {
  const text = raw.replace(/^\n+|\s+$/g, '')
  return text === '' ? [] : [{ kind: 'paragraph', spans: guardAddresses({ text }) }]
}

function blockPieces(token: Token, context: Context): readonly Piece[] {
  const { type } = token
  if (type === 'heading') return textPieces('heading', shownSpans(token.tokens ?? [], context))
  if (type === 'paragraph' || (type === 'text' && token.tokens !== undefined))
    return textPieces(context.quoted ? 'quote' : 'paragraph', shownSpans(token.tokens ?? [], context))
  if (type === 'code') return codePieces(token as Tokens.Code)
  if (type === 'blockquote') return (token.tokens ?? []).flatMap(inner => blockPieces(inner, { ...context, quoted: true }))
  if (type === 'list') return (token as Tokens.List).items.flatMap(item => itemPieces(item, token as Tokens.List, context))
  if (type === 'table') return tablePieces(token as Tokens.Table, context)
  if (type === 'hr') return [{ kind: 'rule' }]
  return literalPieces(token.raw)
}

function textPieces(kind: 'paragraph' | 'heading' | 'quote', spans: readonly Span[]): readonly Piece[] {
  return spans.length === 0 ? [] : [{ kind, spans }]
}

/** A fence's first word is its language only where it looks like one; anything else there is the writer's text. */
function codePieces(token: Tokens.Code): readonly Piece[] {
  const information = (token.lang ?? '').trim()
  const isLanguage =
    /^(?:sql|clickhouse|json|csv|tsv|text|txt|plain|plaintext|bash|sh|shell|python|py|yaml|xml|html|markdown|md)?$/i.test(
      information,
    )
  const text = isLanguage ? token.text : `${information}\n${token.text}`
  return text.trim() === '' ? [] : [{ kind: 'code', text, language: isLanguage ? information : '' }]
}

function itemPieces(item: Tokens.ListItem, list: Tokens.List, context: Context): readonly Piece[] {
  const written = /^\s*(\d{1,9})[.)]/.exec(item.raw)?.[1]
  const number = list.ordered && written !== undefined ? Number(written) : undefined
  const indent = Math.min(context.indent, SLACK_LIMITS.listIndent)
  const box: readonly Span[] = item.task ? [{ text: item.checked ? '[x] ' : '[ ] ' }] : []
  const tokens = item.tokens.filter(token => token.type !== 'checkbox')
  const [first, ...rest] = tokens
  const isText = first !== undefined && (first.type === 'text' || first.type === 'paragraph')
  const spans = isText ? shownSpans(first.tokens ?? [{ type: 'text', raw: first.raw, text: first.raw }], context) : []
  const inner = { ...context, indent: context.indent + 1 }
  const head: Piece = { kind: 'item', spans: [...box, ...spans], indent, number }
  return [head, ...(isText ? rest : tokens).flatMap(token => blockPieces(token, inner))]
}

function tablePieces(token: Tokens.Table, context: Context): readonly Piece[] {
  const row = (cells: readonly Tokens.TableCell[]) => cells.map(cell => shownSpans(cell.tokens, context))
  const align = token.align.map((value): Align => value ?? 'left')
  return [{ kind: 'table', align, header: row(token.header), rows: token.rows.map(row) }]
}

function shownSpans(tokens: readonly Token[], options: MarkdownOptions): readonly Span[] {
  return joinSpans(inlineSpans(tokens, {}, options)).flatMap(guardAddresses)
}

/** Joins neighbours of one style: addresses are looked for in what is shown, not in what the writer cut into pieces. */
function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    const isSame = last !== undefined && styleKey(last) === styleKey(span) && span.link === undefined && span.code === undefined
    if (isSame) joined[joined.length - 1] = { ...last, text: last.text + span.text }
    else if (span.text !== '') joined.push(span)
  }
  return joined
}

function styleKey({ text: _, ...style }: Span): string {
  return Object.keys(style).sort().join(' ')
}

function inlineSpans(tokens: readonly Token[], style: Style, options: MarkdownOptions): readonly Span[] {
  return tokens.flatMap((token): readonly Span[] => {
    if (token.type === 'strong') return inlineSpans(token.tokens ?? [], { ...style, bold: true }, options)
    if (token.type === 'em') return inlineSpans(token.tokens ?? [], { ...style, italic: true }, options)
    if (token.type === 'del') return inlineSpans(token.tokens ?? [], { ...style, strike: true }, options)
    if (token.type === 'codespan') return [{ ...style, text: (token as Tokens.Codespan).text, code: true }]
    if (token.type === 'br') return [{ ...style, text: '\n' }]
    if (token.type === 'link' || token.type === 'image') return linkSpans(token as Tokens.Link | Tokens.Image, style, options)
    const text = token.type === 'html' ? token.raw : ((token as Tokens.Text).text ?? token.raw)
    return [{ ...style, text }]
  })
}

/** An address that would otherwise be found and linked (`scheme://…`, `www.…`) is shown as code. */
function guardAddresses(span: Span): readonly Span[] {
  if (span.code !== undefined || span.link !== undefined) return [span]
  const spans: Span[] = []
  let position = 0
  for (const match of span.text.matchAll(/\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>`]+/gi)) {
    if (match.index > position) spans.push({ ...span, text: span.text.slice(position, match.index) })
    spans.push({ ...span, text: match[0], code: true })
    position = match.index + match[0].length
  }
  if (position < span.text.length) spans.push({ ...span, text: span.text.slice(position) })
  return spans
}

/** `[label](address "title")` as a link where the host is allowed; else as `label (address "title")`, so that nobody is misled. */
function linkSpans(token: Tokens.Link | Tokens.Image, style: Style, options: MarkdownOptions): readonly Span[] {
  const isBare = !token.raw.startsWith('[') && !token.raw.startsWith('!')
  const label = isBare ? token.text : ''
  const allowed = token.type === 'link' && isAllowedLink(token.href, options.allowedLinkHosts)
  if (isBare && allowed) return [{ ...style, text: label, link: token.href }]
  if (isBare) return token.href.startsWith('mailto:') ? [{ ...style, text: label }] : [{ ...style, text: label, code: true }]
  const shown = inlineSpans(token.tokens ?? [], style, options)
  const title = token.title ? ` "${token.title}"` : ''
  const address: Span = allowed ? { ...style, text: token.href, link: token.href } : { ...style, text: token.href, code: true }
  const shownText = spansText(shown)
  if (allowed && title === '' && shownText !== '') return [{ ...style, text: shownText, link: token.href }]
  return [...shown, { ...style, text: shown.length === 0 ? '(' : ' (' }, address, { ...style, text: `${title})` }]
}
