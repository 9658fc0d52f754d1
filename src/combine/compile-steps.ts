import { readFilterValues } from './filter-value.ts'
import type { ColumnType, Condition, Measure, Post, PostStep, Projected } from './plan.ts'
import { refuse } from './refusal.ts'
import {
  type Columns,
  type CompileContext,
  columnIn,
  distinct,
  of,
  orderSql,
  type Relation,
  selectList,
  typeIn,
} from './relation.ts'
import { refuseRepeatedRows } from './repeated-rows.ts'
import { castSql, commonType, engineType, isNumber } from './types.ts'

/**
 * Compiles the steps of a post, and checks their names and types.
 * @throws PlanRefusal
 */
export function compilePost({ key, steps }: Post, input: Relation, context: CompileContext): Relation {
  let relation = input
  for (const step of steps) relation = { ...relation, ...compileStep(key, step, relation, context) }
  return relation
}

/** Returns the changes of a step. A sort only changes the order, in which a limit and the answer read the rows. */
function compileStep(key: string, step: PostStep, relation: Relation, context: CompileContext): Partial<Relation> {
  const { sql, columns, order } = relation
  const { define } = context
  switch (step.kind) {
    case 'filter': {
      const conditions = step.conditions.map(condition => conditionSql(key, condition, columns, context))
      return { sql: define(`SELECT * FROM ${sql} AS t\nWHERE ${conditions.join('\n  AND ')}`) }
    }
    case 'aggregate': {
      const grouping = step.by.map(name => columnIn(key, columns, name))
      const by = grouping.map(({ name, type }) => ({ name, type, expression: of('t', name) }))
      const measures = step.measures.map(measure => ({ name: measure.name, ...measured(key, measure, relation, grouping) }))
      const after = distinct(key, [...by, ...measures])
      const grouped = by.length === 0 ? '' : `\nGROUP BY ${by.map(({ expression }) => expression).join(', ')}`
      return { columns: after, order: [], joins: [], sql: define(`SELECT\n${selectList(after)}\nFROM ${sql} AS t${grouped}`) }
    }
    case 'project': {
      const projected = step.columns.map(column => ({
        name: column.name,
        sides: operandsOf(column).flatMap(name => columns.find(each => each.name === name)?.sides ?? []),
        ...calculated(key, column, columns, context),
      }))
      const after = distinct(key, projected)
      const select = `SELECT\n${selectList(after)}\nFROM ${sql} AS t`
      return { columns: after, order: orderAfterProject(step.columns, order), sql: define(select) }
    }
    case 'sort':
      for (const { column } of step.by) typeIn(key, columns, column)
      return { order: step.by }
    case 'limit':
      return { sql: define(`SELECT * FROM ${sql} AS t\n${orderSql(relation)} LIMIT ${step.rows}`) }
  }
}

/** All parts of a projection but its kind and name are columns. */
function operandsOf({ kind: _, name: __, ...operands }: Projected): readonly string[] {
  return Object.values(operands)
}

function orderAfterProject(columns: readonly Projected[], order: Relation['order']): Relation['order'] {
  const renamed = order.map(({ column, descending }) => {
    const kept = columns.find(each => each.kind === 'column' && each.column === column)
    return kept === undefined ? undefined : { column: kept.name, descending }
  })
  const lost = renamed.indexOf(undefined)
  return renamed.slice(0, lost < 0 ? renamed.length : lost).filter(entry => entry !== undefined)
}

interface Calculated {
  readonly type: ColumnType
  readonly expression: string
}

function measured(key: string, figure: Measure, relation: Relation, grouping: Columns): Calculated {
  const { name, function: measure, column } = figure
  const { columns } = relation
  const found = column === null ? undefined : columnIn(key, columns, column)
  refuseRepeatedRows(key, figure, relation, { column: found, grouping })
  if (column === null || found === undefined) {
    if (measure === 'count') return { type: 'integer', expression: wholeNumber('count()') }
    if (measure === 'share') return { type: 'float', expression: shareSql('count()') }
    return refuse(`"${key}" has the measure "${name}" without a column; only count and share need none.`)
  }
  const value = of('t', column)
  const { type } = found
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

/** Compares a column with each value in the type that holds both without loss. */
function conditionSql(key: string, condition: Condition, columns: Columns, { scale, values }: CompileContext): string {
  const { column, operator } = condition
  const type = typeIn(key, columns, column)
  const own = of('t', column)
  const wanted = readFilterValues(condition, type)
  if (operator === 'is_null') return `${own} IS NULL`
  if (operator === 'is_not_null') return `${own} IS NOT NULL`
  const symbol = operator === 'in' ? '=' : operator === 'not_in' ? '!=' : operator
  const comparisons = wanted.map(value => {
    const common = commonType(type, value.type)
    const widest = Math.max(scale, value.scale)
    const left = common === type ? own : castSql(own, type, common, widest)
    const text = values.bind(value.text)
    return `${left} ${symbol} ${common === 'text' ? text : `CAST(${text} AS ${engineType(common, widest)})`}`
  })
  return operator === 'in' ? `(${comparisons.join(' OR ')})` : comparisons.join(' AND ')
}
