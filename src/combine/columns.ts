import { readFilterValues } from './filter-value.ts'
import type {
  ColumnPair,
  ColumnType,
  Combine,
  Compare,
  Join,
  Measure,
  PlanColumn,
  Post,
  PostStep,
  Projected,
  Union,
} from './plan.ts'
import { PLAN_NAME } from './plan.ts'
import { refuse } from './refusal.ts'
import { commonType, isNumber } from './types.ts'

export type Columns = readonly PlanColumn[]

/**
 * Returns the columns of a combine's result, and checks its names and types.
 * @param columnsOf returns the columns of the input that the definition names by this key
 * @throws PlanRefusal
 */
export function columnsOfCombine(combine: Combine, columnsOf: (key: string) => Columns): Columns {
  switch (combine.kind) {
    case 'standalone':
      return columnsOf(combine.input)
    case 'join':
      return columnsOfJoin(combine, columnsOf(combine.left), columnsOf(combine.right))
    case 'compare':
      return columnsOfCompare(combine, columnsOf(combine.left), columnsOf(combine.right))
    case 'union':
      return columnsOfUnion(
        combine,
        combine.inputs.map(({ input }) => columnsOf(input)),
      )
  }
}

/** The name that a join gives a column of its right side. Undefined for a column of `on`, which the left side has already. */
export function nameFromRight(join: Join, left: Columns, name: string): string | undefined {
  if (join.on.some(pair => pair.right === name)) return undefined
  return left.some(column => column.name === name) ? `${name}_right` : name
}

function columnsOfJoin(join: Join, left: Columns, right: Columns): Columns {
  const keys = keyColumns(join, left, right)
  const fromLeft = left.map(column => keys.find(({ name }) => name === column.name) ?? column)
  const fromRight = right.flatMap(({ name, type }) => {
    const given = nameFromRight(join, left, name)
    return given === undefined ? [] : [{ name: given, type }]
  })
  return distinct(join.key, [...fromLeft, ...fromRight])
}

function columnsOfCompare(compare: Compare, left: Columns, right: Columns): Columns {
  const keys = keyColumns(compare, left, right)
  const values = compare.values.flatMap(pair => [
    { name: `${pair.left}_left`, type: typeIn(compare.key, left, pair.left) },
    { name: `${pair.right}_right`, type: typeIn(compare.key, right, pair.right) },
  ])
  return distinct(compare.key, [...keys, ...values, { name: 'status', type: 'text' }])
}

/** Returns the columns of `on`, with the left one's names and the types in which both sides compare. */
function keyColumns({ key, on }: { key: string; on: readonly ColumnPair[] }, left: Columns, right: Columns): Columns {
  return on.map(pair => {
    const one = typeIn(key, left, pair.left)
    const other = typeIn(key, right, pair.right)
    if (one === 'float' || other === 'float') {
      const name = one === 'float' ? pair.left : pair.right
      return refuse(
        `"${key}" meets rows by "${name}", but floating-point numbers seldom are equal; use another key, or round it in its sub-query to a decimal.`,
      )
    }
    return { name: pair.left, type: commonType(one, other) }
  })
}

function columnsOfUnion({ key, tag }: Union, inputs: readonly Columns[]): Columns {
  const [first = [], ...others] = inputs
  const columns = first.map(({ name, type }) => ({
    name,
    type: others.reduce((common, columns) => commonType(common, typeIn(key, columns, name)), type),
  }))
  const surplus = others.flat().find(({ name }) => !first.some(column => column.name === name))
  if (surplus !== undefined) {
    return refuse(`"${key}" unites results of unlike columns: "${surplus.name}" is not in all of them.`)
  }
  return distinct(key, [...columns, { name: tag, type: 'text' }])
}

/**
 * Returns the columns after each step of a post, and checks the steps.
 * @throws PlanRefusal
 */
export function columnsOfSteps(post: Post, input: Columns): readonly Columns[] {
  let columns = input
  return post.steps.map(step => {
    columns = columnsOfStep(post.key, step, columns)
    return columns
  })
}

function columnsOfStep(key: string, step: PostStep, columns: Columns): Columns {
  switch (step.kind) {
    case 'filter':
      for (const condition of step.conditions) readFilterValues(condition, typeIn(key, columns, condition.column))
      return columns
    case 'aggregate': {
      const by = step.by.map(name => ({ name, type: typeIn(key, columns, name) }))
      return distinct(key, [
        ...by,
        ...step.measures.map(measure => ({ name: measure.name, type: measureType(key, measure, columns) })),
      ])
    }
    case 'project':
      return distinct(
        key,
        step.columns.map(column => ({ name: column.name, type: projectedType(key, column, columns) })),
      )
    case 'sort':
      for (const { column } of step.by) typeIn(key, columns, column)
      return columns
    case 'limit':
      return columns
  }
}

function measureType(key: string, measure: Measure, columns: Columns): ColumnType {
  const { column } = measure
  if (column === null) {
    if (measure.function === 'count') return 'integer'
    if (measure.function === 'share') return 'float'
    return refuse(`"${key}" has the measure "${measure.name}" without a column; only count and share need none.`)
  }
  const type = typeIn(key, columns, column)
  switch (measure.function) {
    case 'count':
    case 'count_distinct':
      return 'integer'
    case 'min':
    case 'max':
      return type
    case 'sum':
      return numberType(key, column, type)
    case 'avg':
    case 'share':
      numberType(key, column, type)
      return 'float'
  }
}

function projectedType(key: string, projected: Projected, columns: Columns): ColumnType {
  const numberIn = (name: string) => numberType(key, name, typeIn(key, columns, name))
  switch (projected.kind) {
    case 'column':
      return typeIn(key, columns, projected.column)
    case 'ratio':
      numberIn(projected.of)
      numberIn(projected.by)
      return 'float'
    case 'minus':
      return commonType(numberIn(projected.from), numberIn(projected.subtract))
  }
}

function numberType(key: string, name: string, type: ColumnType): ColumnType {
  return isNumber(type) ? type : refuse(`"${key}" calculates with the column "${name}", but its type is ${type}.`)
}

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
export function distinct(key: string, columns: Columns): Columns {
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
