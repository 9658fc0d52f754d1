import type { Token, Tokens } from 'marked'
import { withClosedTables } from '../../base/text/closed-tables.ts'
import { isAllowedLink, type LinkHost } from '../../base/text/link-hosts.ts'
import { markdownTokens } from '../../base/text/markdown-tokens.ts'
import { visibleText } from '../../base/text/visible-text.ts'
import { AGENT_LIMITS } from '../limits.ts'

/** Matches addresses that other programs would turn into links. */
const ADDRESS = /\b(?:[a-z][a-z0-9+.-]{0,60}:\/\/|www\.)[^\s<>`"]+/gi
/** Matches signs of a link, an image or HTML. Markdown without them contains none of the three. */
const LINK_MARKS = /[<[@]|:\/\/|www\./i
const CITATIONS = /^[QE]\d+(?:\s*,\s*[QE]\d+)*$/

/**
 * Makes Markdown safe to show, so that it links to allowed hosts only, and loads nothing from others. Other links, references,
 * images, bare addresses and HTML become text, and their addresses become code. A blank line is added after each table. Only
 * invisible characters are lost. Idempotent.
 */
export function withSafeLinks(markdown: string, hosts: readonly LinkHost[]): string {
  let text = withClosedTables(visibleText(markdown))
  // A run has many short texts without links. Parsing takes fifty times as long as this test.
  if (text.length <= AGENT_LIMITS.write.plainCharacters && !LINK_MARKS.test(text)) return text
  for (let pass = 0; pass <= AGENT_LIMITS.write.linkPasses; pass++) {
    const blocks = lex(text)
    if (blocks === undefined) return codeBlock(text)
    const unsafe = blocks.map(block => isUnsafe(block, hosts))
    if (!unsafe.includes(true)) return text
    const definitions = blocks.some(holdsDefinition)
    text = blocks
      .map((block, index) => {
        if (unsafe[index] !== true) return block.raw
        if (pass === AGENT_LIMITS.write.linkPasses) return codeBlock(block.raw)
        // If the block has link definitions, this pass escapes only them. After that, `[x][1]` is plain text, and needs no
        // escape.
        return rewritten(block, leaf => (definitions && leaf.type !== 'def' ? undefined : safeForm(leaf, hosts)))
      })
      .join('')
  }
  const blocks = lex(text)
  return blocks?.some(block => isUnsafe(block, hosts)) === false ? text : codeBlock(text)
}

/**
 * Parses Markdown.
 * @returns undefined if the parser fails, or if its tokens do not make up the whole text
 */
function lex(text: string): readonly Token[] | undefined {
  const tokens = markdownTokens(text, { definitions: true })
  return tokens?.map(token => token.raw).join('') === text ? tokens : undefined
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === 'list') return (token as Tokens.List).items
  if (token.type === 'table')
    return [...(token as Tokens.Table).header, ...(token as Tokens.Table).rows.flat()].flatMap(cell => cell.tokens)
  return ('tokens' in token ? token.tokens : undefined) ?? []
}

/** Returns the tokens without children, in order. A link or an image is one such token, even if its label has children. */
function leavesOf(token: Token): readonly Token[] {
  const children = childrenOf(token)
  if (token.type === 'link' || token.type === 'image' || children.length === 0) return [token]
  return children.flatMap(leavesOf)
}

function isUnsafe(block: Token, hosts: readonly LinkHost[]): boolean {
  return leavesOf(block).some(leaf => safeForm(leaf, hosts) !== undefined)
}

function holdsDefinition(block: Token): boolean {
  return leavesOf(block).some(leaf => leaf.type === 'def')
}

/** Replaces leaves of a block. They are in order, so the search for each starts after the one before. */
function rewritten(block: Token, rewrite: (leaf: Token) => string | undefined): string {
  const { raw } = block
  let text = ''
  let copied = 0
  let position = 0
  for (const leaf of leavesOf(block)) {
    const start = raw.indexOf(leaf.raw, position)
    if (start < 0) continue
    position = start + leaf.raw.length
    const safe = rewrite(leaf)
    if (safe === undefined) continue
    text += raw.slice(copied, start) + safe
    copied = position
  }
  return text + raw.slice(copied)
}

/** Returns a safe form of a leaf. Undefined if the leaf is safe as it is. */
function safeForm(leaf: Token, hosts: readonly LinkHost[]): string | undefined {
  if (leaf.type === 'def') return leaf.raw.replace('[', '\\[')
  if (leaf.type === 'html') return withCode(leaf.raw.replaceAll('<', '\\<'), hosts)
  if (leaf.type === 'text') {
    const safe = withCode(leaf.raw, hosts)
    return safe === leaf.raw ? undefined : safe
  }
  if (leaf.type !== 'link' && leaf.type !== 'image') return undefined
  const link = leaf as Tokens.Link | Tokens.Image
  // The label of a link is not parsed again. So it must be plain words or the address itself.
  const isPlain = link.text === link.href || !/[[\]<>`!]|:\/\/|www\./i.test(link.text)
  if (isPlain && isAllowedLink(link.href, hosts)) return undefined
  if (link.raw.startsWith('<')) return code(link.raw.slice(1, -1))
  return link.raw.startsWith('[') || link.raw.startsWith('!') ? unlinked(link) : code(link.raw)
}

/**
 * Writes `[label](address "title")` as the label, followed by the rest in parentheses. If the parser read the link differently,
 * only escapes its bracket.
 */
function unlinked({ raw, text: label }: Tokens.Link | Tokens.Image): string {
  const start = `${raw.startsWith('!') ? '!' : ''}[${label}](`
  if (!raw.startsWith(start) || !raw.endsWith(')')) return raw.replace('[', '\\[')
  const address = code(raw.slice(start.length, -1).replace(/^\s*<([^<>]*)>/, '$1'))
  if (label.trim() === '') return `(${address})`
  return `${CITATIONS.test(label) ? `[${label}]` : label} (${address})`
}

/** Writes addresses of other hosts as code. A quotation mark ends an address, because the address may be in an HTML attribute. */
function withCode(text: string, hosts: readonly LinkHost[]): string {
  return text.replace(ADDRESS, address => (isAllowedLink(address, hosts) ? address : code(address)))
}

function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const fence = '`'.repeat(longestRun(line) + 1)
  return fence === '`' ? `\`${line}\`` : `${fence} ${line} ${fence}`
}

function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}\n`
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
