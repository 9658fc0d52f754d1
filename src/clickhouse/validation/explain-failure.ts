import type { WarehouseError } from '../../warehouse/error.ts'
import { nearText, shown } from '../../warehouse/guard/rejection.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import type { Explanation, QueryText } from '../../warehouse/query-validator.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import { lastPart, qualifiedName } from '../../warehouse/table-names.ts'
import { type EngineComplaint, readEngineComplaint } from './engine-complaint.ts'
import { explainUnknownColumn } from './unknown-column.ts'

/**
 * Explains an error of the engine in one or two sentences, so that the model can correct its query. Suggests similar names from
 * the schema. If there is nothing better, returns the first sentence of the engine's message.
 */
export function explainFailure(
  error: Pick<WarehouseError, 'serverCode' | 'message'>,
  query: QueryText,
  schema: Schema,
): Explanation {
  const complaint = readEngineComplaint(error.serverCode, error.message)
  const tables = query.tables.flatMap(name => schema.tables.find(table => qualifiedName(table) === name) ?? [])
  switch (complaint.kind) {
    case 'unknown_column':
      return { ...explainUnknownColumn(complaint, query, { read: tables, all: schema.tables }), unknownColumn: complaint.name }
    case 'unknown_table':
      return unknownTable(complaint.name, schema)
    case 'unknown_database':
      return missing(
        'database',
        complaint.name,
        nearNames(
          complaint.name,
          schema.tables.map(table => table.database),
        ),
      )
    case 'unknown_function':
    case 'unknown_type':
      return missing(complaint.kind === 'unknown_function' ? 'function' : 'data type', complaint.name, complaint.near)
    case 'ambiguous':
      return ambiguous(complaint.name, tables)
    case 'not_grouped':
      return plainly(
        `The column ${shown(complaint.name)} is neither in GROUP BY nor inside an aggregate function: group by it, or aggregate it.`,
      )
    case 'misplaced':
      return plainly(misplaced(complaint))
    case 'incomparable':
      return plainly(incomparable(complaint))
    case 'other':
      return plainly(complaint.sentence)
  }
}

function plainly(message: string): Explanation {
  return { message, suggestions: [] }
}

function incomparable({ left, right, by, reason }: Extract<EngineComplaint, { kind: 'incomparable' }>): string {
  const [first, second] = [left, right].map(({ text, type }) => `${shown(text)} (${shown(type)})`)
  return `${first} cannot be compared with ${second} by ${by}: ${reason}`
}

function misplaced({ call, isWindow, place }: Extract<EngineComplaint, { kind: 'misplaced' }>): string {
  const subject = `The ${isWindow ? 'window' : 'aggregate'} function ${shown(call)}`
  if (place.startsWith('inside')) {
    return `${subject} stands inside another function that aggregates: compute it in a subquery, and aggregate that one's result.`
  }
  const advice = isWindow
    ? 'compute it in a subquery and filter its result outside'
    : place === 'in WHERE' || place === 'in PREWHERE'
      ? 'filter on it in HAVING'
      : 'compute it in a subquery first'
  return `${subject} cannot stand ${place}: ${advice}.`
}

function unknownTable(name: string, schema: Schema): Explanation {
  const own = lastPart(name)
  const near = nearNames(
    own,
    schema.tables.map(table => table.name),
  )
  const tables = schema.tables
    .filter(table => near.includes(table.name))
    .sort((a, b) => near.indexOf(a.name) - near.indexOf(b.name))
  // The engine does not know a table of this name. If the schema still has one, it has just been dropped, so it is not suggested.
  return missing(
    'table',
    name,
    tables.map(qualifiedName).filter(table => table !== name && lastPart(table) !== own),
  )
}

function ambiguous(name: string, tables: readonly TableSchema[]): Explanation {
  const owners = tables.filter(table => table.columns.some(column => column.name === name)).map(qualifiedName)
  const where = owners.length > 1 ? ` (${owners.map(shown).join(', ')} have it)` : ''
  const message = `The name ${shown(name)} is ambiguous${where}: write it with the alias of the table that is meant.`
  return { message, suggestions: owners.map(owner => `${owner}.${name}`) }
}

function missing(what: string, name: string, near: readonly string[]): Explanation {
  return { message: `There is no ${what} ${shown(name)}${nearText(near)}.`, suggestions: near }
}
