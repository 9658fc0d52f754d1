import { ConfigurationError } from '../base/errors.ts'

/** The SQL dialects, one for each kind of data source. Each has a file in `prompts/dialects/`. */
export const DIALECTS = ['clickhouse', 'postgres'] as const
export type Dialect = (typeof DIALECTS)[number]

/** The parts of a dialect's file. A prompt includes a part with a placeholder of its name. */
const PARTS = ['engine', 'ties', 'latest', 'rules', 'less'] as const
const HEADING = /^<!-- ([a-z]+) -->\n/m
const PLACES = new RegExp(String.raw`\{\{\s*(${PARTS.join('|')})\s*\}\}`, 'g')

/** The parts of a dialect by name, such as the rules of its SQL. */
export type DialectParts = ReadonlyMap<string, string>

/**
 * Parses the file of a dialect. Each part begins with a line such as `<!-- rules -->`.
 * @throws ConfigurationError that names the file, and the missing or unknown part
 */
export function readDialect(path: string, text: string): DialectParts {
  const [before = '', ...pieces] = text.split(HEADING)
  const parts = new Map<string, string>()
  for (let at = 0; at < pieces.length; at += 2) parts.set(pieces[at] ?? '', (pieces[at + 1] ?? '').trim())
  const missing = PARTS.find(name => !parts.has(name))
  const unknown = [...parts.keys()].find(name => !PARTS.some(part => part === name))
  if (before.trim() !== '') throw new ConfigurationError(`The prompt ${path} must begin with a line "<!-- ${PARTS[0]} -->".`)
  if (missing !== undefined) throw new ConfigurationError(`The prompt ${path} lacks the part "<!-- ${missing} -->".`)
  if (unknown !== undefined) {
    throw new ConfigurationError(`The prompt ${path} has the unknown part "<!-- ${unknown} -->"; known are ${PARTS.join(', ')}.`)
  }
  return parts
}

/** Replaces the placeholders of a dialect's parts in the text of a prompt. */
export function inDialect(text: string, parts: DialectParts): string {
  return text.replace(PLACES, (_, name: string) => parts.get(name) ?? '')
}
