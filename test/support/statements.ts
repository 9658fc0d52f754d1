import { readFileSync } from 'node:fs'

/** Reads SQL statements from a file. Each ends with a semicolon at the end of a line. A comment has a line of its own. */
export function readStatements(file: URL): readonly string[] {
  return readFileSync(file, 'utf8')
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .filter(statement => statement.trim() !== '')
}
