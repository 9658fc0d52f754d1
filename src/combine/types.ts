import type { ResultColumn } from '../warehouse/warehouse.ts'
import type { ColumnType, PlanColumn } from './plan.ts'
import { refuse } from './refusal.ts'

/** The widest decimal of the engine, in digits. */
const DECIMAL_DIGITS = 76
/** The most digits of an integer of 128 bits. The engine converts a longer one to a decimal without an error, but wrong. */
const INTEGER_DIGITS = 39

/** How a column of a scan's result is read: its type in the plan, and what the engine has to know beside it. */
export interface ReadColumn {
  readonly name: string
  readonly type: ColumnType
  /** The digits before and after the point of a decimal. 0 for others. */
  readonly digits: number
  readonly scale: number
  /** The time zone in which the result's text shows a time. Undefined for other types and for times without a zone. */
  readonly timeZone: string | undefined
}

export function isNumber(type: ColumnType): boolean {
  return type === 'integer' || type === 'decimal' || type === 'float'
}

/**
 * Returns the columns of a scan's result that its contract names, with the types that they really have. Integer, decimal and float
 * stand for each other, and so do date and datetime; the result's own type then counts. A text may be any single value.
 * @throws PlanRefusal if a column is missing, or has another type
 */
export function readContract(contract: readonly PlanColumn[], actual: readonly ResultColumn[]): readonly ReadColumn[] {
  const has = actual.map(({ name }) => `"${name}"`).join(', ')
  return contract.map(column => {
    const found = actual.find(({ name }) => name === column.name)
    return readColumn(column, found?.type ?? refuse(`The result has no column "${column.name}"; it has ${has}.`))
  })
}

function readColumn({ name, type }: PlanColumn, actualType: string): ReadColumn {
  const actual = familyOf(actualType)
  const read = actual && effectiveType(type, actual.type, actualType)
  if (actual === undefined || read === undefined) {
    const why = actual === undefined ? 'which cannot be combined' : `but the plan needs ${type}`
    return refuse(`The column "${name}" has the type ${actualType}, ${why}; cast it to ${TYPES[type].advice}.`)
  }
  // A text may be made of any type, and has no digits.
  return read === actual.type ? { name, ...actual } : { name, ...plainFamily(read) }
}

/** For each type: the engine's type, and the words for people that a column may be cast to. */
const TYPES = {
  text: { engine: () => 'String', advice: 'text' },
  integer: { engine: () => 'Int128', advice: 'an integer of at most 128 bits' },
  decimal: { engine: (scale: number) => `Decimal(${DECIMAL_DIGITS}, ${scale})`, advice: 'a decimal' },
  float: { engine: () => 'Float64', advice: 'a floating-point number' },
  boolean: { engine: () => 'Bool', advice: 'a boolean' },
  date: { engine: () => 'Date32', advice: 'a date' },
  datetime: { engine: () => "DateTime64(6, 'UTC')", advice: 'a time with at most six decimal places' },
} as const satisfies Record<ColumnType, { readonly engine: (scale: number) => string; readonly advice: string }>

function effectiveType(contract: ColumnType, actual: ColumnType, actualType: string): ColumnType | undefined {
  if (contract === 'text' || contract === actual) return contract
  if (isNumber(contract) && isNumber(actual)) return actual
  if (contract === 'integer' && actual === 'boolean') return 'integer'
  // Comparisons of ClickHouse are UInt8.
  if (contract === 'boolean' && actualType.includes('UInt8')) return 'boolean'
  const isTime = (type: ColumnType) => type === 'date' || type === 'datetime'
  return isTime(contract) && isTime(actual) ? actual : undefined
}

type Family = Omit<ReadColumn, 'name'>

const DECIMAL_WIDTHS: Readonly<Record<string, number>> = { 32: 9, 64: 18, 128: 38, 256: 76 }

