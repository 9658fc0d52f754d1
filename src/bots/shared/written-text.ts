import { SIZES } from '../../base/sizes.ts'

/**
 * A person's text, parsed by `read`. A text beyond the message limit is cut without parsing, so no pattern reads it. In either
 * case an overlong question stays overlong, so that its author is told (`isTooLong`).
 */
export function writtenText(sent: string, read: (text: string) => string): string {
  return (sent.length > SIZES.message ? sent : read(sent)).slice(0, SIZES.question + 1)
}
