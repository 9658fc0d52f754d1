import { z } from 'zod'
import { sqlLiteral } from '../warehouse/sql/plain-text.ts'
import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import { type ColumnType, type Compare, type Join, type NodeId, PLAN_NAME, type PlanColumn } from './plan.ts'
import { refuse } from './refusal.ts'

/** A column of a relation, and the sides of joins that its values come from. A key of a join comes from both, and so has no side. */
export interface Column extends PlanColumn {
  readonly sides?: readonly JoinSide[]
}
export type Columns = readonly Column[]

/** One side of a join that was counted. */
export interface JoinSide {
  readonly join: MatchReport
  readonly side: 'left' | 'right'
}

/** How the rows of a join's sides met. Rows whose key has a null count as rows, but have no key. Keys are distinct. */
export const matchCountsSchema = z.object({
  rows_left: z.number(),
  rows_right: z.number(),
  keys_left: z.number(),
  keys_right: z.number(),
  keys_met: z.number(),
  /** The joined rows. */
  rows: z.number(),
  /** The most rows of one key, among the keys that met. */
  most_rows_left: z.number(),
  most_rows_right: z.number(),
  /**
   * The part of the rows that lost their place or stayed without a partner, from 0 to 1. Of a left join: of the left rows. Of an inner
   * join: of the side that lost more. A full join and a compare lose nothing.
   */
  lost_share: z.number(),
  /** The side that `lost_share` is of. */
  lost_side: z.enum(['left', 'right']),
})

/** How well the two sides of a join or a compare met. */
export interface MatchReport {
  readonly node: NodeId
  readonly definition: Join | Compare
  readonly counts: z.infer<typeof matchCountsSchema>
  /** Whether a key has several rows on both sides, so that the join makes rows that neither side has. */
  readonly multiplies: boolean
}

/** The rows of a node or a step in a statement. */
export interface Relation {
  readonly sql: string
  readonly columns: Columns
  /** By which columns it is ordered. The order lasts until the rows are others. */
  readonly order: readonly { readonly column: string; readonly descending: boolean }[]
  /** The counted joins that made the rows. An aggregate begins anew. */
  readonly joins: readonly MatchReport[]
}

export interface CompileContext {
  /** The scale of all decimals of the statement. */
  readonly scale: number
  readonly values: BoundValues
  /** Adds a SELECT to the statement, and returns the name of its relation. */
  readonly define: (select: string) => string
  /** How the sides of the compiled join meet. Undefined if they have not been counted. */
  readonly report?: MatchReport | undefined
}

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

/** Returns a relation whose rows nothing has joined. */
export function plainRelation(sql: string, columns: Columns): Relation {
  return { sql, columns, order: [], joins: [] }
}

/** A column by its table, because a bare name could also be an alias of the same SELECT. */
export function of(table: string, column: string): string {
  return `${table}.${quoteIdentifier(column)}`
}

/** Returns a list of SELECT: each expression with its name, one a line. */
export function selectList(entries: readonly { readonly expression: string; readonly name: string }[]): string {
  return entries.map(({ expression, name }) => `  ${expression} AS ${quoteIdentifier(name)}`).join(',\n')
}

/** Returns ORDER BY over the table `t`. The remaining columns decide between equal rows, so that each run gives the same rows. */
export function orderSql({ order, columns }: Relation): string {
  const rest = columns.filter(({ name }) => !order.some(({ column }) => column === name))
  const entries = order.map(({ column, descending }) => `${of('t', column)}${descending ? ' DESC' : ''}`)
  return `ORDER BY ${[...entries, ...rest.map(({ name }) => of('t', name))].join(', ')}`
}

/**
 * Returns the column of a name.
 * @throws PlanRefusal if there is none
 */
export function columnIn(key: string, columns: Columns, name: string): Column {
  const has = columns.map(column => `"${column.name}"`).join(', ')
  return (
    columns.find(column => column.name === name) ?? refuse(`"${key}" takes the column "${name}", but its input has only ${has}.`)
  )
}

/** Returns the type of a column, as `columnIn` finds it. */
export function typeIn(key: string, columns: Columns, name: string): ColumnType {
  return columnIn(key, columns, name).type
}

/**
 * Returns the columns if no two have the same name, and none has a longer one than a plan can name.
 * @throws PlanRefusal
 */
export function distinct<Item extends PlanColumn>(key: string, columns: readonly Item[]): readonly Item[] {
  const twice = columns.find(({ name }, index) => columns.findIndex(column => column.name === name) !== index)
  if (twice !== undefined) {
    refuse(`"${key}" has two columns "${twice.name}"; give one of them another name in its sub-query or in a project step.`)
  }
  const long = columns.find(({ name }) => !PLAN_NAME.test(name))
  if (long !== undefined) refuse(`"${key}" has the column "${long.name}", whose name is too long; give it a shorter one.`)
  return columns
}
