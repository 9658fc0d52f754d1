import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import { BoundValues } from './bound-values.ts'
import { type Columns, distinct, typeIn } from './columns.ts'
import type { ColumnPair, Combine, Compare, Join, NodeId, PlanColumn, Union } from './plan.ts'
import { refuse } from './refusal.ts'
import { castSql, commonType } from './types.ts'

/** A node's input: the relation that has its rows, and its columns. */
export interface Relation {
  readonly sql: string
  readonly columns: Columns
}

export interface CompileContext {
  /** The scale of all decimals of the statement. */
  readonly scale: number
  readonly values: BoundValues
}

/** A context for those who need only the columns of a result. */
export function columnsOnly(): CompileContext {
  return { scale: 0, values: new BoundValues() }
}

/** A column of a combine, and the columns of its inputs that it shows. A key belongs to both sides, so it shows none. */
interface CombinedColumn extends PlanColumn {
  readonly from: readonly { readonly input: number; readonly name: string }[]
}

interface CompiledCombine {
  readonly columns: readonly CombinedColumn[]
  readonly select: string
}

const JOINS = { inner: 'INNER JOIN', left: 'LEFT JOIN', full: 'FULL JOIN' } as const satisfies Record<Join['join'], string>
/** Marks the rows of a side of a compare. No name of a plan begins like this. */
const HERE = '_here'
/**
 * Floats that differ by less than this part of the larger one are the same. A sum of floats depends on the order of its rows, by
 * about 1e-12 for a million rows.
 */
const FLOAT_TOLERANCE = '1e-9'

/** Returns the inputs of a combine, as its definition names them. */
export function inputsOf(combine: Combine): readonly NodeId[] {
  switch (combine.kind) {
    case 'standalone':
      return [combine.input]
    case 'join':
    case 'compare':
      return [combine.left, combine.right]
    case 'union':
      return combine.inputs.map(({ input }) => input)
  }
}

/**
 * Compiles a combine to a SELECT, and checks its names and types.
 * @throws PlanRefusal
 */
export function compileCombine(combine: Combine, relationOf: (id: NodeId) => Relation, context: CompileContext): CompiledCombine {
  switch (combine.kind) {
    case 'standalone': {
      const { sql, columns } = relationOf(combine.input)
      return { columns: columns.map(column => shown(0, column)), select: `SELECT * FROM ${sql}` }
    }
    case 'join':
      return compileJoin(combine, { left: relationOf(combine.left), right: relationOf(combine.right) }, context)
    case 'compare':
      return compileCompare(combine, { left: relationOf(combine.left), right: relationOf(combine.right) }, context)
    case 'union':
      return compileUnion(
        combine,
        combine.inputs.map(({ input, label }) => ({ ...relationOf(input), label })),
        context,
      )
  }
}

/** Returns a list of SELECT: each expression with its name, one a line. */
export function selectList(entries: readonly { readonly expression: string; readonly name: string }[]): string {
  return entries.map(({ expression, name }) => `  ${expression} AS ${quoteIdentifier(name)}`).join(',\n')
}

/** A column by its table, because a bare name could also be an alias of the same SELECT. */
export function of(table: string, column: string): string {
  return `${table}.${quoteIdentifier(column)}`
}

interface Sides {
  readonly left: Relation
  readonly right: Relation
}

/**
 * Compiles the pairs of `on`, in the types in which both sides compare. A null meets nothing, not even another null.
 * @throws PlanRefusal
 */
