import { type Column, deeper, type Place, type QueryContext, type ValueType } from './query-context.ts'
import { writeCondition } from './write-condition.ts'
import { writeForbiddenCall } from './write-forbidden.ts'

type Maker = (context: QueryContext, place: Place) => string

const LITERALS: Readonly<Record<ValueType, readonly string[]>> = {
  int: ['0', '1', '2', '7', '-3', '0x1F', '1_000'],
  text: ["'a'", "'k'", "'it''s'", "''", "'FROM secrets'", "'a, identifier: secrets'", "'x\\ny'"],
  day: ["toDate('2026-01-05')", "DATE '2026-01-02'", "'2026-01-03'::Date"],
  float: ['0.5', '1e3', 'toFloat64(3)', 'pi()'],
  ints: ['[1, 2, 3]', "CAST([], 'Array(Int64)')", 'range(3)', 'array(1, 3)'],
  texts: ["['a', 'b']", "splitByChar(',', 'a,b')"],
  map: ["map('k', 'x')", "CAST(map('a', 'b'), 'Map(String, String)')"],
  pair: ["(1, 'x')", "tuple(2, 'y')"],
  bool: ['1', 'true', '0', 'NOT false'],
}

/** Writes a random expression that returns a value of this type. */
export function writeExpression(context: QueryContext, type: ValueType, place: Place): string {
  const { random, mood } = context
  if (random.chance(mood.reach * 0.4)) return writeForbiddenCall(context, type, place)
  if (place.depth <= 0 || random.chance(0.35)) return writeLeaf(context, type, place)
  const inner = deeper(place)
  if (random.chance(0.08)) return `(${context.select({ one: type }, withoutRelations(inner, context)).sql} LIMIT 1)`
  if (type === 'bool') return writeCondition(context, inner)
  if (random.chance(0.06)) return writeBranches(context, type, inner)
  if (random.chance(0.03 + mood.oddity * 0.1)) {
    // An alias that is defined inside an expression is visible in the whole query.
    return `(${writeExpression(context, type, inner)} AS ${context.names.fresh()})`
  }
  return random.pick(MAKERS[type])(context, inner)
}

/** Usually removes the tables of outer queries. In most places, the engine does not allow subqueries that use them. */
function withoutRelations(place: Place, { random }: QueryContext): Place {
  return random.chance(0.05) ? place : { ...place, relations: [], values: place.values.filter(() => random.chance(0.3)) }
}

function writeLeaf({ random, mood, names }: QueryContext, type: ValueType, place: Place): string {
  if (random.chance(mood.reach * 0.2)) return names.taken()
  const known = place.values.filter(value => value.type === type)
  if (known.length > 0 && random.chance(0.35)) return random.pick(known).name
  const relation = place.relations.length > 0 ? random.pick(place.relations) : undefined
  const columns = relation?.columns.filter(column => column.type === type) ?? []
  if (relation === undefined || columns.length === 0 || random.chance(0.15)) return random.pick(LITERALS[type])
  return reference(random.pick(columns), relation, place, random.chance(0.3))
}

/** Writes the name of a column. If the name is ambiguous, puts the table's name before it. */
export function reference(column: Column, relation: Place['relations'][number], place: Place, qualify: boolean): string {
  const last = relation.qualifiers.at(-1)
  const [first] = relation.qualifiers
  const isAlone = place.relations.length === 1
  if (last === undefined || (isAlone && !qualify)) return column.name
  return `${isAlone && column.name.length % 2 === 0 ? first : last}.${column.name}`
}

function writeBranches(context: QueryContext, type: ValueType, place: Place): string {
  const value = () => context.expression(type, place)
  const test = () => context.expression('bool', place)
  return context.random.pick([
    () => `if(${test()}, ${value()}, ${value()})`,
    () => `(${test()} ? ${value()} : ${value()})`,
    () => `CASE WHEN ${test()} THEN ${value()} ELSE ${value()} END`,
    () => `CASE ${context.expression('int', place)} WHEN 1 THEN ${value()} WHEN 2 THEN ${value()} ELSE ${value()} END`,
    () => `multiIf(${test()}, ${value()}, ${test()}, ${value()}, ${value()})`,
    () => `materialize(${value()})`,
    () => `identity(${value()})`,
  ])()
}

/** Writes a function that applies a lambda to a list, such as `arrayMap(x -> x + 1, list)`. The parameter may have any name. */
function lambda(context: QueryContext, from: ValueType, to: ValueType, place: Place): string {
  const name = context.names.fresh()
  const body = context.expression(to, { ...place, values: [...place.values, { name, type: from }] })
  return context.random.chance(0.5) ? `${name} -> ${body}` : `(${name}) -> (${body})`
}

const int: Maker = (context, place) => context.expression('int', place)
const text: Maker = (context, place) => context.expression('text', place)
const ints: Maker = (context, place) => context.expression('ints', place)
const texts: Maker = (context, place) => context.expression('texts', place)

