import { SIZES } from '../../base/sizes.ts'
import { RunError } from './error.ts'

export function isTooLong(question: string): boolean {
  return question.length > SIZES.question
}

/**
 * Checks the length of a question.
 * @throws RunError if the question is too long
 */
export function checkLength(question: string): void {
  if (isTooLong(question)) throw RunError.tooLong()
}
