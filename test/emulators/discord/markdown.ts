/**
 * The visible text and the links of Discord's Markdown. Sources: reference, "Message Formatting"; support.discord.com 210298617.
 */
export interface ShownText {
  /** The text that people see, without Markdown symbols. */
  readonly plain: string
  /** All addresses that people can click, in order. */
  readonly links: readonly string[]
  /** Addresses for which Discord would show a preview. An address in `<>` gets none. */
  readonly unfolded: readonly string[]
}

export interface Names {
  user(id: string): string
  role(id: string): string
  channel(id: string): string
}

const FENCE = /```(?:[a-z0-9_+-]*\n)?([\s\S]*?)```/gi
const INLINE_CODE = /(`{1,2})(?!`)((?:(?!\1)[\s\S]|\1`)+?)\1(?!`)/g
const MASKED = /\[((?:[^[\]\\]|\\.)*)\]\(\s*<?((?:https?|discord):\/\/[^\s<>)]+)>?(?:\s+["'][^\n]*?["'])?\s*\)/g
const ANGLED = /<((?:https?|discord|mailto|tel|sms):[^\s<>]+)>/g
const ANGLED_EMAIL = /<([\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/g
const BARE = /(?:https?|discord):\/\/[^\s<]+[^<.,:;"'\]\s]/g
/** Matches invitations to Discord servers. Clients show a preview of them, even without `https://`. */
const INVITE = /\b(?:discord\.gg|discord(?:app)?\.com\/invite)\/[\w-]+/gi

/** Interprets Markdown as Discord's clients do. Text inside code stays unchanged. */
export function showMarkdown(text: string, names: Names): ShownText {
  const links: string[] = []
  const unfolded: string[] = []
  const kept: string[] = []
  /** Replaces a text with a placeholder. Later steps then find no Markdown in it. */
  const keep = (shown: string) => `\uE000${kept.push(shown) - 1}\uE000`
  const link = (address: string, shown: string, unfolds: boolean) => {
    links.push(address)
    if (unfolds) unfolded.push(address)
    return keep(shown)
  }

  const plain = text
    .replaceAll('\uE000', '')
    .replaceAll(FENCE, (_match, code: string) => keep(code.replace(/\n$/, '')))
    .replaceAll(INLINE_CODE, (_match, _ticks: string, code: string) => keep(code))
    .replaceAll(/\\([!-/:-@[-`{-~])/g, (_match, character: string) => keep(character))
    .replaceAll(MASKED, (_match, label: string, address: string) => link(address, label, true))
    .replaceAll(ANGLED, (_match, address: string) => link(address, address, false))
    .replaceAll(ANGLED_EMAIL, (_match, address: string) => link(address, address, false))
    .replaceAll(BARE, found => {
      const address = withoutStrayParenthesis(found)
      return link(address, address, true) + found.slice(address.length)
    })
    .replaceAll(INVITE, address => link(address, address, true))
    .replaceAll(/<@!?(\d{1,20})>/g, (_match, id: string) => keep(`@${names.user(id)}`))
    .replaceAll(/<@&(\d{1,20})>/g, (_match, id: string) => keep(`@${names.role(id)}`))
    .replaceAll(/<#(\d{1,20})>/g, (_match, id: string) => keep(`#${names.channel(id)}`))
    .replaceAll(/<\/([^:>]+):\d{1,20}>/g, (_match, name: string) => keep(`/${name}`))
    .replaceAll(/<a?(:\w+:)\d{1,20}>/g, (_match, name: string) => keep(name))
    .replaceAll(/<t:(-?\d+)(?::[tTdDfFsSR])?>/g, (_match, seconds: string) =>
      keep(new Date(Number(seconds) * 1000).toISOString()),
    )
    .replaceAll(/^(?:#{1,3}|-#|>{1}|>>>) /gm, '')
    .replaceAll(/(\*\*\*|\*\*|__|~~|\|\|)(?=\S)([\s\S]*?\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1')
    .replaceAll(/(?<![\w_])_(?=\S)([^_\n]*?\S)_(?![\w_])/g, '$1')
  return { plain: restore(plain, kept), links, unfolded }
}

/** Removes a closing parenthesis from the end of an address, unless the address also contains an opening one. */
function withoutStrayParenthesis(address: string): string {
  const isStray = address.endsWith(')') && address.split(')').length > address.split('(').length
  return isStray ? withoutStrayParenthesis(address.slice(0, -1)) : address
}

function restore(text: string, kept: readonly string[]): string {
  const restored = text.replaceAll(/\uE000(\d+)\uE000/g, (_match, index: string) => kept[Number(index)] ?? '')
  return restored.includes('\uE000') ? restore(restored, kept) : restored
}