const MAKERS: Readonly<Record<Exclude<ValueType, 'bool'>, readonly Maker[]>> = {
  int: [
    (c, p) => `${int(c, p)} + ${int(c, p)}`,
    (c, p) => `(${int(c, p)} - ${int(c, p)}) * 2`,
    (c, p) => `-(${int(c, p)})`,
    (c, p) => `intDiv(${int(c, p)}, 3)`,
    (c, p) => `(${int(c, p)}) % 7`,
    (c, p) => `toInt64(length(${text(c, p)}))`,
    (c, p) => `toInt64(length(${ints(c, p)}))`,
    (c, p) => `arraySum(${ints(c, p)})`,
    (c, p) => `arraySum(${lambda(c, 'int', 'int', p)}, ${ints(c, p)})`,
    (c, p) => `arrayFold((acc, e) -> acc + e, ${ints(c, p)}, toInt64(0))`,
    (c, p) => `toInt64(arrayCount(${lambda(c, 'text', 'bool', p)}, ${texts(c, p)}))`,
    (c, p) => `arrayElement(${ints(c, p)}, 1)`,
    (c, p) => `(${c.expression('pair', p)}).1`,
    (c, p) => `tupleElement(${c.expression('pair', p)}, 1)`,
    (c, p) => `(${text(c, p)} = 'a')::Int64`,
    (c, p) => `CAST(${int(c, p)} AS Int64)`,
    (c, p) => `toInt64OrZero(${text(c, p)})`,
    (c, p) => `coalesce(nullIf(${int(c, p)}, 1), 0)`,
    (c, p) => `greatest(${int(c, p)}, ${int(c, p)})`,
    (c, p) => `toInt64(toYear(${c.expression('day', p)}))`,
    (c, p) => `dateDiff('day', ${c.expression('day', p)}, toDate('2026-02-01'))`,
    (c, p) => `EXTRACT(DAY FROM ${c.expression('day', p)})`,
    (c, p) => `toInt64(indexOf(${ints(c, p)}, 1))`,
    (c, p) => `toInt64(cityHash64(${text(c, p)}) % 9)`,
    (c, p) => `arrayReduce('sum', ${ints(c, p)})`,
  ],
  text: [
    (c, p) => `concat(${text(c, p)}, ${text(c, p)})`,
    (c, p) => `${text(c, p)} || ${text(c, p)}`,
    (c, p) => `upper(${text(c, p)})`,
    (c, p) => `substring(${text(c, p)}, 1, 2)`,
    (c, p) => `toString(${int(c, p)})`,
    (c, p) => `(${c.expression('map', p)})['k']`,
    (c, p) => `arrayElement(${texts(c, p)}, 1)`,
    (c, p) => `(${c.expression('pair', p)}).2`,
    (c, p) => `arrayStringConcat(${texts(c, p)}, '-')`,
    (c, p) => `arrayStringConcat(arrayMap(${lambda(c, 'int', 'text', p)}, ${ints(c, p)}))`,
    (c, p) => `replaceAll(${text(c, p)}, 'a', 'b')`,
    (c, p) => `CAST(${int(c, p)}, 'String')`,
    (c, p) => `formatDateTime(${c.expression('day', p)}, '%Y-%m')`,
    (c, p) => `transform(${text(c, p)}, ['a', 'b'], ['x', 'y'], 'z')`,
    (c, p) => `format('{} {}', ${text(c, p)}, ${int(c, p)}::String)`,
  ],
  day: [
    (c, p) => `${c.expression('day', p)} + INTERVAL 1 DAY`,
    (c, p) => `toStartOfMonth(${c.expression('day', p)})`,
    (c, p) => `addDays(${c.expression('day', p)}, 3)`,
    (c, p) => `toDate(date_trunc('week', ${c.expression('day', p)}))`,
  ],
  float: [
    (c, p) => `round(${c.expression('float', p)}, 2)`,
    (c, p) => `${c.expression('float', p)} * 2`,
    (c, p) => `toFloat64(${int(c, p)})`,
    (c, p) => `sqrt(abs(${c.expression('float', p)}))`,
    (c, p) => `${int(c, p)} / 2`,
  ],
  ints: [
    (c, p) => `arrayMap(${lambda(c, 'int', 'int', p)}, ${ints(c, p)})`,
    (c, p) => `arrayFilter(${lambda(c, 'int', 'bool', p)}, ${ints(c, p)})`,
    (c, p) => `arraySort(${lambda(c, 'int', 'int', p)}, ${ints(c, p)})`,
    (c, p) => `arrayConcat(${ints(c, p)}, ${ints(c, p)})`,
    (c, p) => `arrayDistinct(${ints(c, p)})`,
    (c, p) => `[${int(c, p)}, ${int(c, p)}]`,
    (c, p) => `arrayMap(${lambda(c, 'text', 'int', p)}, ${texts(c, p)})`,
    (c, p) => `arrayMap((e, ${c.names.fresh()}) -> e, ${ints(c, p)}, [1, 2, 3])`,
    (c, p) => `arrayMap(negate, ${ints(c, p)})`,
  ],
  texts: [
    (c, p) => `arrayMap(${lambda(c, 'text', 'text', p)}, ${texts(c, p)})`,
    (c, p) => `[${text(c, p)}, ${text(c, p)}]`,
    (c, p) => `mapKeys(${c.expression('map', p)})`,
    (c, p) => `arrayMap(upper, ${texts(c, p)})`,
    (c, p) => `arrayDistinct(${texts(c, p)})`,
  ],
  map: [
    (c, p) => `map(${text(c, p)}, ${text(c, p)})`,
    (c, p) => `mapFilter((kk, vv) -> ${c.expression('bool', p)}, ${c.expression('map', p)})`,
    (c, p) => `mapApply((kk, vv) -> (kk, ${text(c, p)}), ${c.expression('map', p)})`,
  ],
  pair: [(c, p) => `(${int(c, p)}, ${text(c, p)})`, (c, p) => `tuple(${int(c, p)}, ${text(c, p)})`],
}
