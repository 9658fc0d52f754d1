import { LoadError } from './error.ts'
import type { FileSurvey } from './survey-files.ts'

interface SurveyedFile {
  /** The file's name for messages. */
  readonly name: string
  readonly columns: FileSurvey['columns']
}

/**
 * Checks that files for one table have the same columns, in any order.
 * @throws LoadError if they differ
 */
export function checkAlike(first: SurveyedFile, other: SurveyedFile): void {
  const name = onlyIn(first, other) ?? onlyIn(other, first)
  if (name === undefined) return
  throw new LoadError(
    `${first.name} and ${other.name} do not have the same columns (${name} is in one only): load each into a table of its own.`,
  )
}

function onlyIn(one: SurveyedFile, other: SurveyedFile): string | undefined {
  return one.columns.find(({ name }) => !other.columns.some(each => each.name === name))?.name
}
