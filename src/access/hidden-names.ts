import { visibleText } from '../base/text/visible-text.ts'
import type { TableName, TableSchema } from '../warehouse/schema.ts'
import { splitTokens } from '../warehouse/sql/sql-tokens.ts'
import { qualifiedName } from '../warehouse/table-names.ts'

const BETWEEN_NAMES = /[^\p{L}\p{N}_$]+/u
const PLAIN_NAME = /^[\p{L}\p{N}_$]+$/u
/** Matches engines whose tables read no other table. */
const OWN_ROWS = /(?:MergeTree|Log|^Memory|^Set)$/

/**
 * The names of tables that the asker may not see, including hidden tables behind a visible view. A text with a hidden name must
 * not reach the asker, for example a schema comment, a glossary entry or a server's message.
 */
export class HiddenNames {
  /** Hidden names that consist of one word, in lower case. */
  readonly #words: ReadonlySet<string>
  /**
   * All other hidden names, in lower case, such as `order items`. If a visible table has the same name in another database, the
   * hidden one is listed as `database.table`, because the bare name may mean the visible table.
   */
  readonly #phrases: readonly string[]
  /** The visible tables, by `database.table`. */
  readonly #visible: ReadonlyMap<string, TableSchema>

  constructor(hidden: readonly TableName[], visible: readonly TableSchema[]) {
    const own = new Set(visible.map(({ name }) => name.toLowerCase()))
    this.#visible = new Map(visible.map(table => [qualifiedName(table), table]))
    const behind = visible.flatMap(({ viewDefinition, linked }) => [...tablesIn(viewDefinition), ...(linked ? [linked] : [])])
    const words = new Set<string>()
    const phrases = new Set<string>()
    for (const table of [...hidden, ...behind]) {
      if (this.#visible.has(qualifiedName(table))) continue
      const name = table.name.toLowerCase()
      if (own.has(name)) phrases.add(qualifiedName(table).toLowerCase())
      else if (PLAIN_NAME.test(name)) words.add(name)
      else phrases.add(name)
    }
    this.#words = words
    this.#phrases = [...phrases]
  }

  /** Whether a text contains a hidden name. Ignores case, quotes and invisible characters. */
  areIn(text: string): boolean {
    if (text === '') return false
    const plain = plainText(text)
    if (plain.split(BETWEEN_NAMES).some(word => this.#words.has(word))) return true
    if (this.#phrases.length === 0) return false
    const unquoted = plain.replace(/[`"]/g, '').replace(/(?<=\.)\s+|(?<!\s)\s+(?=\.)/g, '')
    return this.#phrases.some(phrase => plain.includes(phrase) || unquoted.includes(phrase))
  }

  /**
   * Whether a query reads a table through which the engine reads hidden ones, or may do so, such as a view. A server's error about it may then
   * name them. Errors of other queries can only repeat names that the query itself contains or makes.
   */
  areBehind(query: string): boolean {
    const asked = plainText(query)
    const words = new Set(asked.split(BETWEEN_NAMES))
    return [...this.#visible.values()].some(table => {
      const name = table.name.toLowerCase()
      return (PLAIN_NAME.test(name) ? words.has(name) : asked.includes(name)) && this.#isVeil(table)
    })
  }

  /** @param over the views that read the table, from the outermost on */
  #isVeil(table: TableSchema, over: readonly TableSchema[] = []): boolean {
    const { engine, viewDefinition, linked, columns } = table
    if (columns.some(({ computed }) => computed !== undefined && this.areIn(computed.expression))) return true
    const reads = viewDefinition === '' ? [linked ?? []].flat() : tablesIn(viewDefinition)
    if (reads.length === 0) return !OWN_ROWS.test(engine)
    if (this.areIn(viewDefinition) || over.includes(table)) return true
    return reads.some(read => {
      const inner = this.#visible.get(qualifiedName(read))
      return inner === undefined || this.#isVeil(inner, [...over, table])
    })
  }

  /** Returns the text, or an empty string if it contains a hidden name. */
  without(text: string): string {
    return this.areIn(text) ? '' : text
  }

  /** Removes each line with a hidden name, and the more deeply indented lines below it. */
  linesWithout(text: string): string {
    return text
      .split(/\n(?!\s)/)
      .filter(lines => !this.areIn(lines))
      .join('\n')
  }
}

/** A hidden name may contain invisible characters. Prompts remove these, so the search must remove them too. */
function plainText(text: string): string {
  return visibleText(text).toLowerCase()
}

/** Finds the tables after FROM, JOIN or IN in a view's definition. The server always stores a table name with its database. */
function tablesIn(definition: string): readonly TableName[] {
  const tokens = definition === '' ? [] : (splitTokens(definition) ?? [])
  return tokens.flatMap(({ text, kind }, at) => {
    const [database, dot, name] = tokens.slice(at + 1, at + 4)
    if (kind !== 'word' || !READS.has(text.toUpperCase()) || database === undefined || dot?.text !== '.') return []
    return name === undefined ? [] : [{ database: database.value, name: name.value }]
  })
}

const READS: ReadonlySet<string> = new Set(['FROM', 'JOIN', 'IN'])
