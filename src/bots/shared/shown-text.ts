import { visibleText as withoutHidden } from '../../base/visible-text.ts'

/** Removes hidden characters and replaces tabs by two spaces. Rendering may change nothing else except Markdown's marks. */
export function shownText(text: string): string {
  return withoutHidden(text).replaceAll('\t', '  ')
}

/** A text on one line of at most `most` UTF-16 units. A cut ends with an ellipsis. */
export function shortLine(text: string, most: number): string {
  return cutText(shownText(text).replace(/\s+/g, ' ').trim(), most)
}

/** At most `most` UTF-16 units. A cut ends with an ellipsis. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most - 1)
  // Keeps surrogate pairs whole.
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`
}
