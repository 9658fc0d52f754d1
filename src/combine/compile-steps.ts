import { type Columns, distinct, typeIn } from './columns.ts'
import { type CompileContext, of, type Relation, selectList } from './compile-combine.ts'
import { type FilterValue, readFilterValues } from './filter-value.ts'
import type { ColumnType, Condition, Measure, Post, PostStep, Projected } from './plan.ts'
import { refuse } from './refusal.ts'
import { castSql, commonType, engineType, isNumber } from './types.ts'

/** By which columns a result is ordered. It lasts until the rows are others. */
type RowOrder = readonly { readonly column: string; readonly descending: boolean }[]

export interface OrderedRelation extends Relation {
  readonly order: RowOrder
}

/**
 * Compiles the steps of a post, and checks their names and types.
 * @param define adds a SELECT to the statement, and returns the name of its relation
 * @throws PlanRefusal
 */
export function compilePost(
  { key, steps }: Post,
  input: OrderedRelation,
  context: CompileContext,
  define: (select: string) => string,
): OrderedRelation {
  let relation = input
  for (const step of steps) {
    const { select, ...after } = compileStep(key, step, relation, context)
    relation = { ...relation, ...after, ...(select !== undefined && { sql: define(select) }) }
  }
  return relation
}

/** The changes of a step. A sort has no SELECT: it only changes the order, in which a limit and the answer read the rows. */
interface CompiledStep extends Partial<Pick<OrderedRelation, 'columns' | 'order'>> {
  readonly select?: string
}

function compileStep(key: string, step: PostStep, relation: OrderedRelation, context: CompileContext): CompiledStep {
  const { sql, columns, order } = relation
  switch (step.kind) {
    case 'filter': {
      const conditions = step.conditions.map(condition => conditionSql(key, condition, columns, context))
      return { select: `SELECT * FROM ${sql} AS t\nWHERE ${conditions.join('\n  AND ')}` }
    }
    case 'aggregate': {
      const by = step.by.map(name => ({ name, type: typeIn(key, columns, name), expression: of('t', name) }))
      const measures = step.measures.map(measure => ({ name: measure.name, ...measured(key, measure, columns) }))
      const after = distinct(key, [...by, ...measures])
      const grouped = by.length === 0 ? '' : `\nGROUP BY ${by.map(({ expression }) => expression).join(', ')}`
      return { columns: after, order: [], select: `SELECT\n${selectList(after)}\nFROM ${sql} AS t${grouped}` }
    }
    case 'project': {
      const projected = step.columns.map(column => ({ name: column.name, ...calculated(key, column, columns, context) }))
      const after = distinct(key, projected)
      const select = `SELECT\n${selectList(after)}\nFROM ${sql} AS t`
      return { columns: after, order: orderAfterProject(step.columns, order), select }
    }
    case 'sort':
      for (const { column } of step.by) typeIn(key, columns, column)
      return { order: step.by }
    case 'limit':
      return { select: `SELECT * FROM ${sql} AS t\n${orderSql(relation)} LIMIT ${step.rows}` }
  }
}

function orderAfterProject(columns: readonly Projected[], order: RowOrder): RowOrder {
  const renamed = order.map(({ column, descending }) => {
    const kept = columns.find(each => each.kind === 'column' && each.column === column)
    return kept === undefined ? undefined : { column: kept.name, descending }
  })
  const lost = renamed.indexOf(undefined)
  return renamed.slice(0, lost < 0 ? renamed.length : lost).filter(entry => entry !== undefined)
}

/** Returns ORDER BY over the table `t`. The remaining columns decide between equal rows, so that each run gives the same rows. */
export function orderSql({ order, columns }: OrderedRelation): string {
  const rest = columns.filter(({ name }) => !order.some(({ column }) => column === name))
  const entries = [
    ...order.map(({ column, descending }) => `${of('t', column)}${descending ? ' DESC' : ''}`),
    ...rest.map(({ name }) => of('t', name)),
  ]
  return `ORDER BY ${entries.join(', ')}`
}

interface Calculated {
  readonly type: ColumnType
  readonly expression: string
}

function measured(key: string, { name, function: measure, column }: Measure, columns: Columns): Calculated {
  if (column === null) {
    if (measure === 'count') return { type: 'integer', expression: wholeNumber('count()') }
    if (measure === 'share') return { type: 'float', expression: shareSql('count()') }
    return refuse(`"${key}" has the measure "${name}" without a column; only count and share need none.`)
  }
  const value = of('t', column)
  const type = typeIn(key, columns, column)
  switch (measure) {
    case 'count':
      return { type: 'integer', expression: wholeNumber(`count(${value})`) }
    case 'count_distinct':
      return { type: 'integer', expression: wholeNumber(`uniqExact(${value})`) }
    case 'min':
    case 'max':
      return { type, expression: `${measure}(${value})` }
    case 'sum':
      return { type: numberIn(key, columns, column), expression: `sum(${value})` }
    case 'avg':
    case 'share':
      numberIn(key, columns, column)
      return { type: 'float', expression: measure === 'avg' ? `avg(${value})` : shareSql(`sum(${value})`) }
  }
}

function shareSql(part: string): string {
  return `toFloat64(${part}) / nullIf(toFloat64(sum(${part}) OVER ()), 0)`
}

function wholeNumber(expression: string): string {
  return `CAST(${expression} AS ${engineType('integer', 0)})`
}

function calculated(key: string, projected: Projected, columns: Columns, { scale }: CompileContext): Calculated {
  const typeOf = (name: string) => numberIn(key, columns, name)
  const number = (name: string, type: ColumnType) => castSql(of('t', name), typeOf(name), type, scale)
  switch (projected.kind) {
    case 'column':
      return { type: typeIn(key, columns, projected.column), expression: of('t', projected.column) }
    case 'ratio': {
      const [value, base] = [number(projected.of, 'float'), number(projected.by, 'float')]
      return { type: 'float', expression: `${value} / nullIf(${base}, 0)` }
    }
    case 'minus': {
      const type = commonType(typeOf(projected.from), typeOf(projected.subtract))
      return { type, expression: `${number(projected.from, type)} - ${number(projected.subtract, type)}` }
    }
  }
}

function numberIn(key: string, columns: Columns, name: string): ColumnType {
  const type = typeIn(key, columns, name)
  return isNumber(type) ? type : refuse(`"${key}" calculates with the column "${name}", but its type is ${type}.`)
}

function conditionSql(key: string, condition: Condition, columns: Columns, context: CompileContext): string {
  const { column, operator } = condition
  const type = typeIn(key, columns, column)
  const values = readFilterValues(condition, type)
  const comparisons = (symbol: string) => values.map(value => compared(column, type, symbol, value, context))
  switch (operator) {
    case 'is_null':
      return `${of('t', column)} IS NULL`
    case 'is_not_null':
      return `${of('t', column)} IS NOT NULL`
    case 'in':
      return `(${comparisons('=').join(' OR ')})`
    case 'not_in':
      return comparisons('!=').join(' AND ')
    default:
      return comparisons(operator).join(' AND ')
  }
}

/** Compares a column with a value in the type that holds both without loss. */
function compared(
  column: string,
  type: ColumnType,
  symbol: string,
  value: FilterValue,
  { scale, values }: CompileContext,
): string {
  const common = commonType(type, value.type)
  const wanted = Math.max(scale, value.scale)
  const left = common === type ? of('t', column) : castSql(of('t', column), type, common, wanted)
  const text = values.bind(value.text)
  const right = common === 'text' ? text : `CAST(${text} AS ${engineType(common, wanted)})`
  return `${left} ${symbol} ${right}`
}
