import { shownText } from '../shared/shown-text.ts'

/** Matches characters that are markup only at the start of a line: headings, small print, quotes, list items. */
const LINE_START = /^([^\S\n\r\u2028\u2029]*)(#{1,3}(?=\s)|-#|>|[-+](?=\s)|\d+(?=[.)]\s))/gm
/** Matches the first colon of a name such as `:smile:`. It is escaped, because a client may show such a name as a picture. */
const EMOJI_NAME = /:(?=[\w+-]{2,32}:)/g
/**
 * Matches the dot in an invitation's address, such as `discord.gg/abc`. It is escaped, because Discord links such an address even
 * without `https://`.
 */
const INVITATION = /(?<=discord)\.(?=gg\/)|(?<=discord(?:app)?)\.(?=com\/invite)/gi

/**
 * Escapes a text so that Discord shows it literally: markup, mentions (`<@1>`, `<#1>`, `<:name:1>`, `<t:1>`), masked links and
 * addresses. A back-tick becomes a similar letter, because some clients treat even an escaped back-tick as the start or end of
 * code. Source: discord.com/developers/docs/reference, "Message Formatting"; support.discord.com 210298617.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\*_~|<]/g, '\\$&')
    .replaceAll('`', 'ˋ')
    .replaceAll('://', ':\\//')
    .replaceAll('](', ']\\(')
    .replace(EMOJI_NAME, '\\:')
    .replace(INVITATION, '\\.')
    .replace(/@(?=everyone|here)/g, '\\@')
    .replace(LINE_START, (_, indent: string, mark: string) => (/^\d/.test(mark) ? `${indent}${mark}\\` : `${indent}\\${mark}`))
}

/** Names of mentioned people and channels, by id. */
export interface MentionNames {
  readonly users: ReadonlyMap<string, string>
  channel(id: string): string | undefined
}

/**
 * Returns a message's text as a person reads it. Mentions of the bot, by user or role, are removed. Other markup (`<@1>`, `<#1>`,
 * `<:name:1>`, `<t:1:R>`, `</ask:1>`) becomes plain text.
 */
export function plainTextOf(text: string, botMentions: ReadonlySet<string>, names: MentionNames): string {
  const spoken = text
    .replace(/<@([!&]?)(\d{1,20})>/g, (_, sigil: string, id: string) => {
      if (botMentions.has(sigil === '&' ? `&${id}` : id)) return ''
      return sigil === '&' ? '@role' : `@${names.users.get(id) ?? 'somebody'}`
    })
    .replace(/<#(\d{1,20})>/g, (_, id: string) => `#${names.channel(id) ?? 'channel'}`)
    .replace(/<a?(:\w{1,40}:)\d{1,20}>/g, '$1')
    .replace(/<\/([^:<>]{1,100}):\d{1,20}>/g, '/$1')
    .replace(/<t:(-?\d{1,13})(?::[a-zA-Z])?>/g, (written, seconds: string) => timeText(Number(seconds)) ?? written)
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '$1')
  return shownText(spoken)
    .trim()
    .replace(/^[,:]\s*/, '')
}

function timeText(seconds: number): string | undefined {
  const time = new Date(seconds * 1_000)
  return Number.isNaN(time.getTime()) ? undefined : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
