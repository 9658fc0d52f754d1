import { DAY_MS } from '../base/durations.ts'
import type { ColumnSchema, Schema, TableSchema } from '../warehouse/schema.ts'
import { readColumnType } from '../warehouse/sql/column-type.ts'
import { sqlLiteral } from '../warehouse/sql/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { DOMAIN_LIMITS } from './limits.ts'
import { type Clock, type Period, type PeriodEdge, periodOf } from './period-words.ts'
import { isNumber, isWithin, listedValue, type QueryParameter, type TextParameter } from './query-parameters.ts'

/** A parameter's value for one message, in words and as SQL literals. */
export interface ParameterValue {
  readonly name: string
  /** Shown to the person: the stored value, or the start and end of a period. */
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
 * Returns the possible values of a parameter in a message: a number in digits, a known text, or a period.
 * @param said the possible readings of the value's words
 * @returns an empty list if no reading has the right type; null if a look-up takes too long
 */
export async function parameterValues(
  parameter: QueryParameter,
  said: readonly string[],
  sources: ValueSources,
  signal: AbortSignal,
): Promise<readonly ParameterValue[] | null> {
  switch (parameter.type) {
    case 'number':
      return said.flatMap(text => numberValue(parameter, text))
    case 'period': {
      // The last reading includes a leading "the".
      const period = periodIn(said.at(-1) ?? '', sources.clock)
      return period === undefined ? [] : [periodValue(parameter.name, period)]
    }
    case 'text': {
      const known = await knownTexts(
        parameter,
        said.filter(text => text.length <= DOMAIN_LIMITS.textCharacters),
        sources,
        signal,
      )
      return known && [...new Set(known)].map(value => textValue(parameter.name, value))
    }
  }
}

/** Returns the parameter's example as a value, without a query to the warehouse. */
export function exampleValue(parameter: QueryParameter): readonly ParameterValue[] {
  const { name } = parameter
  switch (parameter.type) {
    case 'number':
      return numberValue(parameter, String(parameter.example))
    case 'period': {
      const period = periodOf(parameter.example)
      return period === undefined ? [] : [periodValue(name, period)]
    }
    case 'text': {
      const value = parameter.values === undefined ? parameter.example : listedValue(parameter.values, parameter.example)
      return value === undefined ? [] : [textValue(name, value)]
    }
  }
}

function numberValue(parameter: Extract<QueryParameter, { type: 'number' }>, text: string): readonly ParameterValue[] {
  if (!isNumber(text) || !isWithin(Number(text), parameter)) return []
  const literal = String(Number(text))
  return [{ name: parameter.name, value: literal, literals: [[parameter.name, literal]] }]
}

function textValue(name: string, value: string): ParameterValue {
  return { name, value, literals: [[name, sqlLiteral(value)]] }
}

function periodValue(name: string, period: Period): ParameterValue {
  const { from, to, timeZone } = period
  const literal = (moment: PeriodEdge) =>
    `toDateTime(${typeof moment === 'number' ? moment : sqlLiteral(moment)}, ${sqlLiteral(timeZone)})`
  return {
    name,
    value: `${shownPeriod(from, to)} (${timeZone})`,
    literals: [
      [`${name}.from`, literal(from)],
      [`${name}.to`, literal(to)],
    ],
  }
}

/** Writes a period for the person. Whole days are shown as the first and the last day, which reads the same in every language. */
function shownPeriod(from: PeriodEdge, to: PeriodEdge): string {
  const midnight = / 00:00:00$/
  const isWhole = typeof from === 'string' && typeof to === 'string' && midnight.test(from) && midnight.test(to)
  const last = isWhole ? new Date(Date.parse(`${to.slice(0, 10)}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10) : shown(to)
  return shown(from) === last ? last : `${shown(from)} – ${last}`
}

function shown(moment: PeriodEdge): string {
  if (typeof moment === 'string') return moment.replace(/ 00:00:00$/, '')
  return `${new Date(moment * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/**
 * Reads a period with its preposition: after "over" and "within" comes a length ("the last 7 days"), and after "in" comes a date ("2026"). "The last
 * month" and "over last month" may mean a calendar month or the month up to now, so they are refused.
 */
function periodIn(text: string, clock: Clock): Period | undefined {
  const [, preposition, the, words = ''] = /^(?:(in|on|during|over|within) )?(the )?(.*)$/i.exec(text) ?? []
  const isLength = /^(?:over|within)$/i.test(preposition ?? '')
  if (isLength && !/^(?:last|past) /i.test(words)) return undefined
  const isVague = (isLength || the !== undefined) && /^last (?:week|month|quarter|year)$/i.test(words)
  return isVague ? undefined : periodOf(words, clock)
}

async function knownTexts(
  parameter: TextParameter,
  said: readonly string[],
  sources: ValueSources,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const { values } = parameter
  if (values !== undefined) return said.flatMap(text => listedValue(values, text) ?? [])
  const place = parameterColumn(parameter, sources.schema)
  if (place === undefined || said.length === 0) return []
  const { enumValues } = readColumnType(place.column.type)
  if (enumValues.length > 0) return said.flatMap(text => listedValue(enumValues, text) ?? [])
  const { samples = [], exact: isAll = false } = place.column.statistics ?? {}
  const known = said.flatMap(text => listedValue(samples, text) ?? [])
  // If the samples come from only some of the rows, the column may hold the same value in other spellings.
  const isSure = isAll || (said.length === 1 && known[0] === said[0])
  return known.length > 0 && isSure ? known : storedTexts(place, said, sources, signal)
}

/** Returns the column that holds a parameter's values. Undefined if it does not exist or must not be shown. */
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

/** Returns the column's values that equal the texts, ignoring case. Null if the query takes too long. */
async function storedTexts(
  { table, column }: { readonly table: TableSchema; readonly column: ColumnSchema },
  said: readonly string[],
  { warehouse, timeLimitMs }: ValueSources,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const value = `toString(${quoteIdentifier(column.name)})`
  const sql = `SELECT DISTINCT ${value} AS found FROM ${quoteTable(table)} WHERE lowerUTF8(found) IN {texts:Array(String)} LIMIT 20`
  const parameters = { texts: said.map(text => text.toLowerCase()) }
  try {
    const { rows } = await warehouse.read({ sql, parameters, timeoutMs: timeLimitMs }, signal)
    const stored = rows.flatMap(([text]) => (typeof text === 'string' ? [text] : []))
    return said.flatMap(text => listedValue(stored, text) ?? [])
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}
