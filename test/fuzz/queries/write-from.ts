import { type Column, deeper, type Place, type QueryContext, type Relation } from './query-context.ts'
import { written } from './write-condition.ts'
import { writeForbiddenTable } from './write-forbidden.ts'

export const WIDE: readonly Column[] = [
  { name: 'id', type: 'int' },
  { name: 'n', type: 'int' },
  { name: 'k', type: 'text' },
  { name: 'v', type: 'text' },
  { name: 'day', type: 'day' },
  { name: 'f', type: 'float' },
  { name: 'tags', type: 'texts' },
  { name: 'nums', type: 'ints' },
  { name: 'm', type: 'map' },
  { name: 'pair', type: 'pair' },
  { name: 'pair.a', type: 'int' },
  { name: 'secrets', type: 'int' },
  { name: 'alpha', type: 'text' },
  { name: 'nest.a', type: 'ints' },
  { name: 'nest.b', type: 'texts' },
]
export const NARROW: readonly Column[] = [{ name: 'id', type: 'int' }]
/** The columns that a CTE or subquery has if it replaces a wide table. */
export const CORE: readonly Column[] = WIDE.slice(0, 4)

export interface From {
  /** The clause, including the word FROM. Empty if the query has none. */
  readonly sql: string
  readonly relations: readonly Relation[]
  /** The values that an ARRAY JOIN in the clause defines. */
  readonly values: readonly Column[]
}

interface Table {
  readonly sql: string
  /** The column names that the alias itself defines, as in `AS t(a, b)`. Empty if there are none. */
  readonly named: readonly string[]
  readonly columns: readonly Column[]
  readonly stored: boolean
}

export function writeFrom(context: QueryContext, place: Place): From {
  const { random } = context
  if (random.chance(0.06)) return { sql: '', relations: [], values: [] }
  const first = aliased(context, writeTable(context, place), [], 0)
  let sql = first.sql
  const relations = [first.relation]
  const joins = place.depth > 1 && random.chance(0.3) ? 1 + random.int(2) : 0
  for (let index = 1; index <= joins; index += 1) {
    const next = aliased(context, writeTable(context, deeper(place)), relations, index)
    sql += writeJoin(context, relations.at(-1), next, { ...place, relations: [...relations, next.relation] })
    relations.push(next.relation)
  }
  const listed = joins === 0 && random.chance(0.1) ? writeArrayJoin(context, relations) : undefined
  return { sql: ` FROM ${sql}${listed?.sql ?? ''}`, relations, values: listed?.values ?? [] }
}

function writeTable(context: QueryContext, place: Place): Table {
  const { random, mood, scope } = context
  if (random.chance(mood.reach)) {
    const name = place.later.length > 0 && random.chance(0.4) ? random.pick(place.later) : writeForbiddenTable(context)
    return { sql: name, named: /^[\w.]+$/.test(name) ? [name] : [], columns: CORE, stored: false }
  }
  const inner = { ...deeper(place), relations: [] }
  return random.weighted<() => Table>([
    [place.ctes.length > 0 ? 6 : 0, () => cteTable(context, place)],
    [5, () => scopeTable(context, [...scope.guard.tables])],
    [place.depth > 1 ? 2 : 0, () => subquery(context, inner)],
    [0.6, () => random.pick(MADE)(context, inner)],
  ])()
}

function cteTable({ random }: QueryContext, place: Place): Table {
  const { name, columns } = random.pick(place.ctes)
  return { sql: name, named: [name], columns, stored: false }
}

function scopeTable({ random, scope }: QueryContext, tables: readonly string[]): Table {
  const table = random.pick(tables)
  const name = written(table, scope.guard.database, random.chance(0.6))
  const last = table.slice(table.indexOf('.') + 1)
  const isNarrow = ['ids', 'keys', 'id', 'x', 'n', 'y'].includes(last)
  return { sql: name, named: [last, table], columns: isNarrow ? NARROW : WIDE, stored: !isNarrow && last !== 'v_offer' }
}

function subquery(context: QueryContext, place: Place): Table {
  const rows = context.random.chance(0.5) ? CORE : NARROW
  const { sql } = context.select({ rows }, place)
  return { sql: `(${sql})`, named: [], columns: rows, stored: false }
}

