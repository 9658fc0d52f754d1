import { deeper, type Place, type QueryContext } from './query-context.ts'

/** Writes a random condition. Many have a name after IN, because the guard finds those hardest to judge. */
export function writeCondition(context: QueryContext, place: Place): string {
  const { random } = context
  if (random.chance(0.35)) return writeIn(context, place)
  const int = () => context.expression('int', place)
  const text = () => context.expression('text', place)
  const test = () => context.expression('bool', place)
  const subquery = () => context.select({ one: 'int' }, { ...deeper(place), relations: [], values: [] }).sql
  return random.pick([
    () => `${int()} ${random.pick(['=', '!=', '<', '>=', '<=>', '<>', '=='])} ${int()}`,
    () => `(${test()} AND ${test()})`,
    () => `(${test()} OR NOT ${test()})`,
    () => `${text()} ${random.pick(['LIKE', 'ILIKE', 'NOT LIKE', 'REGEXP'])} 'a%'`,
    () => `${int()} BETWEEN 0 AND 9`,
    () => `${text()} IS NOT NULL`,
    () => `isNull(${int()})`,
    () => `has(${context.expression('ints', place)}, ${int()})`,
    () => `startsWith(${text()}, 'a')`,
    () => `match(${text()}, '^a')`,
    () => `empty(${context.expression('texts', place)})`,
    () => `arrayExists(${context.random.pick(['e', 'x', 'ids', 'secrets'])} -> ${test()}, ${context.expression('ints', place)})`,
    () => `EXISTS (${subquery()})`,
    () => `NOT EXISTS (${subquery()})`,
    () => `${int()} ${random.pick(['= ANY', '!= ALL', '> ALL', '< ANY', '= SOME'])} (${subquery()})`,
    () => `${int()} IS DISTINCT FROM ${int()}`,
    () => `xor(${test()}, ${test()})`,
    () => `(${test()}) IS TRUE`,
    () => `mapContains(${context.expression('map', place)}, ${text()})`,
    () => `hasAny(${context.expression('texts', place)}, ['a'])`,
  ])()
}

function writeIn(context: QueryContext, place: Place): string {
  const { random, mood } = context
  const left = context.expression('int', place)
  const right = writeInOperand(context, place)
  if (random.chance(0.12)) {
    const pair = `(${left}, ${context.expression('text', place)})`
    return `${pair} ${random.pick(['IN', 'NOT IN'])} ${pairOperand(context, place)}`
  }
  if (random.chance(0.08 + mood.oddity * 0.1)) {
    const name = random.pick([
      'in',
      'notIn',
      'globalIn',
      'globalNotIn',
      'nullIn',
      'notNullIn',
      'globalNullIn',
      'inIgnoreSet',
      'notInIgnoreSet',
    ])
    return `${name}(${left}, ${right})`
  }
  return `${left} ${random.weighted([
    [6, 'IN'],
    [2, 'NOT IN'],
    [1, 'GLOBAL IN'],
    [1, 'GLOBAL NOT IN'],
  ])} ${right}`
}

/** Writes the part after IN: literals, a subquery, or the name of a table, CTE or value. Sometimes it is of an unexpected kind. */
function writeInOperand(context: QueryContext, place: Place): string {
  const { random, names, mood, scope } = context
  if (random.chance(mood.reach)) return random.chance(0.5) ? names.anyTable('narrow') : names.taken()
  const inScope = [...scope.guard.tables].filter(table => NARROW.test(table))
  const ctes = place.ctes.filter(cte => cte.columns.length === 1 && cte.columns[0]?.type === 'int')
  const values = place.values.filter(value => value.type === 'ints')
  return random.weighted<() => string>([
    [3, () => random.pick(['(1, 2, 3)', '[1, 2]', '(1)', 'tuple(1, 2)', '(-1, 0, 7)'])],
    [3, () => `(${context.select({ one: 'int' }, { ...deeper(place), relations: [], values: [] }).sql})`],
    [inScope.length > 0 ? 3 : 0, () => written(random.pick(inScope), scope.guard.database, random.chance(0.6))],
    [ctes.length > 0 ? 5 : 0, () => random.pick(ctes).name],
    [values.length > 0 ? 3 : 0, () => random.pick(values).name],
    [ctes.length > 0 ? 1 : 0, () => `(${random.pick(ctes).name})`],
  ])()
}

function pairOperand(context: QueryContext, place: Place): string {
  return context.random.chance(0.5)
    ? "((1, 'a'), (2, 'b'))"
    : `(${
        context.select(
          {
            rows: [
              { name: 'i', type: 'int' },
              { name: 't', type: 'text' },
            ],
          },
          { ...deeper(place), relations: [], values: [] },
        ).sql
      })`
}

const NARROW = /\.(?:ids|keys|id|x|n|y)$/

/** Writes a table as `database.table`. With `short`, leaves out the database if it is the current one. */
export function written(table: string, database: string, short: boolean): string {
  return short && table.startsWith(`${database}.`) ? table.slice(database.length + 1) : table
}
