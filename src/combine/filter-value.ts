import { z } from 'zod'
import type { ColumnType, Condition } from './plan.ts'
import { refuse } from './refusal.ts'
import { isNumber } from './types.ts'

/** A value of a filter: its text as the engine reads it, its type, and the decimal places of a decimal. */
export interface FilterValue {
  readonly text: string
  readonly type: ColumnType
  readonly scale: number
}

/** 38 digits always fit into an integer of 128 bits. */
const NUMBER = /^-?\d{1,38}(?:\.(\d{1,20}))?$/
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?Z?$/

/**
 * Reads the values of a condition on a column. Checks their number too.
 * @throws PlanRefusal
 */
export function readFilterValues({ column, operator, values }: Condition, type: ColumnType): readonly FilterValue[] {
  const isList = operator === 'in' || operator === 'not_in'
  const isNullTest = operator === 'is_null' || operator === 'is_not_null'
  const fits = isList ? values.length > 0 : values.length === (isNullTest ? 0 : 1)
  if (!fits) {
    const wanted = isList ? 'at least one value' : isNullTest ? 'no value' : 'exactly one value'
    return refuse(`The filter "${column} ${operator}" has ${values.length} values, but it takes ${wanted}.`)
  }
  return values.map(
    value =>
      readValue(value, type) ??
      refuse(`The filter on "${column}" compares a column of the type ${type} with ${JSON.stringify(value)}, which is none.`),
  )
}

function readValue(value: string, type: ColumnType): FilterValue | undefined {
  const read = (as: ColumnType, scale = 0): FilterValue => ({ text: value, type: as, scale })
  if (type === 'text') return read('text')
  if (type === 'boolean') return value === 'true' || value === 'false' ? read('boolean') : undefined
  if (!isNumber(type)) return readTime(value)
  const number = NUMBER.exec(value)
  if (number === null) return undefined
  if (type === 'float') return read('float')
  return number[1] === undefined ? read('integer') : read('decimal', number[1].length)
}

function readTime(value: string): FilterValue | undefined {
  if (z.iso.date().safeParse(value).success) return { text: value, type: 'date', scale: 0 }
  const [, date, minutes, seconds = ':00'] = TIME.exec(value) ?? []
  const { data, success } = z.iso.datetime({ local: true }).safeParse(`${date}T${minutes}${seconds}`)
  return success ? { text: data.replace('T', ' '), type: 'datetime', scale: 0 } : undefined
}
