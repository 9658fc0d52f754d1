import { shownText } from '../shared/shown-text.ts'

/**
 * Replaces `&`, `<` and `>` with entities such as `&amp;`. Source: docs.slack.dev/messaging/formatting-message-text, "Escaping
 * text".
 */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function unescapeText(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name: string) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'))
}

function linkText(url: string, label: string | undefined): string {
  if (label === undefined) return url.replace(/^mailto:/, '')
  return url.endsWith(label) || label === '' ? label || url : `${label} (${url})`
}

function tokenText(token: string): string {
  const bar = token.indexOf('|')
  const target = bar < 0 ? token : token.slice(0, bar)
  const label = bar < 0 ? undefined : token.slice(bar + 1)
  const sigil = target[0]
  const named = label === undefined || label === '' ? target.slice(1) : label
  if (sigil === '@' || sigil === '#') return named.startsWith(sigil) ? named : sigil + named
  if (sigil !== '!') return linkText(target, label)
  if (target.startsWith('!date^')) return label ?? ''
  const name = named.replace(/^subteam\^/, '')
  return name.startsWith('@') ? name : `@${name}`
}

/**
 * Matches mentions and addresses. In messages, Slack sends all other angle brackets as entities. In commands, it may send them
 * unchanged.
 */
const MARKUP = /<([@#!][^<>]*|[a-z][a-z0-9+.-]*:[^\s<>|]*(?:\|[^<>]*)?)>/gi

/**
 * Returns a message's text as a person reads it. Mentions of the bot are removed. Other markup (`<@U1|name>`, `<#C1|name>`,
 * `<https://…|label>`, `<!date^…|fallback>`, `<!here>`) becomes plain text. Entities are decoded once.
 */
export function plainTextOf(text: string, botUser: string): string {
  const spoken = text.replace(MARKUP, (_, token: string) => {
    const isBot = token === `@${botUser}` || token.startsWith(`@${botUser}|`)
    return isBot ? '' : tokenText(token)
  })
  return shownText(unescapeText(spoken))
    .trim()
    .replace(/^[,:]\s*/, '')
}
