import { SIZES } from '../../base/sizes.ts'

/**
 * Parses a person's text with `read`. A text beyond the message limit is only cut, so that no pattern runs over it. The cut text is still above the
 * limit of a question, so `isTooLong` finds it and the author is told.
 */
export function writtenText(sent: string, read: (text: string) => string): string {
  return (sent.length > SIZES.message ? sent : read(sent)).slice(0, SIZES.question + 1)
}
