import { SIZES } from '../sizes.ts'

/**
 * What a person wrote, as `read` makes it of what a platform sent. Of what is longer than a message may be, the beginning comes as it stands, and no pattern sees it. Either
 * way what is too long for a question stays too long, so that its author is told (`isTooLong`).
 */
export function writtenText(sent: string, read: (text: string) => string): string {
  return (sent.length > SIZES.message ? sent : read(sent)).slice(0, SIZES.question + 1)
}
