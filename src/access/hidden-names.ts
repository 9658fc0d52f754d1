import { splitTokens } from '../clickhouse/guard/sql-tokens.ts'
import type { TableName, TableSchema } from '../clickhouse/schema.ts'

/** What separates the names in a text. */
const BETWEEN_NAMES = /[^\p{L}\p{N}_$]+/u
const PLAIN_NAME = /^[\p{L}\p{N}_$]+$/u

/**
 * The names of tables that somebody may not see: those of the catalog, and those behind the views that they may see. A text that holds one is not for
 * them, whoever wrote it: a comment in the schema, the operator's glossary, the server.
 */
export class HiddenNames {
  /** In lower case, as one word. */
  readonly #words: ReadonlySet<string>
  /** In lower case: `database.table` where a visible table has the same name, and names that are no single word. */
  readonly #phrases: readonly string[]

  constructor(hidden: readonly TableName[], visible: readonly TableSchema[]) {
    const own = new Set(visible.map(({ name }) => name.toLowerCase()))
    const seen = new Set(visible.map(qualified))
    const behind = visible.flatMap(({ viewDefinition, linked }) => [...tablesIn(viewDefinition), ...(linked ? [linked] : [])])
    const words = new Set<string>()
    const phrases = new Set<string>()
    for (const table of [...hidden, ...behind]) {
      if (seen.has(qualified(table))) continue
      const name = table.name.toLowerCase()
      if (own.has(name)) phrases.add(qualified(table).toLowerCase())
      else if (PLAIN_NAME.test(name)) words.add(name)
      else phrases.add(name)
    }
    this.#words = words
    this.#phrases = [...phrases]
  }

  /** Whether a text names one of them, in whatever case, quoted or not. */
  areIn(text: string): boolean {
    if (text === '') return false
    const plain = text.toLowerCase()
    if (plain.split(BETWEEN_NAMES).some(word => this.#words.has(word))) return true
    if (this.#phrases.length === 0) return false
    const unquoted = plain.replace(/[`"]/g, '').replace(/(?<=\.)\s+|(?<!\s)\s+(?=\.)/g, '')
    return this.#phrases.some(phrase => plain.includes(phrase) || unquoted.includes(phrase))
  }

  /** The text, or nothing where it names one of them. */
  without(text: string): string {
    return this.areIn(text) ? '' : text
  }

  /** The lines of a text that name none of them; lines that are indented belong to the one above. */
  linesWithout(text: string): string {
    return text
      .split(/\n(?!\s)/)
      .filter(lines => !this.areIn(lines))
      .join('\n')
  }
}

/** The tables that a view reads, as far as they stand behind FROM, JOIN or IN: the server writes each with its database. Those of the catalog are known anyway. */
function tablesIn(definition: string): readonly TableName[] {
  const tokens = definition === '' ? [] : (splitTokens(definition) ?? [])
  return tokens.flatMap(({ text, kind }, at) => {
    const [database, dot, name] = tokens.slice(at + 1, at + 4)
    if (kind !== 'word' || !READS.has(text.toUpperCase()) || database === undefined || dot?.text !== '.') return []
    return name === undefined ? [] : [{ database: database.value, name: name.value }]
  })
}

const READS: ReadonlySet<string> = new Set(['FROM', 'JOIN', 'IN'])

function qualified({ database, name }: TableName): string {
  return `${database}.${name}`
}
