import { sqlLiteral } from '../clickhouse/catalog/plain-text.ts'

/** What a job may be given: plain values, which reach the SQL as literals of their own kind. */
export type ArgumentValue = string | number | boolean | null
export type JobArguments = Readonly<Record<string, ArgumentValue>>

/** `{{ cves }}` is the table of an input or operation, `{{ arguments.since }}` an argument. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const ARGUMENT = /^arguments\.([a-z][a-z0-9_]*)$/
const NAME = /^[a-z][a-z0-9_]*$/

export interface Placeholders {
  /** Names of inputs and operations, each once, in order of appearance. */
  readonly tables: readonly string[]
  readonly arguments: readonly string[]
  /** What stands between braces and is neither. */
  readonly malformed: readonly string[]
}

export function placeholdersOf(template: string): Placeholders {
  const found = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  const names = [...new Set(found)]
  return {
    tables: names.filter(name => NAME.test(name)),
    arguments: names.flatMap(name => ARGUMENT.exec(name)?.[1] ?? []),
    malformed: names.filter(name => !NAME.test(name) && !ARGUMENT.test(name)),
  }
}

/**
 * A template with its placeholders filled in.
 * @param tables by the name that the template uses; whole, quoted names, put in as they are
 * @throws Error for a placeholder that is given nothing: definitions are checked before
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
  return typeof value === 'string' ? sqlLiteral(value) : String(value)
}
