import type { ColumnPair, Combine, Compare, Join, NodeId, PlanColumn, Union } from './plan.ts'
import { refuse } from './refusal.ts'
import { type Column, type CompileContext, distinct, of, type Relation, selectList, typeIn } from './relation.ts'
import { rowsPerKey } from './repeated-rows.ts'
import { castSql, commonType } from './types.ts'

const JOINS = { inner: 'INNER JOIN', left: 'LEFT JOIN', full: 'FULL JOIN' } as const satisfies Record<Join['join'], string>
/** Marks the rows of a side of a compare. No name of a plan begins like this. */
const HERE = '_here'
/**
 * Floats that differ by less than this part of the larger one are the same. A sum of floats depends on the order of its rows, by
 * about 1e-12 for a million rows.
 */
const FLOAT_TOLERANCE = '1e-9'

type Sides = Readonly<Record<'left' | 'right', Relation>>

/**
 * Compiles a combine to a SELECT, and checks its names and types.
 * @throws PlanRefusal
 */
export function compileCombine(combine: Combine, relationOf: (id: NodeId) => Relation, context: CompileContext): Relation {
  if (combine.kind === 'standalone') {
    const input = relationOf(combine.input)
    return { ...input, sql: context.define(`SELECT * FROM ${input.sql}`) }
  }
  const inputs = combine.kind === 'union' ? combine.inputs.map(({ input }) => input) : [combine.left, combine.right]
  const joins = [...inputs.flatMap(input => relationOf(input).joins), ...(context.report === undefined ? [] : [context.report])]
  if (combine.kind === 'union') return { ...compileUnion(combine, inputs.map(relationOf), context), order: [], joins }
  const sides = { left: relationOf(combine.left), right: relationOf(combine.right) }
  const compiled = combine.kind === 'join' ? compileJoin(combine, sides, context) : compileCompare(combine, sides, context)
  return { ...compiled, order: [], joins }
}

/**
 * Compiles the pairs of `on`, in the types in which both sides compare. A null meets nothing, not even another null.
 * @throws PlanRefusal
 */
export function compileKeys({ key, on }: Join | Compare, sides: Sides, scale: number): readonly Pair[] {
  return on.map(pair => {
    const compiled = compilePair(key, pair, sides, scale)
    const float = [compiled.left, compiled.right].find(({ type }) => type === 'float')
    if (float === undefined) return compiled
    return refuse(
      `"${key}" meets rows by "${float.name}", but floating-point numbers seldom are equal; use another key, or round it in its sub-query to a decimal.`,
    )
  })
}

/** Compiles a pair of columns in the type in which both compare. */
function compilePair(key: string, pair: ColumnPair, { left, right }: Sides, scale: number) {
  const one = { name: pair.left, type: typeIn(key, left.columns, pair.left) }
  const other = { name: pair.right, type: typeIn(key, right.columns, pair.right) }
  const type = commonType(one.type, other.type)
  return {
    left: { ...one, expression: castSql(of('l', one.name), one.type, type, scale) },
    right: { ...other, expression: castSql(of('r', other.name), other.type, type, scale) },
    type,
  }
}

type Pair = ReturnType<typeof compilePair>

/** A column of one side of a join or compare, under a name of its own. */
function shown(side: 'left' | 'right', column: PlanColumn & Column, { report }: CompileContext, name = column.name) {
  const sides = [...(column.sides ?? []), ...(report === undefined ? [] : [{ join: report, side }])]
  return { name, type: column.type, expression: of(side === 'left' ? 'l' : 'r', column.name), sides }
}

/** A key's value: the left one, or in a full join the one of the side that has a row. */
function keyColumn({ left, right, type }: Pair, isFull: boolean) {
  const expression = isFull ? `coalesce(${left.expression}, ${right.expression})` : left.expression
  return { name: left.name, type, expression, sides: [] }
}

function onSql(keys: readonly Pair[]): string {
  return keys.map(({ left, right }) => `${left.expression} = ${right.expression}`).join(' AND ')
}

