import { errorCode } from '../../base/errors.ts'
import type { WarehouseError } from '../../warehouse/error.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import { nearText, shown } from '../../warehouse/guard/rejection.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import type { Explanation, QueryText } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { lastPart, qualifiedName } from '../../warehouse/table-names.ts'
import { SQLSTATES } from '../sqlstates.ts'

const UNKNOWN_COLUMN = /^column (.+) does not exist$/
const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/

/**
 * Explains an error of the server in one sentence, so that the model can correct its query. Similar names come from the schema,
 * because the server's own hints name private columns too.
 * @param query the query that failed; undefined if the guard's analysis failed, so that its tables are unknown
 */
export function explainFailure(error: WarehouseError, query: QueryText | undefined, schema: Schema): Explanation {
  const written = UNKNOWN_COLUMN.exec(error.message)?.[1]
  if (errorCode(error.cause) === SQLSTATES.unknown_name.undefined_column && written !== undefined) {
    return unknownColumn(lastPart(written.replaceAll('"', '')), query, schema)
  }
  const isFault = ERROR_ROUTES[error.kind].route === 'regenerate'
  return { message: isFault ? sentence(error.message) : error.message, suggestions: [] }
}

function unknownColumn(name: string, query: QueryText | undefined, schema: Schema): Explanation {
  const tables = schema.tables.filter(table => query === undefined || query.tables.includes(qualifiedName(table)))
  const columns = tables.flatMap(table =>
    table.columns.flatMap(column => (column.isPrivate ? [] : [{ name: column.name, table: qualifiedName(table) }])),
  )
  const names = columns.map(column => column.name)
  const near = nearNames(name, names)
  const named = near.flatMap(each => columns.filter(column => column.name === each))
  const suggestions = named.map(column => `${column.table}.${quoted(column.name)}`)
  const message = `There is no column ${shown(name)} where the query uses it${nearText(near.map(quoted))}.`
  return { message, suggestions, unknownColumn: name }
}

/** Writes a name as SQL needs it: with capitals, it must stand in double quotes. */
function quoted(name: string): string {
  return PLAIN_NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

/** Makes one line and a sentence of a server's message. */
function sentence(message: string): string {
  const text = message.replace(/[\s\p{C}]+/gu, ' ').trim()
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`
}
