import { SIZES } from '../../base/sizes.ts'

/**
 * Parses a person's text with `read`. A text beyond the message limit is cut but not parsed, because patterns would take too long
 * on it. The cut text is still above the limit for questions. So `isTooLong` finds it, and its author is told.
 */
export function writtenText(sent: string, read: (text: string) => string): string {
  return (sent.length > SIZES.message ? sent : read(sent)).slice(0, SIZES.question + 1)
}