function compileJoin(join: Join, sides: Sides, context: CompileContext): Pick<Relation, 'sql' | 'columns'> {
  const { left, right } = sides
  const pairs = compileKeys(join, sides, context.scale)
  const keys = pairs.map(pair => keyColumn(pair, join.join === 'full'))
  const isLeft = (name: string) => left.columns.some(column => column.name === name)
  const fromLeft = left.columns.map(column => keys.find(({ name }) => name === column.name) ?? shown('left', column, context))
  const fromRight = right.columns
    .filter(({ name }) => !join.on.some(pair => pair.right === name))
    .map(column => shown('right', column, context, isLeft(column.name) ? `${column.name}_right` : column.name))
  const columns = distinct(join.key, [...fromLeft, ...fromRight])
  const from = `${left.sql} AS l\n${JOINS[join.join]} ${right.sql} AS r ON ${onSql(pairs)}`
  return { columns, sql: context.define(`SELECT\n${selectList(columns)}\nFROM ${from}`) }
}

function compileCompare(compare: Compare, sides: Sides, context: CompileContext): Pick<Relation, 'sql' | 'columns'> {
  if (context.report?.multiplies) {
    refuse(`"${compare.key}" cannot compare its inputs: ${rowsPerKey(context.report)}. Ask for one row of each key.`)
  }
  const keys = compileKeys(compare, sides, context.scale)
  const values = compare.values.map(pair => compilePair(compare.key, pair, sides, context.scale))
  const same = values.map(sameSql).join(' AND ')
  const status = `toNullable(multiIf(r.${HERE} IS NULL, 'only_left', l.${HERE} IS NULL, 'only_right', ${same}, 'same', 'different'))`
  const columns = distinct(compare.key, [
    ...keys.map(pair => keyColumn(pair, true)),
    ...values.flatMap(({ left, right }) => [
      shown('left', left, context, `${left.name}_left`),
      shown('right', right, context, `${right.name}_right`),
    ]),
    { name: 'status', type: 'text' as const, expression: status, sides: [] },
  ])
  const sql = context.define(`SELECT
${selectList(columns)}
FROM (SELECT *, toNullable(1) AS ${HERE} FROM ${sides.left.sql}) AS l
FULL JOIN (SELECT *, toNullable(1) AS ${HERE} FROM ${sides.right.sql}) AS r ON ${onSql(keys)}`)
  return { columns, sql }
}

/** Whether both values are the same. Two nulls are. */
function sameSql({ left: { expression: left }, right: { expression: right }, type }: Pair): string {
  const near = `abs(${left} - ${right}) <= ${FLOAT_TOLERANCE} * greatest(abs(${left}), abs(${right}))`
  const equal = type === 'float' ? `(${left} = ${right} OR ${near})` : `${left} = ${right}`
  return `ifNull(${equal}, ${left} IS NULL AND ${right} IS NULL)`
}

function compileUnion({ key, tag, inputs: named }: Union, inputs: readonly Relation[], context: CompileContext) {
  const { scale, values, define } = context
  const [first, ...others] = inputs.map(({ columns }) => columns)
  const common = (first ?? []).map(({ name, type }) => ({
    name,
    type: others.reduce((known, columns) => commonType(known, typeIn(key, columns, name)), type),
    sides: inputs.flatMap(({ columns }) => columns.find(column => column.name === name)?.sides ?? []),
  }))
  const surplus = others.flat().find(({ name }) => !common.some(column => column.name === name))
  if (surplus !== undefined) refuse(`"${key}" unites results of unlike columns: "${surplus.name}" is not in all of them.`)
  const columns = distinct(key, [...common, { name: tag, type: 'text' as const, sides: [] }])
  const selects = inputs.map(({ sql, columns: own }, at) => {
    const entries = common.map(({ name, type }) => ({
      name,
      expression: castSql(of('t', name), typeIn(key, own, name), type, scale),
    }))
    const label = `toNullable(${values.bind(named[at]?.label ?? '')})`
    return `SELECT\n${selectList([...entries, { name: tag, expression: label }])}\nFROM ${sql} AS t`
  })
  return { columns, sql: define(selects.join('\nUNION ALL\n')) }
}
