import { visibleText as withoutHidden } from '../visible-text.ts'

/** Text of which nothing is hidden, with two spaces for a tab. This and the loss of Markdown's own marks is all that rendering may change. */
export function visibleText(text: string): string {
  return withoutHidden(text).replaceAll('\t', '  ')
}

/** A text as one line of at most so many characters (UTF-16), the last of them an ellipsis where something was cut. */
export function shortLine(text: string, most: number): string {
  return cutText(visibleText(text).replace(/\s+/g, ' ').trim(), most)
}

/** At most so many characters (UTF-16), the last of them an ellipsis where something was cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most - 1)
  // A pair is not cut in two.
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`
}
