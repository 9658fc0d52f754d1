import { SIZES } from '../sizes.ts'

/**
 * A person's words, as `read` makes them of what a platform sent. A text longer than a message may be is cut to its beginning, and no pattern sees it. Either
 * way what is too long for a question stays too long, so that its author is told (`isTooLong`).
 */
export function writtenText(sent: string, read: (text: string) => string): string {
  return (sent.length > SIZES.message ? sent : read(sent)).slice(0, SIZES.question + 1)
}
