import type { BoundValues } from './bound-values.ts'
import { type Columns, typeIn } from './columns.ts'
import { of, selectList } from './compile-combine.ts'
import { type FilterValue, readFilterValues } from './filter-value.ts'
import type { ColumnType, Condition, Measure, PostStep, Projected } from './plan.ts'
import { castSql, commonType, engineType } from './types.ts'

/** By which columns a result is ordered. It lasts until the rows are others. */
export type RowOrder = readonly { readonly column: string; readonly descending: boolean }[]

export interface StepContext {
  /** The relation with the rows of the step's input. */
  readonly from: string
  readonly input: Columns
  readonly order: RowOrder
  readonly scale: number
  readonly values: BoundValues
}

/** Returns the SELECT of one step. Undefined for a sort: it only changes the order, in which a limit and the answer read it. */
export function stepSql(step: PostStep, context: StepContext): string | undefined {
  const { from, input, order } = context
  switch (step.kind) {
    case 'filter':
      return `SELECT * FROM ${from} AS t\nWHERE ${step.conditions.map(condition => conditionSql(condition, context)).join('\n  AND ')}`
    case 'aggregate':
      return aggregateSql(step, context)
    case 'project':
      return `SELECT\n${selectList(step.columns.map(column => ({ name: column.name, expression: projectedSql(column, context) })))}\nFROM ${from} AS t`
    case 'sort':
      return undefined
    case 'limit':
      return `SELECT * FROM ${from} AS t\n${orderSql(order, input)} LIMIT ${step.rows}`
  }
}

/** Returns the order of the rows after a step. */
export function orderAfter(step: PostStep, order: RowOrder): RowOrder {
  switch (step.kind) {
    case 'filter':
    case 'limit':
      return order
    case 'aggregate':
      return []
    case 'sort':
      return step.by
    case 'project':
      return orderAfterProject(step.columns, order)
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
export function orderSql(order: RowOrder, columns: Columns): string {
  const rest = columns.filter(({ name }) => !order.some(({ column }) => column === name))
  const entries = [
    ...order.map(({ column, descending }) => `${of('t', column)}${descending ? ' DESC' : ''}`),
    ...rest.map(({ name }) => of('t', name)),
  ]
  return `ORDER BY ${entries.join(', ')}`
}

function aggregateSql({ by, measures }: Extract<PostStep, { kind: 'aggregate' }>, { from }: StepContext): string {
  const entries = [
    ...by.map(name => ({ name, expression: of('t', name) })),
    ...measures.map(measure => ({ name: measure.name, expression: measureSql(measure) })),
  ]
  const grouped = by.length === 0 ? '' : `\nGROUP BY ${by.map(name => of('t', name)).join(', ')}`
  return `SELECT\n${selectList(entries)}\nFROM ${from} AS t${grouped}`
}

function measureSql({ function: measure, column }: Measure): string {
  const value = column === null ? '' : of('t', column)
  switch (measure) {
    case 'count':
      return wholeNumber(`count(${value})`)
    case 'count_distinct':
      return wholeNumber(`uniqExact(${value})`)
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return `${measure}(${value})`
    case 'share': {
      const part = column === null ? 'count()' : `sum(${value})`
      return `toFloat64(${part}) / nullIf(toFloat64(sum(${part}) OVER ()), 0)`
    }
  }
}

function wholeNumber(expression: string): string {
  return `CAST(${expression} AS ${engineType('integer', 0)})`
}

function projectedSql(projected: Projected, { input, scale }: StepContext): string {
  const number = (name: string, type: ColumnType) => castSql(of('t', name), typeIn('', input, name), type, scale)
  switch (projected.kind) {
    case 'column':
      return of('t', projected.column)
    case 'ratio':
      return `${number(projected.of, 'float')} / nullIf(${number(projected.by, 'float')}, 0)`
    case 'minus': {
      const common = commonType(typeIn('', input, projected.from), typeIn('', input, projected.subtract))
      return `${number(projected.from, common)} - ${number(projected.subtract, common)}`
    }
  }
}

function conditionSql(condition: Condition, context: StepContext): string {
  const { column, operator } = condition
  const type = typeIn('', context.input, column)
  const comparisons = (symbol: string) =>
    readFilterValues(condition, type).map(value => compared(column, type, symbol, value, context))
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
function compared(column: string, type: ColumnType, symbol: string, value: FilterValue, { scale, values }: StepContext): string {
  const common = commonType(type, value.type)
  const wanted = Math.max(scale, value.scale)
  const left = common === type ? of('t', column) : castSql(of('t', column), type, common, wanted)
  const text = values.bind(value.text)
  const right = common === 'text' ? text : `CAST(${text} AS ${engineType(common, wanted)})`
  return `${left} ${symbol} ${right}`
}
