import { Marked, type Token, type Tokens } from 'marked'
import { withClosedTables } from '../closed-tables.ts'
import { isAllowedLink, type LinkHost } from '../link-hosts.ts'
import { visibleText } from '../visible-text.ts'

const PARSER = new Marked({ gfm: true })
/** What one pass uncovers (an address that was a link's label) the next puts right; what is nested deeper than this nobody wrote to be read. */
const MOST_PASSES = 6
/** Marks of emphasis and quotation in one paragraph: what parsing them takes grows by their square (40,000 took 35 s). */
const MOST_MARKS = 2_000
const MARK = /[*>]|(?<!\w)_|_(?!\w)/g
/** What programs other than a Markdown parser link by themselves. */
const ADDRESS = /\b(?:[a-z][a-z0-9+.-]{0,60}:\/\/|www\.)[^\s<>`"]+/gi
/** Markdown without any of these has no link, image or HTML. */
const LINK_MARKS = /[<[@]|:\/\/|www\./i
const SHORT_CHARACTERS = 500
const CITATIONS = /^Q\d+(?:\s*,\s*Q\d+)*$/

/**
 * Markdown as it may leave a run. Nothing in it leads or loads from outside of the operator's hosts, whichever way it was written: links, references, images,
 * autolinks, bare addresses and HTML are shown as text, the address as code. A blank line ends each table. No text is lost but invisible characters. What it
 * returns it returns unchanged.
 */
export function withSafeLinks(markdown: string, hosts: readonly LinkHost[]): string {
  let text = withClosedTables(visibleText(markdown))
  // A run has many short texts, of queries and columns; a parser takes fifty times as long to find nothing in them.
  if (text.length <= SHORT_CHARACTERS && !LINK_MARKS.test(text)) return text
  if (isTangled(text)) return isCodeBlock(text) ? text : codeBlock(text)
  for (let pass = 0; pass <= MOST_PASSES; pass++) {
    const blocks = lex(text)
    if (blocks === undefined) break
    const unsafe = blocks.map(block => isUnsafe(block, hosts))
    if (!unsafe.includes(true)) return text
    const definitions = blocks.some(holdsDefinition)
    text = blocks
      .map((block, index) => {
        if (unsafe[index] !== true) return block.raw
        if (pass === MOST_PASSES) return codeBlock(block.raw)
        // References go first: without them `[x][1]` is text, and keeps its brackets.
        return rewritten(block, leaf => (definitions && leaf.type !== 'def' ? undefined : safeForm(leaf, hosts)))
      })
      .join('')
  }
  const blocks = lex(text)
  return blocks?.some(block => isUnsafe(block, hosts)) === false ? text : codeBlock(text)
}

/** @returns undefined where the parser gives up, or does not account for all of the text */
function lex(text: string): readonly Token[] | undefined {
  try {
    const tokens = PARSER.lexer(text)
    return tokens.map(token => token.raw).join('') === text ? tokens : undefined
  } catch {
    // Nesting some thousand levels deep overflows its stack.
    return undefined
  }
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === 'list') return (token as Tokens.List).items
  if (token.type === 'table')
    return [...(token as Tokens.Table).header, ...(token as Tokens.Table).rows.flat()].flatMap(cell => cell.tokens)
  return ('tokens' in token ? token.tokens : undefined) ?? []
}

/** What stands for itself, in order: tokens without others in them, and links and images as wholes. */
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

/** Leaves keep their order in the text, so that each is looked for behind the one before it. */
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

/** How a leaf is written so that it leads nowhere; undefined where it already does not, or only where it may. */
function safeForm(leaf: Token, hosts: readonly LinkHost[]): string | undefined {
  if (leaf.type === 'def') return leaf.raw.replace('[', '\\[')
  if (leaf.type === 'html') return withCode(leaf.raw.replaceAll('<', '\\<'), hosts)
  if (leaf.type === 'text') {
    const safe = withCode(leaf.raw, hosts)
    return safe === leaf.raw ? undefined : safe
  }
  if (leaf.type !== 'link' && leaf.type !== 'image') return undefined
  const link = leaf as Tokens.Link | Tokens.Image
  // A label is not looked into: only plain words, or the address itself, may stand on a link.
  const isPlain = link.text === link.href || !/[[\]<>`!]|:\/\/|www\./i.test(link.text)
  if (isPlain && isAllowedLink(link.href, hosts)) return undefined
  if (link.raw.startsWith('<')) return code(link.raw.slice(1, -1))
  return link.raw.startsWith('[') || link.raw.startsWith('!') ? unlinked(link) : code(link.raw)
}

/** `[label](address "title")` as its label and, in brackets, whatever stands behind it. One that the parser did not take as it is written loses its bracket. */
function unlinked({ raw, text: label }: Tokens.Link | Tokens.Image): string {
  const start = `${raw.startsWith('!') ? '!' : ''}[${label}](`
  if (!raw.startsWith(start) || !raw.endsWith(')')) return raw.replace('[', '\\[')
  const address = code(raw.slice(start.length, -1).replace(/^\s*<([^<>]*)>/, '$1'))
  if (label.trim() === '') return `(${address})`
  return `${CITATIONS.test(label) ? `[${label}]` : label} (${address})`
}

/** Addresses outside of the hosts as code. A quotation mark ends one: it may be an attribute's. */
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

function isCodeBlock(text: string): boolean {
  const [, fence = '', inside = ''] = /^(`{3,})\n([\s\S]*)\n\1\n$/.exec(text) ?? []
  return fence.length > longestRun(inside)
}

function isTangled(text: string): boolean {
  return text.split(/\n[ \t]*\n/).some(paragraph => (paragraph.match(MARK)?.length ?? 0) > MOST_MARKS)
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
