import { sqlLiteral } from '../warehouse/sql/plain-text.ts'

/** The value of a job's argument. It is a plain value, and becomes a literal in the SQL. */
export type ArgumentValue = string | number | boolean | null
export type JobArguments = Readonly<Record<string, ArgumentValue>>

/**
 * Matches a placeholder. `{{ cves }}` stands for the table of an input or operation, and `{{ arguments.since }}` for an argument.
 */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const ARGUMENT = /^arguments\.([a-z][a-z0-9_]*)$/
const NAME = /^[a-z][a-z0-9_]*$/

export interface TemplatePlaceholders {
  /** The names of inputs and operations in the placeholders, without duplicates, in order of appearance. */
  readonly tables: readonly string[]
  readonly arguments: readonly string[]
  /** Texts in double braces that are not valid placeholders, such as `{{ a b }}`. */
  readonly malformed: readonly string[]
}

export function templatePlaceholders(template: string): TemplatePlaceholders {
  const found = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  const names = [...new Set(found)]
  return {
    tables: names.filter(name => NAME.test(name)),
    arguments: names.flatMap(name => ARGUMENT.exec(name)?.[1] ?? []),
    malformed: names.filter(name => !NAME.test(name) && !ARGUMENT.test(name)),
  }
}

/**
 * Replaces the placeholders of a template.
 * @param tables for each name in the template, the quoted full name of a table; it is inserted unchanged
 * @throws Error if a placeholder has no value; this cannot happen for a checked definition
 */
export function renderTemplate(
  template: string,
  { tables, values }: { readonly tables: ReadonlyMap<string, string>; readonly values: JobArguments },
): string {
  return template.replace(PLACEHOLDER, (_, between: string) => {
    const name = between.trim()
    const argument = ARGUMENT.exec(name)?.[1]
    if (argument !== undefined && Object.hasOwn(values, argument)) return literalOf(values[argument] ?? null)
    const table = tables.get(name)
    if (table === undefined) throw new Error(`{{ ${name} }} stands for nothing`)
    return table
  })
}

function literalOf(value: ArgumentValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return sqlLiteral(value)
  // Behind a minus, a bare negative number would begin a comment.
  return typeof value === 'number' && value < 0 ? `(${value})` : String(value)
}
