import { readFileSync } from 'node:fs'

/** The statements of a world: each ends in a semicolon at the end of a line; a comment takes a line of its own. */
export function readStatements(file: URL): readonly string[] {
  return readFileSync(file, 'utf8')
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .filter(statement => statement.trim() !== '')
}
