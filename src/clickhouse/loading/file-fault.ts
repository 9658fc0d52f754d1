import { WarehouseError } from '../../warehouse/error.ts'
import { LoadError } from './error.ts'

/**
 * Patterns for the engine's error messages about files, each with a text for people. In the text, `$1` stands for the column's name that the
 * pattern captures, or for the line of the row that the message names.
 */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/the file is empty|Cannot read rows from the data/, 'it has no rows'],
  [/Duplicate column name[^"]{0,1000}"([^"]*)"/, 'two of its columns are called `$1`: give each a name of its own'],
  [
    /expected '.{1,2}' (?:at end of stream|before: '[^\\\n])/,
    'line $1 does not end as it should: a quote in it is not closed, or one is too many',
  ],
  [
    /expected '.{1,2}' before: '\\n/,
    'line $1 has fewer values than there are columns: complete it, or quote line ends within values',
  ],
  [/Expected end of line/, 'line $1 has more values than there are columns: quote values that have a delimiter in them'],
  [
    / for column '([^']*)' in file [\s\S]{0,1000}? differs from type/,
    'the column `$1` has not the same type in all of them: make them alike, or load each into a table of its own',
  ],
  [
    /Rows have different amount of values|number of column names \d+ differs/,
    'not all of its rows have as many values as there are columns',
  ],
]

/** Whether the engine refuses a file because two of its columns have the same name. */
export function isNameTwice(error: unknown): boolean {
  return error instanceof WarehouseError && error.message.includes('Duplicate column name')
}

/** Returns the number of the row that the engine's message names, if it does. The row below the header is row 1. */
export function faultyRow(error: WarehouseError): number | undefined {
  const row = /\(at row (\d+)\)/.exec(error.message)?.[1]
  return row === undefined ? undefined : Number(row)
}

/**
 * Explains in one sentence why the engine cannot read a file. Only this code parses the engine's errors about files.
 * @param line the line in which the row begins that the message names
 */
export function fileFault(name: string, error: WarehouseError, line?: number): LoadError {
  for (const [pattern, words] of FAULTS) {
    const match = pattern.exec(error.message)
    const named = match?.[1] ?? line?.toString()
    if (match !== null && (named !== undefined || !words.includes('$1')))
      return new LoadError(`${name} cannot be loaded: ${words.replace('$1', () => named ?? '')}.`, { cause: error })
  }
  return new LoadError(`${name} cannot be loaded: ${plainWords(error.message)}.`, { cause: error })
}

/** Removes the parts of an engine's message that do not help people: internal names, versions and paths. */
function plainWords(message: string): string {
  const inner = message.split(/Code: \d+\. DB::\w*Exception: /).at(-1) ?? message
  const [line = ''] = inner.replace(/(?<!\s)\s*\(in file\/uri [\s\S]*$/, '').split('\n')
  return line.replace(/(?<!\s)\s*\((?:version [^)]{0,100}|[A-Z_]+)\)/g, '').replace(/(?<![.:\s])[.:\s]+$/, '')
}
