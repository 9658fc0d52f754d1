import { SIZES } from '../../base/sizes.ts'

/**
 * Parses a person's text with `read`. A text beyond the message limit is cut without parsing, so that no pattern runs over it. In both cases an
 * overlong question stays overlong, so that `isTooLong` finds the question and its author is told.
 */
export function writtenText(sent: string, read: (text: string) => string): string {
  return (sent.length > SIZES.message ? sent : read(sent)).slice(0, SIZES.question + 1)
}
