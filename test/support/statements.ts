import { readFileSync } from 'node:fs'

/** Reads SQL statements. Each ends in a semicolon at the end of a line. A comment has its own line. */
export function readStatements(file: URL): readonly string[] {
  return readFileSync(file, 'utf8')
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .filter(statement => statement.trim() !== '')
}