/** The plan's types of ClickHouse's types without parameters. Wider integers are text: the engine's 128 bits do not hold them. */
const FAMILIES: readonly (readonly [names: RegExp, type: ColumnType])[] = [
  [/^(U?Int(8|16|32|64)|Int128)$/, 'integer'],
  [/^B?Float(16|32|64)$/, 'float'],
  [/^Bool$/, 'boolean'],
  [/^Date(32)?$/, 'date'],
  [/^(UInt128|U?Int256|String|UUID|IPv[46]|FixedString\(\d{1,9}\)|Enum(8|16)?\(.*\))$/s, 'text'],
]

function plainFamily(type: ColumnType): Family {
  return { type, digits: 0, scale: 0, timeZone: undefined }
}

/** Returns the plan's type for a ClickHouse type name. Undefined for types that are no single value, or too wide. */
function familyOf(typeName: string): Family | undefined {
  const inner = typeName.replace(/^LowCardinality\((.*)\)$/s, '$1').replace(/^Nullable\((.*)\)$/s, '$1')
  const plain = FAMILIES.find(([names]) => names.test(inner))?.[1]
  if (plain !== undefined) return plainFamily(plain)
  const time = /^DateTime(?:64\(([0-6])(?:, ?'([\w+/-]{1,60})')?\)|\('([\w+/-]{1,60})'\))?$/.exec(inner)
  if (time !== null) return { ...plainFamily('datetime'), timeZone: time[2] ?? time[3] }
  const decimal = /^Decimal(32|64|128|256)?\((\d{1,2})(?:, ?(\d{1,2}))?\)$/.exec(inner)
  if (decimal === null) return undefined
  const [, width, first, second] = decimal
  const precision = width === undefined ? Number(first) : (DECIMAL_WIDTHS[width] ?? DECIMAL_DIGITS)
  const scale = Number(width === undefined ? (second ?? 0) : first)
  return { ...plainFamily('decimal'), digits: precision - scale, scale }
}

/**
 * Returns the scale that all decimals of a run have: the largest one of its inputs. With one scale, values of all sources compare
 * and add up without a loss.
 * @throws PlanRefusal if the engine's widest decimal cannot hold all of them
 */
export function commonScale(columns: readonly ReadColumn[]): number {
  const scale = Math.max(0, ...columns.map(column => column.scale))
  const widest = columns.find(({ type, digits }) => (type === 'integer' ? INTEGER_DIGITS : digits) + scale > DECIMAL_DIGITS)
  if (widest === undefined) return scale
  return refuse(
    `The column "${widest.name}" needs more digits before the point than fit beside ${scale} decimal places; round the decimals to fewer places.`,
  )
}

/**
 * Returns the type in which the engine stores and compares values. All are Nullable: a side of an outer join that has no row then
 * has nulls, without a setting. (The reading user is not allowed to set `join_use_nulls`.)
 */
export function engineType(type: ColumnType, scale: number): string {
  return `Nullable(${TYPES[type].engine(scale)})`
}

/**
 * Returns the type in which values of two types compare: the wider number, the time of a date, or text. The engine does not help:
 * it refuses to join Int64 with UInt64, and makes a Variant of a UNION of unlike types.
 */
export function commonType(one: ColumnType, other: ColumnType): ColumnType {
  if (one === other) return one
  const pair = new Set([one, other])
  const both = (...types: ColumnType[]) => [...pair].every(type => types.includes(type))
  if (both('integer', 'boolean')) return 'integer'
  if (both('integer', 'decimal')) return 'decimal'
  if (both('integer', 'decimal', 'float')) return 'float'
  if (both('date', 'datetime')) return 'datetime'
  return 'text'
}

/** Returns SQL for an expression's value in another type. Nulls stay null. */
export function castSql(expression: string, from: ColumnType, to: ColumnType, scale: number): string {
  if (from === to) return expression
  if (to === 'text') return `toString(${expression})`
  // The engine's CAST does not know Int128 here.
  if (to === 'decimal') return `toDecimal256(${expression}, ${scale})`
  return `CAST(${expression} AS ${engineType(to, scale)})`
}