const INT = (name: string): readonly Column[] => [{ name, type: 'int' }]
const MADE: readonly ((context: QueryContext, place: Place) => Table)[] = [
  () => ({ sql: 'numbers(3)', named: [], columns: INT('number'), stored: false }),
  () => ({ sql: 'numbers(1, 4)', named: [], columns: INT('number'), stored: false }),
  (context, place) => ({
    sql: `numbers(toUInt64(${context.random.chance(0.5) ? '2' : `abs(${context.expression('int', { ...place, depth: 1 })}) % 5`}))`,
    named: [],
    columns: INT('number'),
    stored: false,
  }),
  () => ({ sql: 'generateSeries(1, 5, 2)', named: [], columns: INT('generate_series'), stored: false }),
  () => ({
    sql: "values('id Int64, k String', (1, 'a'), (2, 'b'))",
    named: [],
    columns: [...INT('id'), { name: 'k', type: 'text' }],
    stored: false,
  }),
  () => ({ sql: "(VALUES (1, 'a'), (2, 'b'))", named: [], columns: [...INT('c1'), { name: 'c2', type: 'text' }], stored: false }),
]

interface Aliased {
  readonly sql: string
  readonly relation: Relation
}

/** Adds an alias to a table. Always does so if FROM has other tables, and otherwise sometimes. */
function aliased({ random, names }: QueryContext, table: Table, others: readonly Relation[], index: number): Aliased {
  const used = others.flatMap(({ qualifiers }) => qualifiers)
  const wished = names.fresh()
  const alias = used.includes(wished) ? `j${index}` : wished
  const modifiers = table.stored
    ? random.weighted([
        [8, ''],
        [1, ' FINAL'],
        [0.5, ' SAMPLE 1/2'],
        [0.3, ' FINAL SAMPLE 0.5 OFFSET 0.1'],
      ])
    : ''
  const isNamed = table.named.length > 0 && !table.named.some(name => used.includes(name))
  if (isNamed && random.chance(0.45)) {
    return { sql: table.sql + modifiers, relation: { qualifiers: table.named, columns: table.columns, stored: table.stored } }
  }
  return {
    sql: `${table.sql} AS ${alias}${modifiers}`,
    relation: { qualifiers: [alias], columns: table.columns, stored: table.stored },
  }
}

function writeJoin(context: QueryContext, left: Relation | undefined, { sql, relation }: Aliased, place: Place): string {
  const { random } = context
  const key = (one: Relation | undefined) => {
    const column = random.pick(one?.columns.filter(({ type }) => type === 'int') ?? NARROW)
    return `${one?.qualifiers.at(-1)}.${column.name}`
  }
  const on = `ON ${key(left)} = ${key(relation)}`
  const both = left?.columns.some(({ name }) => name === 'id') && relation.columns.some(({ name }) => name === 'id')
  return random.weighted<() => string>([
    [
      4,
      () =>
        ` ${random.pick(['JOIN', 'INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'LEFT OUTER JOIN', 'ALL JOIN'])} ${sql} ${on}`,
    ],
    [
      2,
      () =>
        ` ${random.pick(['ANY LEFT JOIN', 'LEFT SEMI JOIN', 'LEFT ANTI JOIN', 'INNER ANY JOIN', 'GLOBAL JOIN', 'ANY JOIN'])} ${sql} ${on}`,
    ],
    [both ? 2 : 0, () => ` ${random.pick(['JOIN', 'LEFT JOIN'])} ${sql} USING ${random.pick(['(id)', 'id'])}`],
    [1, () => `${random.pick([', ', ' CROSS JOIN '])}${sql}`],
    [1, () => ` JOIN ${sql} ${on} AND ${context.expression('bool', { ...place, depth: 1 })}`],
    [0.7, () => ` ASOF ${random.pick(['', 'LEFT '])}JOIN ${sql} ${on} AND ${key(left)} >= ${key(relation)}`],
    [0.4, () => ` PASTE JOIN ${sql}`],
    [0.2, () => ` NATURAL JOIN ${sql}`],
  ])()
}

function writeArrayJoin(
  context: QueryContext,
  relations: readonly Relation[],
): { sql: string; values: readonly Column[] } | undefined {
  const { random, names } = context
  const lists = relations[0]?.columns.filter(({ type }) => type === 'ints' || type === 'texts') ?? []
  if (lists.length === 0) return { sql: ` ARRAY JOIN [1, 2] AS aj`, values: [{ name: 'aj', type: 'int' }] }
  const list = random.pick(lists)
  const type = list.type === 'ints' ? 'int' : 'text'
  if (random.chance(0.15)) return { sql: ` ${random.pick(['ARRAY JOIN', 'LEFT ARRAY JOIN'])} nest`, values: [] }
  const name = names.fresh()
  return { sql: ` ${random.pick(['ARRAY JOIN', 'LEFT ARRAY JOIN'])} ${list.name} AS ${name}`, values: [{ name, type }] }
}
