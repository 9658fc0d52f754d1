import { unescapeText } from './message-payload.ts'
import type { Block } from './slack-model.ts'

/** The parts of a message that decide how it is shown. */
export interface Renderable {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly linkNames?: boolean
  readonly unfurlLinks?: boolean | undefined
  readonly unfurlMedia?: boolean | undefined
}

/** A piece of text in one of three syntaxes: Slack's own markup (`mrkdwn`), Markdown, or plain text. */
interface Fragment {
  readonly syntax: 'mrkdwn' | 'markdown' | 'plain'
  readonly text: string
}

const MARKUP = /<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/g
const BARE_URL = /\bhttps?:\/\/[^\s<>|"']+/g
/**
 * Matches addresses that Slack links by itself: hosts under well-known domains, hosts with a path, query or port, and e-mail addresses.
 */
const BARE_HOST = /\b(?:[a-z0-9-]+\.)+(?:(?:com|net|org|io|dev)\b|[a-z]{2,}(?=\/\w|\?\w|:\d))[^\s<>|"']*/gi
const BARE_EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const MARKDOWN_LINK = /!?\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)/g

/**
 * Returns the visible text without escapes. If there are blocks, their texts are visible; otherwise the message's `text` is. A mention is shown
 * as `@id`, and a link as its label.
 */
export function plainText(message: Renderable): string {
  const fragments = message.blocks.length > 0 ? message.blocks.map(blockText) : [mrkdwnText(message.text)]
  return fragments.filter(fragment => fragment !== '').join('\n')
}

/**
 * Returns all mentions: user ids, `subteam^S…`, and `channel`, `here`, `everyone`. Searches both the blocks and the text. So if it finds none,
 * nobody is notified, whichever of the two Slack shows.
 */
export function pings(message: Renderable): readonly string[] {
  const found = fragmentsOf(message).flatMap(fragment => fragmentPings(fragment, message.linkNames ?? false))
  return [...new Set([...found, ...message.blocks.flatMap(richTextPings)])]
}

/** Returns the addresses of all links and images, in order. */
export function links(message: Renderable): readonly string[] {
  const found = fragmentsOf(message).flatMap(fragmentLinks)
  return [...new Set([...found, ...message.blocks.flatMap(structuredLinks)])]
}

/**
 * Whether Slack would show a preview of a link. According to docs.slack.dev/messaging/unfurling-links-in-messages, an app's link to text gets a
 * preview only with `unfurl_links: true`. A link to media gets one unless `unfurl_media` is false. An address alone does not show which kind it
 * is.
 */
export function wouldUnfurl(message: Renderable): boolean {
  return links(message).length > 0 && (message.unfurlLinks === true || message.unfurlMedia !== false)
}

function blockText(block: Block): string {
  const rows = block.rows
  if (Array.isArray(rows)) {
    const lines = rows.map(row => (Array.isArray(row) ? row.map(cell => shownText(cell)).join(' | ') : ''))
    return [typeof block.caption === 'string' ? block.caption : '', ...lines].filter(line => line !== '').join('\n')
  }
  if (block.type === 'markdown') return unescapeText(String(block.text))
  if (block.type === 'data_visualization') return `${String(block.title)}\n${JSON.stringify(block.chart)}`
  return shownText(block)
}

/** Returns all texts inside a block, in order and at any depth. */
function shownText(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(shownText)
      .filter(text => text !== '')
      .join('\n')
  if (!isRecord(value)) return ''
  switch (value.type) {
    case 'mrkdwn':
      return mrkdwnText(String(value.text))
    case 'plain_text':
    case 'raw_text':
    case 'raw_number':
    case 'text':
      return String(value.text)
    case 'link':
      return String(value.text ?? value.url)
    case 'user':
      return `@${String(value.user_id)}`
    case 'usergroup':
      return `@${String(value.usergroup_id)}`
    case 'broadcast':
      return `@${String(value.range)}`
    case 'channel':
      return `#${String(value.channel_id)}`
    case 'emoji':
      return `:${String(value.name)}:`
    case 'image':
      return `[image: ${String(value.alt_text)}]`
    case 'rich_text_section':
    case 'rich_text_quote':
    case 'rich_text_preformatted':
      return Array.isArray(value.elements) ? value.elements.map(shownText).join('') : ''
    default:
      return ['text', 'label', 'hint', 'fields', 'elements', 'accessory', 'positive_button', 'negative_button', 'title']
        .map(key => shownText(value[key]))
        .filter(text => text !== '')
        .join('\n')
  }
}

function mrkdwnText(text: string): string {
  const shown = text.replaceAll(MARKUP, (_match, sigil: string, target: string, label: string | undefined) => {
    if (sigil === '@') return `@${target}`
    if (sigil === '#') return `#${target}`
    if (sigil === '!') return target.startsWith('date^') ? (label ?? target) : `@${target}`
    return label ?? target
  })
  return unescapeText(shown)
}

function fragmentsOf(message: Renderable): readonly Fragment[] {
  return [{ syntax: 'mrkdwn', text: message.text }, ...message.blocks.flatMap(collectFragments)]
}

function collectFragments(value: unknown): readonly Fragment[] {
  if (Array.isArray(value)) return value.flatMap(collectFragments)
  if (!isRecord(value)) return []
  const text = value.text
  if (value.type === 'markdown' && typeof text === 'string') return [{ syntax: 'markdown', text }]
  if (value.type === 'mrkdwn' && typeof text === 'string') return [{ syntax: 'mrkdwn', text }]
  return Object.values(value).flatMap(collectFragments)
}

function fragmentPings(fragment: Fragment, linkNames: boolean): readonly string[] {
  const found = [...fragment.text.matchAll(MARKUP)].flatMap(([, sigil, target]) => pingTarget(sigil ?? '', target ?? ''))
  const named = linkNames ? [...fragment.text.matchAll(/@(channel|here|everyone)\b/g)].flatMap(match => match[1] ?? []) : []
  return [...found, ...named]
}

function pingTarget(sigil: string, target: string): readonly string[] {
  if (sigil === '@') return [target]
  if (sigil !== '!') return []
  return /^(channel|here|everyone|group|subteam\^)/.test(target) ? [target] : []
}

function richTextPings(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(richTextPings)
  if (!isRecord(value)) return []
  if (value.type === 'user') return [String(value.user_id)]
  if (value.type === 'usergroup') return [`subteam^${String(value.usergroup_id)}`]
  if (value.type === 'broadcast') return [String(value.range)]
  return Object.values(value).flatMap(richTextPings)
}

function fragmentLinks(fragment: Fragment): readonly string[] {
  const marked = [...fragment.text.matchAll(MARKUP)]
    .filter(match => match[1] === '' && /^(https?|mailto|tel|slack|ftp):/i.test(match[2] ?? ''))
    .map(match => match[2] ?? '')
  const markdown = fragment.syntax === 'markdown' ? [...fragment.text.matchAll(MARKDOWN_LINK)].map(match => match[2] ?? '') : []
  const rest = fragment.text.replaceAll(MARKUP, ' ').replaceAll(MARKDOWN_LINK, ' ')
  const bare = rest.match(BARE_URL) ?? []
  const others = rest.replaceAll(BARE_URL, ' ')
  return [...marked, ...markdown, ...bare, ...(others.match(BARE_HOST) ?? []), ...(others.match(BARE_EMAIL) ?? [])].map(
    unescapeText,
  )
}

function structuredLinks(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(structuredLinks)
  if (!isRecord(value)) return []
  const own = ['url', 'image_url'].map(key => value[key]).filter(address => typeof address === 'string')
  return [...own, ...Object.values(value).flatMap(structuredLinks)]
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
