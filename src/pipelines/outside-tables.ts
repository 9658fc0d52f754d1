import type { TableName } from '../warehouse/schema.ts'
import { namedTables } from './named-tables.ts'
import { MAKES_ROWS } from './table-functions.ts'
import type { PipelineTables } from './tables.ts'

/** The placeholder database of a template's tables during the check. No real database can have this name. */
const STAND_IN = 'a job'

/** Matches functions that read an object by its name, such as `dictGet('rates', …)`. The first argument is the name. */
export const READS_BY_NAME = /^(?:dictGet|dictHas|dictIsIn|joinGet|file$)/

/** Returns the name of the placeholder table for an input or operation, as it is used during the check. */
export function placeholderTable(name: string): string {
  return `\`${STAND_IN}\`.\`${name}\``
}

/**
 * Finds tables that an operation reads although they are neither inputs nor operations of its job. They are refused, because the
 * log would not show that they were read.
 * @param lines `EXPLAIN QUERY TREE run_passes = 0` of the operation, with `placeholderTable` for its placeholders
 * @returns one sentence of advice per table
 */
export async function outsideReads(
  lines: readonly string[],
  tables: PipelineTables,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const named = namedTables(lines)
  const isOutside = (name: string) => !name.startsWith(`${STAND_IN}.`)
  const beside = named.besideIn.filter(isOutside).map(name => tableOf(name, tables))
  const there = beside.length === 0 ? [] : await tables.findAll(beside, signal)
  const all = [...named.tables.filter(isOutside).map(name => tableOf(name, tables)), ...there.map(({ table }) => table)]
  return [
    ...new Set(all.map(table => tableSentence(table, tables.database))),
    ...named.tableFunctions
      .filter(name => !MAKES_ROWS.has(name.toLowerCase()))
      .map(
        name =>
          `it reads rows by ${name}(), which no log would have: load them as an input, \`source: SELECT * FROM ${name}(…)\``,
      ),
    ...named.functions
      .filter(name => READS_BY_NAME.test(name))
      .map(
        name =>
          `it reads by ${name}() what no log would have: load that as an input, e.g. \`source: SELECT * FROM dictionary(…)\`, and join it`,
      ),
  ]
}

/** Returns the table that a name in a job's SQL means. A name without a database means a table of the pipelines' database. */
export function tableOf(identifier: string, { database }: PipelineTables): TableName {
  const dot = identifier.indexOf('.')
  return dot < 0 ? { database, name: identifier } : { database: identifier.slice(0, dot), name: identifier.slice(dot + 1) }
}

function tableSentence({ database, name }: TableName, own: string): string {
  const input = database === own ? `{ table: ${name} }` : `{ source: SELECT … FROM ${database}.${name} }`
  return `it reads ${database}.${name} directly, which no log would show: make it an input, e.g. \`${name}: ${input}\`, and read it as {{ ${name} }}`
}
