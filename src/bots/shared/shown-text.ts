import { visibleText as withoutHidden } from '../../base/text/visible-text.ts'

/** Removes hidden characters, and replaces each tab with two spaces. Rendering later removes nothing but Markdown markup. */
export function shownText(text: string): string {
  return withoutHidden(text).replaceAll('\t', '  ')
}

/** Puts a text on one line of at most `most` UTF-16 units. A cut text ends with an ellipsis. */
export function shortLine(text: string, most: number): string {
  return cutText(shownText(text).replace(/\s+/g, ' ').trim(), most)
}

/** Cuts a text to at most `most` UTF-16 units. A cut text ends with an ellipsis. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most - 1)
  // The cut never splits a surrogate pair.
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`
}
