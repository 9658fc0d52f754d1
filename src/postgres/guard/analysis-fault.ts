import { z } from 'zod'
import { errorCode } from '../../base/errors.ts'
import { shown } from '../../warehouse/guard/rejection.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import { kindOfSqlState, SQLSTATES } from '../sqlstates.ts'
import { refuse, refuseConversion, refuseTable, refuseType } from './refusal.ts'
import { dottedNameAt, type SqlText, splitSql } from './sql-text.ts'

const faultSchema = z.object({ message: z.string(), position: z.coerce.number().optional(), where: z.string().optional() })

const { undefined_table, undefined_object, invalid_schema_name } = SQLSTATES.unknown_name
const { undefined_function, ambiguous_function, cannot_coerce } = SQLSTATES.type
const { insufficient_privilege } = SQLSTATES.denied
const NOT_AVAILABLE =
  'The query names something that is not available: use only the tables, columns and types of the schema, and built-in functions.'

/**
 * Refuses a query by an error of the server's analysis. The refusal reads the same whether a hidden table, type or function exists
 * or not. Other mistakes stay errors, because their explanation needs the schema.
 * @throws Refusal, or the error
 */
export function refuseByAnalysis(error: unknown, text: SqlText, scope: GuardScope): never {
  const state = errorCode(error) ?? ''
  const fault = faultSchema.safeParse(error).data
  // An error with a context comes from a function, and its words may be a user's.
  if (fault === undefined || fault.where !== undefined) throw error
  if (kindOfSqlState(state) === 'syntax') refuse('syntax', `${shown(fault.message)}.`)
  const isHidden = state === insufficient_privilege || state === invalid_schema_name
  const name = identifierAt(text.sql, fault.position)
  if (isHidden || (state === undefined_table && fault.message.startsWith('relation '))) {
    if (name === undefined || name.isCall) refuse('out_of_scope', NOT_AVAILABLE)
    refuseTable(name.text, scope)
  }
  if (state === undefined_object && name?.text === 'collate') refuse('out_of_scope', NOT_AVAILABLE)
  if (state === undefined_object) refuseType(name?.text)
  // Whether users have made a cast or an operator for a type of theirs is not told: such types stand with their schema.
  const isConversion = state === undefined_function || state === ambiguous_function || state === cannot_coerce
  if (isConversion && /[\w"]\.[\w"]/.test(fault.message)) refuseConversion()
  throw error
}

/**
 * Writes the first schema before a table's name that stands without one, if the scope has such a table. The search path stays
 * empty, so that no function, operator or type of the schema can take the place of the server's. Undefined for other errors.
 */
export function qualifyTable(error: unknown, sql: string, scope: GuardScope): string | undefined {
  const { message = '', position } = faultSchema.safeParse(error).data ?? {}
  const name = identifierAt(sql, position)
  const isMissing = errorCode(error) === undefined_table && message.startsWith('relation ')
  if (!isMissing || position === undefined || name === undefined || name.isCall) return undefined
  if (name.text.includes('.') || !scope.tables.has(`${scope.database}.${name.text}`)) return undefined
  const characters = [...sql]
  const schema = `"${scope.database.replaceAll('"', '""')}".`
  return [...characters.slice(0, position - 1), schema, ...characters.slice(position - 1)].join('')
}

/** Returns the name that stands at a position, counted from 1, such as `shop.orders`. */
function identifierAt(sql: string, position: number | undefined) {
  if (position === undefined) return undefined
  // The server counts characters, and JavaScript UTF-16 units.
  const rest = [...sql].slice(position - 1).join('')
  const pieces = (splitSql(rest) ?? []).filter(({ kind }) => kind !== 'blank')
  const { parts, end } = dottedNameAt(pieces, 0)
  return parts.length === 0 ? undefined : { text: parts.join('.'), isCall: pieces[end]?.text === '(' }
}
