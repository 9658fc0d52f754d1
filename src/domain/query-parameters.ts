import { z } from 'zod'

const named = { name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'a name is made of small letters, digits and _') }

/** A parameter whose value is a number in digits, such as 30 for a number of days. */
const numberParameterSchema = z.strictObject({
  ...named,
  type: z.literal('number'),
  example: z.number().nonnegative(),
  /** The range of values for which the query is right. */
  min: z.number().nonnegative().optional(),
  max: z.number().nonnegative().optional(),
})

/** A parameter whose value is a text from a column or from a list. */
const textParameterSchema = z.strictObject({
  ...named,
  type: z.literal('text'),
  example: z.string().min(1),
  /** The column that contains the possible values, as `database.table.column`. */
  column: z.string().min(1).optional(),
  /** The allowed values. A mapping translates a value in a question into the value in the SQL, such as `Berlin` into `BER`. */
  values: z.union([z.array(z.string().min(1)), z.record(z.string().min(1), z.string().min(1))]).optional(),
})

/**
 * A parameter whose value is a calendar period, or a period that ends now. Its example is a calendar period, such as `March
 * 2026`.
 */
const periodParameterSchema = z.strictObject({ ...named, type: z.literal('period'), example: z.string().min(1) })

/** A value in a verified query that differs from question to question. The question and the SQL contain `{name}` in its place. */
export const queryParameterSchema = z.discriminatedUnion('type', [
  numberParameterSchema,
  textParameterSchema,
  periodParameterSchema,
])
export type QueryParameter = z.infer<typeof queryParameterSchema>
export type TextParameter = z.infer<typeof textParameterSchema>

/** The SQL literals by placeholder: one for `city`, and two for a period (`month.from`, `month.to`). */
export type Literals = ReadonlyMap<string, string>

/**
 * Matches a placeholder. Also matches whole strings, quoted names and comments, because text inside them is not a placeholder.
 */
const PIECES =
  /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)|`(?:[^`\\]|\\[\s\S]|``)*(?:`|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\{([a-z][a-z0-9_]*(?:\.(?:from|to))?)\}/g

/** Returns the names of the placeholders in SQL. Skips placeholders in strings and comments. */
export function placeholdersIn(sql: string): ReadonlySet<string> {
  return new Set([...sql.matchAll(PIECES)].flatMap(([, , name]) => name ?? []))
}

export function filledSql(sql: string, literals: Literals): string {
  return sql.replace(PIECES, (piece, _tag, name: string | undefined) =>
    name === undefined ? piece : (literals.get(name) ?? piece),
  )
}

/** Returns the placeholders that SQL needs for a parameter: `name`, or for a period `name.from` and `name.to`. */
export function parameterPlaceholders({ name, type }: Pick<QueryParameter, 'name' | 'type'>): readonly string[] {
  return type === 'period' ? [`${name}.from`, `${name}.to`] : [name]
}

/** Matches a placeholder in a question, such as `{city}`. */
const SLOT = /\{([a-z][a-z0-9_]*)\}/

/** Splits a question at its placeholders: "orders in {city}?" becomes "orders in ", "city", "?". */
export function partsOfQuestion(question: string): readonly string[] {
  return question.split(SLOT)
}

/** Replaces the placeholders of a question with values: "orders in {city}?" becomes "orders in Berlin?". */
export function filledQuestion(question: string, values: ReadonlyMap<string, string>): string {
  return partsOfQuestion(question)
    .map((part, at) => (at % 2 === 0 ? part : (values.get(part) ?? `{${part}}`)))
    .join('')
}

/** A verified query with `{name}` in place of each open value. */
export interface QueryTemplate {
  readonly question: string
  readonly sql: string
  readonly parameters?: readonly QueryParameter[] | undefined
}

/** Matches digits, with an optional decimal point. `1.234` does not match, because it may also mean 1,234. */
const NUMBER = /^\d{1,12}(?:\.(?:\d{1,2}|\d{4,6}))?$/

/** Whether a number parameter may have this text as its value. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text)
}

export function isWithin(value: number, { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number }): boolean {
  return value >= min && value <= max
}

/**
 * Finds a value of a message in a list, and returns its value for the SQL. An exact match is preferred to one in other case.
 * Undefined if no value matches, or if several do.
 */
export function listedValue(values: readonly string[] | Readonly<Record<string, string>>, said: string): string | undefined {
  const known = Array.isArray(values) ? values.map((value: string) => [value, value] as const) : Object.entries(values)
  const exact = known.find(([value]) => value === said)
  if (exact !== undefined) return exact[1]
  const alike = known.filter(([value]) => value.toLowerCase() === said.toLowerCase())
  return alike.length === 1 ? alike[0]?.[1] : undefined
}
