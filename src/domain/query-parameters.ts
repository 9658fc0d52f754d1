import { z } from 'zod'
import { periodOf } from './period-words.ts'
import { wordsOfQuestion } from './question-words.ts'

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
 * A parameter whose value is a calendar period, or a period that ends now. Its example is a calendar period such as `March 2026`.
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

/** Matches a placeholder. Strings, quoted names and comments match too, so that placeholders inside them are skipped. */
const PIECES =
  /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)|`(?:[^`\\]|\\[\s\S]|``)*(?:`|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\{([a-z][a-z0-9_]*(?:\.(?:from|to))?)\}/g

/** Returns the placeholders in SQL, without braces. Strings and comments contain none. */
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

const SLOT = /^\{([a-z][a-z0-9_]*)\}$/

/** Returns the parameter's name if a word of a question is a placeholder such as `{city}`. */
export function slotOf(word: string): string | undefined {
  return SLOT.exec(word)?.[1]
}

/** A verified query with `{name}` in place of its values. */
export interface QueryTemplate {
  readonly question: string
  readonly sql: string
  readonly parameters?: readonly QueryParameter[] | undefined
}

/** Returns the mistakes in a verified query's parameters. Each is a sentence that starts with the parameter's name. */
export function parameterFaults({ question, sql, parameters = [] }: QueryTemplate): readonly string[] {
  if (parameters.length === 0) return []
  const written = placeholdersIn(sql)
  const words = wordsOfQuestion(question, { isLiteral: true }).map(({ text }) => slotOf(text))
  const known = new Set(parameters.flatMap(parameterPlaceholders))
  const unknown = [...written, ...words.filter(word => word !== undefined)].find(
    placeholder => !known.has(placeholder) && !parameters.some(({ name }) => name === placeholder),
  )
  const neighbours = words.find((word, at) => word !== undefined && words[at + 1] !== undefined)
  return [
    ...(unknown === undefined ? [] : [`{${unknown}} is no parameter.`]),
    ...(neighbours === undefined ? [] : [`{${neighbours}} has no word between itself and the next parameter in the question.`]),
    ...(words.filter(word => word === undefined).length < 2
      ? ['The question has fewer than two words beside its parameters.']
      : []),
    ...parameters.flatMap(parameter => faultsOf(parameter, { words, written, parameters })),
  ]
}

function faultsOf(
  parameter: QueryParameter,
  {
    words,
    written,
    parameters,
  }: {
    readonly words: readonly (string | undefined)[]
    readonly written: ReadonlySet<string>
    readonly parameters: readonly QueryParameter[]
  },
): readonly string[] {
  const { name } = parameter
  const missing = parameterPlaceholders(parameter).find(placeholder => !written.has(placeholder))
  return [
    ...(parameters.filter(other => other.name === name).length > 1 ? [`${name} is there twice.`] : []),
    ...(words.filter(word => word === name).length === 1
      ? []
      : [`{${name}} must stand in the question once, as a word of its own.`]),
    ...(missing === undefined ? [] : [`{${missing}} must stand in the SQL, outside of quotes.`]),
    ...exampleFaults(parameter),
  ]
}

function exampleFaults(parameter: QueryParameter): readonly string[] {
  const { name } = parameter
  switch (parameter.type) {
    case 'number':
      if (!isNumber(String(parameter.example)))
        return [`${name} has an example that nobody may say: see the numbers of docs/domain.md.`]
      return isWithin(parameter.example, parameter) ? [] : [`${name} has an example outside of its min and max.`]
    case 'text':
      if ((parameter.column === undefined) === (parameter.values === undefined)) {
        return [`${name} needs a column or a list of values, not both.`]
      }
      return parameter.values === undefined || listedValue(parameter.values, parameter.example) !== undefined
        ? []
        : [`${name} has an example that is none of its values.`]
    case 'period':
      return periodOf(parameter.example) === undefined
        ? [`${name} has an example that is no period, or one that moves: write one as 2026-03-31, March 2026 or 2026.`]
        : []
  }
}

/** Matches digits, with an optional decimal point. Three decimals are refused, because the point may then group thousands. */
const NUMBER = /^\d{1,12}(?:\.(?:\d{1,2}|\d{4,6}))?$/

/** Whether a number parameter can have this text as its value. */
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
