import { type Column, type Cte, deeper, type Place, type QueryContext, type ValueType } from './query-context.ts'
import { CORE, NARROW } from './write-from.ts'

/** Writes a WITH list and a space after it. Returns the names that are visible after it. */
export function writeWith(context: QueryContext, outer: Place): { readonly sql: string; readonly place: Place } {
  const { random } = context
  if (random.chance(0.08)) return writeRecursive(context, outer)
  const items = random.times(1 + random.int(3), () => context.names.fresh())
  let place = outer
  const written = items.map((name, index) => {
    const inner = { ...deeper(place), relations: [], later: items.slice(index) }
    const item = writeItem(context, name, inner)
    place = { ...place, ctes: [...place.ctes, ...item.ctes], values: [...place.values, ...item.values] }
    return item.sql
  })
  return { sql: `WITH ${written.join(', ')} `, place }
}

interface Item {
  readonly sql: string
  readonly ctes: readonly Cte[]
  readonly values: readonly Column[]
}

function writeItem(context: QueryContext, name: string, place: Place): Item {
  const { random, names, scope, mood } = context
  const cte = (columns: readonly Column[], sql: string): Item => ({ sql, ctes: [{ name, columns }], values: [] })
  const value = (type: ValueType, sql: string, use = name): Item => ({ sql, ctes: [], values: [{ name: use, type }] })
  return random.weighted<() => Item>([
    [3, () => cte(NARROW, `${name} AS (${context.select({ rows: NARROW, exact: true }, place).sql})`)],
    [4, () => cte(CORE, `${name} AS (${context.select({ rows: CORE }, place).sql})`)],
    [0.5, () => cte(NARROW, `${name}(id) AS (${context.select({ one: 'int' }, place).sql})`)],
    [0.4, () => cte(CORE, `${name} AS MATERIALIZED (${context.select({ rows: CORE }, place).sql})`)],
    [1, () => value('int', `${context.expression('int', place)} AS ${name}`)],
    [1, () => value('text', `${context.expression('text', place)} AS ${name}`)],
    [1, () => value('ints', `${random.pick(['[1, 2, 3]', '(1, 2)', context.expression('ints', place)])} AS ${name}`)],
    [1, () => value('int', `(${context.select({ one: 'int' }, place).sql} LIMIT 1) AS ${name}`)],
    [
      0.6,
      () => {
        const parameter = names.fresh()
        const body = context.expression('int', { ...place, values: [...place.values, { name: parameter, type: 'int' }] })
        return value('int', `${parameter} -> ${body} AS ${name}`, `${name}(1)`)
      },
    ],
    // Defines a bare name with an alias. After IN, the alias then means the same as the name.
    [
      0.5 + mood.oddity,
      () =>
        value('ints', `${random.chance(mood.reach * 2) ? names.anyTable('narrow') : narrowOf(scope.guard.tables)} AS ${name}`),
    ],
  ])()
}

function narrowOf(tables: ReadonlySet<string>): string {
  return [...tables].find(table => /\.(?:ids|id|keys)$/.test(table)) ?? 'ids'
}

/**
 * Writes `WITH RECURSIVE`. The second query reads the CTE itself. Sometimes the first one does so too, or reads a table of the same name.
 */
function writeRecursive(context: QueryContext, outer: Place): { readonly sql: string; readonly place: Place } {
  const { random, names, mood } = context
  const name = names.fresh()
  const start = context.select({ rows: NARROW, exact: true }, { ...deeper(outer), relations: [], later: [name] }).sql
  const step = random.pick([
    `SELECT id + 1 FROM ${name} WHERE id < 4`,
    `SELECT ${name}.id + 1 AS id FROM ${name} WHERE ${name}.id < 3`,
    `SELECT t1.id + 1 FROM ${name} AS t1 WHERE t1.id < 3 AND ${context.expression('bool', { ...deeper(outer), relations: [] })}`,
    `SELECT id + 1 FROM (SELECT * FROM ${name}) WHERE id < 3`,
  ])
  const union = random.chance(mood.reach) ? 'UNION DISTINCT' : 'UNION ALL'
  const first = random.chance(0.6) ? 'SELECT toInt64(1) AS id' : start
  return {
    sql: `WITH RECURSIVE ${name} AS (${first} ${union} ${step}) `,
    place: { ...outer, ctes: [...outer.ctes, { name, columns: NARROW }] },
  }
}
