import type { Token, Tokens } from 'marked'
import { atOnce } from '../../base/at-once.ts'
import { withClosedTables } from '../../base/text/closed-tables.ts'
import { isAllowedLink, type LinkHost } from '../../base/text/link-hosts.ts'
import { markdownTokenSteps } from '../../base/text/markdown-tokens.ts'
import { type Align, type Piece, pieceSource } from './piece.ts'
import { joinSpans, type Span, spansText } from './span.ts'

export interface LinkOptions {
  /** Addresses of these hosts may become links. All other addresses become text. */
  readonly allowedLinkHosts: readonly LinkHost[]
}

/** The rules by which a platform's Markdown differs from plain Markdown. */
export interface MarkdownRules {
  /** The deepest list level, counted from 0. Deeper lists move up to this level. */
  readonly listIndent: number
  /** Shows an address as text that the platform cannot turn into a link. */
  plainAddress(span: Span): Span
  /** Changes text that the platform would misread. The given spans form one line. */
  guard(spans: readonly Span[]): readonly Span[]
}

type Style = Pick<Span, 'bold' | 'italic' | 'strike'>
type Rules = MarkdownRules & LinkOptions
type Context = Rules & { readonly quoted: boolean; readonly indent: number }

/** Matches the language names that may follow a code fence. Any other word there belongs to the author's text. */
const LANGUAGE = /^(?:sql|clickhouse|json|csv|tsv|text|txt|plain|plaintext|bash|sh|shell|python|py|yaml|xml|html|markdown|md)?$/i

const NOT_ASCII = /[^\0-\x7f]/

/**
 * Parses Markdown into pieces, in short steps and without losing text. Only an allowed address becomes a link. If a part would
 * lose letters or digits, for example in an extra table cell or an unusual list number, the source of that part is shown instead.
 * @param markdown without hidden characters
 */
export function* markdownPieceSteps(markdown: string, rules: Rules): Generator<void, readonly Piece[]> {
  // Markdown's reference definitions are switched off. A reader does not see them, and one of them could turn the citation [Q1]
  // into a link.
  const tokens = yield* markdownTokenSteps(withClosedTables(markdown), { definitions: false })
  const found: Piece[] = []
  for (const token of tokens ?? [{ type: 'html', raw: markdown }]) {
    const pieces = blockPieces(token, { ...rules, quoted: false, indent: 0 })
    const isWhole = letters(pieces.map(pieceSource).join('\n')) === letters(token.raw)
    found.push(...(isWhole ? pieces : literalPieces(token.raw, rules)))
    yield
  }
  return found
}

/** Does the work of `markdownPieceSteps` without a pause. */
export function markdownPieces(markdown: string, rules: Rules): readonly Piece[] {
  return atOnce(markdownPieceSteps(markdown, rules))
}

function letters(text: string): string {
  return NOT_ASCII.test(text) ? text.replace(/[^\p{L}\p{N}]/gu, '') : text.replace(/[^A-Za-z0-9]/g, '')
}

function literalPieces(raw: string, rules: Rules): readonly Piece[] {
  const text = raw.replace(/^\n+/, '').trimEnd()
  return text === '' ? [] : [{ kind: 'paragraph', spans: rules.guard([{ text }]) }]
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
  return literalPieces(token.raw, context)
}

function textPieces(kind: 'paragraph' | 'heading' | 'quote', spans: readonly Span[]): readonly Piece[] {
  return spans.length === 0 ? [] : [{ kind, spans }]
}

function codePieces(token: Tokens.Code): readonly Piece[] {
  const information = (token.lang ?? '').trim()
  const isLanguage = LANGUAGE.test(information)
  const text = isLanguage ? token.text : `${information}\n${token.text}`
  return text.trim() === '' ? [] : [{ kind: 'code', text, language: isLanguage ? information : '' }]
}

function itemPieces(item: Tokens.ListItem, list: Tokens.List, context: Context): readonly Piece[] {
  const written = /^\s*(\d{1,9})[.)]/.exec(item.raw)?.[1]
  const number = list.ordered && written !== undefined ? Number(written) : undefined
  const indent = Math.min(context.indent, context.listIndent)
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

function shownSpans(tokens: readonly Token[], rules: Rules): readonly Span[] {
  return rules.guard(joinSpans(inlineSpans(tokens, {}, rules)))
}

function inlineSpans(tokens: readonly Token[], style: Style, rules: Rules): readonly Span[] {
  return tokens.flatMap((token): readonly Span[] => {
    if (token.type === 'strong') return inlineSpans(token.tokens ?? [], { ...style, bold: true }, rules)
    if (token.type === 'em') return inlineSpans(token.tokens ?? [], { ...style, italic: true }, rules)
    if (token.type === 'del') return inlineSpans(token.tokens ?? [], { ...style, strike: true }, rules)
    if (token.type === 'codespan') return [{ ...style, text: (token as Tokens.Codespan).text, code: true }]
    if (token.type === 'br') return [{ ...style, text: '\n' }]
    if (token.type === 'link' || token.type === 'image') return linkSpans(token as Tokens.Link | Tokens.Image, style, rules)
    const text = token.type === 'html' ? token.raw : ((token as Tokens.Text).text ?? token.raw)
    return [{ ...style, text }]
  })
}

/**
 * Turns `[label](address "title")` into a link if the host is allowed. Otherwise shows the text `label (address "title")`, so
 * that people see the real target.
 */
function linkSpans(token: Tokens.Link | Tokens.Image, style: Style, rules: Rules): readonly Span[] {
  const isBare = !token.raw.startsWith('[') && !token.raw.startsWith('!')
  const allowed = token.type === 'link' && isAllowedLink(token.href, rules.allowedLinkHosts)
  if (isBare && allowed) return [{ ...style, text: token.text, link: token.href }]
  if (isBare) {
    const plain = { ...style, text: token.text }
    return [token.href.startsWith('mailto:') ? plain : rules.plainAddress(plain)]
  }
  const shown = inlineSpans(token.tokens ?? [], style, rules)
  const title = token.title ? ` "${token.title}"` : ''
  const plain = { ...style, text: token.href }
  const address = allowed ? { ...plain, link: token.href } : rules.plainAddress(plain)
  const label = spansText(shown)
  // A label that looks like an address must equal the link's address. Otherwise it would show a false target.
  const isHonest = label !== '' && (label === token.href || !/:\/\/|www\./i.test(label))
  if (allowed && title === '' && isHonest) return [{ ...style, text: label, link: token.href }]
  return [...shown, { ...style, text: shown.length === 0 ? '(' : ' (' }, address, { ...style, text: `${title})` }]
}
