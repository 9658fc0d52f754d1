import { z } from 'zod'

const named = { name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'a name is made of small letters, digits and _') }

/** A parameter whose value is a number in digits, such as a number of days or rows. */
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
  /** The allowed values. A mapping leads from the value in a question to the value in the SQL. */
  values: z.union([z.array(z.string().min(1)), z.record(z.string().min(1), z.string().min(1))]).optional(),
})

/**
 * A parameter whose value is a calendar period, or a period that ends now. Its example is a calendar period, such as `March 2026`.
 */
const periodParameterSchema = z.strictObject({ ...named, type: z.literal('period'), example: z.string().min(1) })

/** A value that a verified query leaves open, as `{name}` in question and SQL. */
export const queryParameterSchema = z.discriminatedUnion('type', [
  numberParameterSchema,
  textParameterSchema,
  periodParameterSchema,
])
export type QueryParameter = z.infer<typeof queryParameterSchema>
export type TextParameter = z.infer<typeof textParameterSchema>

/** An SQL literal for each placeholder: `city`, or `month.from` and `month.to`. */
export type Literals = ReadonlyMap<string, string>

/** Matches a placeholder. Strings, quoted names and comments match too, so placeholders inside them are skipped. */
const PIECES =
  /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)|`(?:[^`\\]|\\[\s\S]|``)*(?:`|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\{([a-z][a-z0-9_]*(?:\.(?:from|to))?)\}/g

/** Returns the placeholders in SQL, without braces. Text in strings and comments does not count. */
export function placeholdersIn(sql: string): ReadonlySet<string> {
  return new Set([...sql.matchAll(PIECES)].flatMap(([, , name]) => name ?? []))
}

export function filledSql(sql: string, literals: Literals): string {
  return sql.replace(PIECES, (piece, _tag, name: string | undefined) =>
    name === undefined ? piece : (literals.get(name) ?? piece),
  )
}

/** Returns the placeholders that a parameter needs in SQL. */
export function parameterPlaceholders({ name, type }: Pick<QueryParameter, 'name' | 'type'>): readonly string[] {
  return type === 'period' ? [`${name}.from`, `${name}.to`] : [name]
}

/** Matches a placeholder in a question. Splitting by it gives texts and names in turn. */
const SLOT = /\{([a-z][a-z0-9_]*)\}/

/** Splits a question into its texts and, between them, the names of its parameters. */
export function partsOfQuestion(question: string): readonly string[] {
  return question.split(SLOT)
}

/** Replaces the placeholders of a question by values. */
export function filledQuestion(question: string, values: ReadonlyMap<string, string>): string {
  return partsOfQuestion(question)
    .map((part, at) => (at % 2 === 0 ? part : (values.get(part) ?? `{${part}}`)))
    .join('')
}

/** A verified query with `{name}` in place of its values. */
export interface QueryTemplate {
  readonly question: string
  readonly sql: string
  readonly parameters?: readonly QueryParameter[] | undefined
}

/** Matches digits, with an optional decimal point. Three decimals do not match, because the point may then separate thousands. */
const NUMBER = /^\d{1,12}(?:\.(?:\d{1,2}|\d{4,6}))?$/

/** Whether this text can be the value of a number parameter. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text)
}

export function isWithin(value: number, { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number }): boolean {
  return value >= min && value <= max
}

/** Returns the SQL value for a value in a message, ignoring case. Undefined if none or several match. */
export function listedValue(values: readonly string[] | Readonly<Record<string, string>>, said: string): string | undefined {
  const known = Array.isArray(values) ? values.map((value: string) => [value, value] as const) : Object.entries(values)
  const exact = known.find(([value]) => value === said)
  if (exact !== undefined) return exact[1]
  const alike = known.filter(([value]) => value.toLowerCase() === said.toLowerCase())
  return alike.length === 1 ? alike[0]?.[1] : undefined
}
