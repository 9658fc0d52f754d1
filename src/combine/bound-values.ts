import { sqlLiteral } from '../warehouse/sql/plain-text.ts'

/** Collects values as parameters of a statement, so that they never become part of its text. */
export class BoundValues {
  readonly parameters: Record<string, string> = {}

  /** Returns the placeholder of a value for the SQL text. */
  bind(value: string): string {
    const name = `p${Object.keys(this.parameters).length}`
    this.parameters[name] = value
    return `{${name}:String}`
  }

  /** Returns SQL for people: with the values in place of their placeholders. */
  shown(sql: string): string {
    return sql.replace(/\{(p\d{1,4}):String\}/g, (_, name: string) => sqlLiteral(this.parameters[name] ?? ''))
  }
}
