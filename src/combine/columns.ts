import { type ColumnType, PLAN_NAME, type PlanColumn } from './plan.ts'
import { refuse } from './refusal.ts'

export type Columns = readonly PlanColumn[]

/**
 * Returns the type of a column.
 * @throws PlanRefusal if there is none of this name
 */
export function typeIn(key: string, columns: Columns, name: string): ColumnType {
  const found = columns.find(column => column.name === name)
  if (found !== undefined) return found.type
  return refuse(
    `"${key}" takes the column "${name}", but its input has only ${columns.map(column => `"${column.name}"`).join(', ')}.`,
  )
}

/**
 * Returns the columns if no two have the same name, and none has a longer one than a plan can name.
 * @throws PlanRefusal
 */
export function distinct<Column extends PlanColumn>(key: string, columns: readonly Column[]): readonly Column[] {
  const twice = columns.find(({ name }, index) => columns.findIndex(column => column.name === name) !== index)
  if (twice !== undefined) {
    return refuse(
      `"${key}" has two columns "${twice.name}"; give one of them another name in its sub-query or in a project step.`,
    )
  }
  const long = columns.find(({ name }) => !PLAN_NAME.test(name))
  return long === undefined
    ? columns
    : refuse(`"${key}" has the column "${long.name}", whose name is too long; give it a shorter one.`)
}