export function compileKeys({ key, on }: Join | Compare, sides: Sides, scale: number) {
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

function shown(input: number, { name, type }: PlanColumn, as = name) {
  return { name: as, type, expression: of(input === 0 ? 'l' : 'r', name), from: [{ input, name }] }
}

/** A key's value: the left one, or in a full join the one of the side that has a row. */
function keyColumn({ left, right, type }: Pair, isFull: boolean) {
  const expression = isFull ? `coalesce(${left.expression}, ${right.expression})` : left.expression
  return { name: left.name, type, expression, from: [] }
}

function onSql(keys: readonly Pair[]): string {
  return keys.map(({ left, right }) => `${left.expression} = ${right.expression}`).join(' AND ')
}

function compileJoin(join: Join, sides: Sides, { scale }: CompileContext): CompiledCombine {
  const { left, right } = sides
  const pairs = compileKeys(join, sides, scale)
  const keys = pairs.map(pair => keyColumn(pair, join.join === 'full'))
  const fromLeft = left.columns.map(column => keys.find(({ name }) => name === column.name) ?? shown(0, column))
  const fromRight = right.columns
    .filter(({ name }) => !join.on.some(pair => pair.right === name))
    .map(column => shown(1, column, left.columns.some(({ name }) => name === column.name) ? `${column.name}_right` : column.name))
  const columns = distinct(join.key, [...fromLeft, ...fromRight])
  const from = `${left.sql} AS l\n${JOINS[join.join]} ${right.sql} AS r ON ${onSql(pairs)}`
  return { columns, select: `SELECT\n${selectList(columns)}\nFROM ${from}` }
}

function compileCompare(compare: Compare, sides: Sides, { scale }: CompileContext): CompiledCombine {
  const keys = compileKeys(compare, sides, scale)
  const values = compare.values.map(pair => compilePair(compare.key, pair, sides, scale))
  const same = values.map(sameSql).join(' AND ')
  const status = `toNullable(multiIf(r.${HERE} IS NULL, 'only_left', l.${HERE} IS NULL, 'only_right', ${same}, 'same', 'different'))`
  const columns = distinct(compare.key, [
    ...keys.map(pair => keyColumn(pair, true)),
    ...values.flatMap(({ left, right }) => [shown(0, left, `${left.name}_left`), shown(1, right, `${right.name}_right`)]),
    { name: 'status', type: 'text' as const, expression: status, from: [] },
  ])
  const select = `SELECT
${selectList(columns)}
FROM (SELECT *, toNullable(1) AS ${HERE} FROM ${sides.left.sql}) AS l
FULL JOIN (SELECT *, toNullable(1) AS ${HERE} FROM ${sides.right.sql}) AS r ON ${onSql(keys)}`
  return { columns, select }
}

/** Whether both values are the same. Two nulls are. */
function sameSql({ left: { expression: left }, right: { expression: right }, type }: Pair): string {
  const near = `abs(${left} - ${right}) <= ${FLOAT_TOLERANCE} * greatest(abs(${left}), abs(${right}))`
  const equal = type === 'float' ? `(${left} = ${right} OR ${near})` : `${left} = ${right}`
  return `ifNull(${equal}, ${left} IS NULL AND ${right} IS NULL)`
}

function compileUnion(
  { key, tag }: Union,
  inputs: readonly (Relation & { readonly label: string })[],
  { scale, values }: CompileContext,
): CompiledCombine {
  const [first, ...others] = inputs.map(({ columns }) => columns)
  const common = (first ?? []).map(({ name, type }) => ({
    name,
    type: others.reduce((known, columns) => commonType(known, typeIn(key, columns, name)), type),
    from: inputs.map((_, input) => ({ input, name })),
  }))
  const surplus = others.flat().find(({ name }) => !common.some(column => column.name === name))
  if (surplus !== undefined) refuse(`"${key}" unites results of unlike columns: "${surplus.name}" is not in all of them.`)
  const columns = distinct(key, [...common, { name: tag, type: 'text' as const, from: [] }])
  const selects = inputs.map(({ sql, columns: own, label }) => {
    const entries = common.map(({ name, type }) => ({
      name,
      expression: castSql(of('t', name), typeIn(key, own, name), type, scale),
    }))
    return `SELECT\n${selectList([...entries, { name: tag, expression: `toNullable(${values.bind(label)})` }])}\nFROM ${sql} AS t`
  })
  return { columns, select: selects.join('\nUNION ALL\n') }
}
