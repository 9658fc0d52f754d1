import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import type { BoundValues } from './bound-values.ts'
import { type Columns, nameFromRight, typeIn } from './columns.ts'
import type { ColumnPair, Combine, Compare, Join, Union } from './plan.ts'
import { castSql, commonType } from './types.ts'

/** A node's input: the relation that has its rows, and its columns. */
export interface Relation {
  readonly sql: string
  readonly columns: Columns
}

export interface CombineContext {
  readonly relationOf: (id: string) => Relation
  /** The columns of the node's own result. */
  readonly columns: Columns
  /** The scale of all decimals of the statement. */
  readonly scale: number
  readonly values: BoundValues
}

const JOINS = { inner: 'INNER JOIN', left: 'LEFT JOIN', full: 'FULL JOIN' } as const satisfies Record<Join['join'], string>
/** Marks the rows of a side of a compare. No name of a plan begins like this. */
const HERE = '_here'
/**
 * Floats that differ by less than this part of the larger one are the same. A sum of floats depends on the order of its rows, by
 * about 1e-12 for a million rows.
 */
const FLOAT_TOLERANCE = '1e-9'

/** Returns the SELECT of a combine. */
export function combineSql(combine: Combine, context: CombineContext): string {
  switch (combine.kind) {
    case 'standalone':
      return `SELECT * FROM ${context.relationOf(combine.input).sql}`
    case 'join':
      return joinSql(combine, context)
    case 'compare':
      return compareSql(combine, context)
    case 'union':
      return unionSql(combine, context)
  }
}

/** Returns a list of SELECT: each expression with its name, one a line. */
export function selectList(entries: readonly { readonly expression: string; readonly name: string }[]): string {
  return entries.map(({ expression, name }) => `  ${expression} AS ${quoteIdentifier(name)}`).join(',\n')
}

/** The expressions of one pair of `on`, in the type in which both sides compare. */
export function pairSql(pair: ColumnPair, sides: Sides, scale: number): { readonly left: string; readonly right: string } {
  const left = typeIn('', sides.left, pair.left)
  const right = typeIn('', sides.right, pair.right)
  const common = commonType(left, right)
  return {
    left: castSql(of('l', pair.left), left, common, scale),
    right: castSql(of('r', pair.right), right, common, scale),
  }
}

interface Sides {
  readonly left: Columns
  readonly right: Columns
}

/** A column by its table, because a bare name could also be an alias of the same SELECT. */
export function of(table: string, column: string): string {
  return `${table}.${quoteIdentifier(column)}`
}

function joinSql(join: Join, { relationOf, scale }: CombineContext): string {
  const left = relationOf(join.left)
  const right = relationOf(join.right)
  const sides = { left: left.columns, right: right.columns }
  const fromLeft = left.columns.map(({ name }) => {
    const pair = join.on.find(each => each.left === name)
    return { name, expression: pair === undefined ? of('l', name) : keySql(pair, join.join, sides, scale) }
  })
  const fromRight = right.columns.flatMap(({ name }) => {
    const given = nameFromRight(join, left.columns, name)
    return given === undefined ? [] : [{ name: given, expression: of('r', name) }]
  })
  return `SELECT
${selectList([...fromLeft, ...fromRight])}
FROM ${left.sql} AS l
${JOINS[join.join]} ${right.sql} AS r ON ${onSql(join.on, sides, scale)}`
}

/** A key's value: the left one, or in a full join the one of the side that has a row. */
function keySql(pair: ColumnPair, kind: Join['join'], sides: Sides, scale: number): string {
  const { left, right } = pairSql(pair, sides, scale)
  return kind === 'full' ? `coalesce(${left}, ${right})` : left
}

/** The condition of a join. A null meets nothing, not even another null. */
export function onSql(on: readonly ColumnPair[], sides: Sides, scale: number): string {
  return on
    .map(pair => {
      const { left, right } = pairSql(pair, sides, scale)
      return `${left} = ${right}`
    })
    .join(' AND ')
}

function compareSql(compare: Compare, { relationOf, scale }: CombineContext): string {
  const left = relationOf(compare.left)
  const right = relationOf(compare.right)
  const sides = { left: left.columns, right: right.columns }
  const keys = compare.on.map(pair => ({ name: pair.left, expression: keySql(pair, 'full', sides, scale) }))
  const values = compare.values.flatMap(pair => [
    { name: `${pair.left}_left`, expression: of('l', pair.left) },
    { name: `${pair.right}_right`, expression: of('r', pair.right) },
  ])
  const same = compare.values.map(pair => sameSql(pair, sides, scale)).join(' AND ')
  const status = `toNullable(multiIf(r.${HERE} IS NULL, 'only_left', l.${HERE} IS NULL, 'only_right', ${same}, 'same', 'different'))`
  return `SELECT
${selectList([...keys, ...values, { name: 'status', expression: status }])}
FROM (SELECT *, toNullable(1) AS ${HERE} FROM ${left.sql}) AS l
FULL JOIN (SELECT *, toNullable(1) AS ${HERE} FROM ${right.sql}) AS r ON ${onSql(compare.on, sides, scale)}`
}

/** Whether both values are the same. Two nulls are. */
function sameSql(pair: ColumnPair, sides: Sides, scale: number): string {
  const { left, right } = pairSql(pair, sides, scale)
  const isFloat = commonType(typeIn('', sides.left, pair.left), typeIn('', sides.right, pair.right)) === 'float'
  const near = `abs(${left} - ${right}) <= ${FLOAT_TOLERANCE} * greatest(abs(${left}), abs(${right}))`
  const equal = isFloat ? `(${left} = ${right} OR ${near})` : `${left} = ${right}`
  return `ifNull(${equal}, ${left} IS NULL AND ${right} IS NULL)`
}

function unionSql(union: Union, { relationOf, columns, scale, values }: CombineContext): string {
  return union.inputs
    .map(({ input, label }) => {
      const { sql, columns: own } = relationOf(input)
      const entries = columns.map(({ name, type }) => ({
        name,
        expression:
          name === union.tag ? `toNullable(${values.bind(label)})` : castSql(of('t', name), typeIn('', own, name), type, scale),
      }))
      return `SELECT\n${selectList(entries)}\nFROM ${sql} AS t`
    })
    .join('\nUNION ALL\n')
}
