import type { ColumnSchema, Schema, TableSchema } from '../warehouse/schema.ts'
import { readColumnType } from '../warehouse/sql/column-type.ts'
import { sqlLiteral } from '../warehouse/sql/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { DOMAIN_LIMITS } from './limits.ts'
import { type Clock, type Period, periodOf } from './period-words.ts'
import { isNumber, isWithin, listedValue, type QueryParameter, type TextParameter } from './query-parameters.ts'

/** The value of a parameter in one message: in words, and as SQL literals. */
export interface ParameterValue {
  readonly name: string
  /** The value as the person sees it: the stored value, or the start and end of a period. */
  readonly value: string
  readonly literals: readonly (readonly [placeholder: string, literal: string])[]
}

export interface ValueSources {
  readonly schema: Schema
  readonly warehouse: Pick<Warehouse, 'read'>
  readonly clock: Clock
  /** The time limit of each look-up in the warehouse. */
  readonly timeLimitMs: number
}

/**
 * Reads the value of a parameter from the words of a message: a number in digits, a known text, or a period.
 * @returns undefined if the text has another type or is unknown; null if a look-up fails or takes too long
 */
export async function parameterValue(
  parameter: QueryParameter,
  said: string,
  sources: ValueSources,
  signal: AbortSignal,
): Promise<ParameterValue | undefined | null> {
  if (parameter.type !== 'text') return fixedValue(parameter, said, sources.clock)
  const known = await knownText(parameter, said, sources, signal)
  return known == null ? known : textValue(parameter.name, known)
}

/** Returns the value of the parameter's example, without a query to the warehouse. */
export function exampleValue(parameter: QueryParameter): ParameterValue | undefined {
  if (parameter.type !== 'text') return fixedValue(parameter, String(parameter.example))
  const { name, values, example } = parameter
  const value = values === undefined ? example : listedValue(values, example)
  return value === undefined ? undefined : textValue(name, value)
}

function fixedValue(parameter: Exclude<QueryParameter, TextParameter>, said: string, clock?: Clock): ParameterValue | undefined {
  if (parameter.type === 'number') return numberValue(parameter, said)
  const period = periodOf(said, clock)
  return period && periodValue(parameter.name, period)
}

function numberValue(parameter: Extract<QueryParameter, { type: 'number' }>, text: string): ParameterValue | undefined {
  if (!isNumber(text) || !isWithin(Number(text), parameter)) return undefined
  const literal = String(Number(text))
  return { name: parameter.name, value: literal, literals: [[parameter.name, literal]] }
}

function textValue(name: string, value: string): ParameterValue {
  return { name, value, literals: [[name, sqlLiteral(value)]] }
}

function periodValue(name: string, { from, to, timeZone, shown }: Period): ParameterValue {
  const literal = (edge: string | number) =>
    `toDateTime(${typeof edge === 'number' ? edge : sqlLiteral(edge)}, ${sqlLiteral(timeZone)})`
  const literals = [[`${name}.from`, literal(from)] as const, [`${name}.to`, literal(to)] as const]
  return { name, value: shown, literals }
}

async function knownText(
  parameter: TextParameter,
  said: string,
  sources: ValueSources,
  signal: AbortSignal,
): Promise<string | undefined | null> {
  if (parameter.values !== undefined) return listedValue(parameter.values, said)
  const place = parameterColumn(parameter, sources.schema)
  if (place === undefined || said.length > DOMAIN_LIMITS.textCharacters) return undefined
  const { enumValues } = readColumnType(place.column.type)
  if (enumValues.length > 0) return listedValue(enumValues, said)
  const { samples = [], exact: isAll = false } = place.column.statistics ?? {}
  // If the samples come from only some of the rows, other rows may spell the value differently. So the whole column is searched.
  const known = listedValue(samples, said)
  return known !== undefined && (isAll || known === said) ? known : storedText(place, said, sources, signal)
}

/** Returns the column with a parameter's possible values. Undefined if the column does not exist or must not be shown. */
export function parameterColumn(
  { column: name }: TextParameter,
  { tables }: Schema,
): { readonly table: TableSchema; readonly column: ColumnSchema } | undefined {
  for (const table of tables) {
    const column = table.columns.find(each => `${table.database}.${table.name}.${each.name}` === name)
    if (column !== undefined) return isReadable(column) ? { table, column } : undefined
  }
  return undefined
}

function isReadable({ type, isPrivate, computed }: ColumnSchema): boolean {
  const { kind } = readColumnType(type)
  return (kind === 'text' || kind === 'enum') && isPrivate !== true && computed?.kind !== 'EPHEMERAL'
}

/**
 * Returns the column's value that equals the text. If none does, ignores upper and lower case. Null if the query fails or takes
 * too long.
 */
async function storedText(
  { table, column }: { readonly table: TableSchema; readonly column: ColumnSchema },
  said: string,
  { warehouse, timeLimitMs }: ValueSources,
  signal: AbortSignal,
): Promise<string | undefined | null> {
  const value = `toString(${quoteIdentifier(column.name)})`
  const sql = `SELECT DISTINCT ${value} AS found FROM ${quoteTable(table)} WHERE lowerUTF8(found) = {text:String} LIMIT 20`
  try {
    const { rows } = await warehouse.read({ sql, parameters: { text: said.toLowerCase() }, timeoutMs: timeLimitMs }, signal)
    return listedValue(
      rows.flatMap(([text]) => (typeof text === 'string' ? [text] : [])),
      said,
    )
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}
