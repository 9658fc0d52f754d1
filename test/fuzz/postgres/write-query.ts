import type { Random } from '../random.ts'

/** A table of a random query, under the alias by which its columns are written. */
interface Source {
  readonly alias: string
  readonly columns: readonly string[]
}

/** Allowed tables, and some that are not. The reader of the test may read some of the columns only. */
const TABLES: readonly (readonly [weight: number, table: string, columns: readonly string[]])[] = [
  [5, 'shop.customers', ['id', 'name', 'country', 'tags', 'profile', 'home', '"creditLimit"', 'created_at']],
  [5, 'shop.orders', ['id', 'customer_id', 'status', 'amount', 'ordered_at', 'shipped_on', 'note']],
  [3, 'shop.items', ['order_id', 'product_id', 'quantity', 'price']],
  [3, 'shop.products', ['id', 'name', 'category', 'price', 'weight', 'attributes']],
  [2, 'shop.events', ['id', 'customer_id', 'kind', 'at', 'payload', 'valid']],
  [2, 'shop.revenue', ['month', 'amount']],
  [0.3, 'secret.payroll', ['employee_id', 'salary', 'grade']],
  [0.2, 'shop.payroll_view', ['salary']],
  [0.2, 'pg_catalog.pg_class', ['relname', 'oid']],
]
/** Columns that may not be read, or that only some tables have. */
const ODD_COLUMNS = ['email', 'ctid', 'tableoid', 'id', 'name', 'price', 'salary']
const CALLS = [
  'upper($)',
  'length($::text)',
  'md5($::text)',
  'coalesce($, $)',
  'concat($, $)',
  'to_jsonb($)',
  'nullif($, $)',
  '($)::text',
]
const ODD_CALLS = [
  'shop.upper($::text)',
  'pg_typeof($)',
  'row_to_json($)',
  'shop.leak($)',
  '$::regclass',
  'current_setting($::text)',
  'query_to_xml($, true, true, $)',
]
const AGGREGATES = [
  'count(*)',
  'count($)',
  'count(DISTINCT $)',
  'max($::text)',
  'array_agg($)',
  'string_agg($::text, $$,$$ ORDER BY $)',
  'json_agg($)',
  'min($::text) FILTER (WHERE $ IS NOT NULL)',
]
const WINDOWS = [
  'row_number() OVER (ORDER BY $)',
  'lag($) OVER (PARTITION BY $ ORDER BY $)',
  'count($) OVER (ORDER BY $ ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
  'rank() OVER w',
]
const SET_OPERATIONS = ['UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT']

/** Writes a random query. Most are right, and some read what they must not, in one of many ways. */
export function writeQuery(random: Random): string {
  const ctes = random.chance(0.25) ? random.times(1 + random.int(2), at => `c${at} AS (${writeSelect(random, 1, [])})`) : []
  const begin = ctes.length === 0 ? '' : `WITH ${ctes.join(', ')} `
  const first = writeSelect(
    random,
    2,
    ctes.map((_, at) => `c${at}`),
  )
  return begin + first
}

function writeSelect(random: Random, depth: number, ctes: readonly string[], outer: readonly Source[] = []): string {
  const { text, sources } = writeFrom(random, depth, ctes)
  const known = [...sources, ...(random.chance(0.3) ? outer : [])]
  const value = () => writeValue(random, known, depth)
  const isGrouped = random.chance(0.3)
  const keys = isGrouped ? random.times(1 + random.int(2), value) : []
  const aggregates = random.times(1 + random.int(2), () => filled(random.pick(AGGREGATES), value))
  const list = isGrouped
    ? [...keys, ...aggregates]
    : random.weighted<readonly string[]>([
        [6, random.times(1 + random.int(3), value)],
        [1, ['*']],
        [1, [`${random.pick(sources).alias}.*`]],
        [1, [filled(random.pick(WINDOWS), value)]],
        [1, aggregates],
      ])
  const named = list.map((item, at) => (/\*$/.test(item) ? item : `${item} AS x${at}`))
  const where = random.chance(0.5) ? ` WHERE ${writeCondition(random, known, depth, value)}` : ''
  const group = isGrouped ? ` GROUP BY ${random.chance(0.2) ? `ROLLUP (${keys.join(', ')})` : keys.join(', ')}` : ''
  const window = list.some(item => item.endsWith('OVER w')) ? ` WINDOW w AS (ORDER BY ${value()})` : ''
  const order = random.chance(0.3) ? ` ORDER BY ${isGrouped ? 1 : value()}` : ''
  const distinct = random.chance(0.1) ? 'DISTINCT ' : ''
  const one = `SELECT ${distinct}${named.join(', ')} FROM ${text}${where}${group}${window}${order} LIMIT 50`
  if (depth === 0 || !random.chance(0.1)) return one
  return `(${one}) ${random.pick(SET_OPERATIONS)} (${writeSelect(random, depth - 1, ctes, outer)})`
}

function writeFrom(
  random: Random,
  depth: number,
  ctes: readonly string[],
): { readonly text: string; readonly sources: readonly Source[] } {
  const first = writeSource(random, depth, ctes, 's0')
  if (!random.chance(0.4)) return { text: first.text, sources: [first] }
  const second = writeSource(random, depth, ctes, 's1')
  const join = random.weighted([
    [5, `JOIN ${second.text} ON ${column(random, first)}::text = ${column(random, second)}::text`],
    [2, `LEFT JOIN ${second.text} ON true`],
    [2, `JOIN ${second.text} USING (${random.pick(['id', 'name', 'price', 'email', 'customer_id'])})`],
    [1, `NATURAL JOIN ${second.text}`],
    [1, `CROSS JOIN ${second.text}`],
    [2, `CROSS JOIN LATERAL (SELECT ${column(random, first)} AS v) AS s2`],
  ])
  const sources = join.includes('LATERAL') ? [first, { alias: 's2', columns: ['v'] }] : [first, second]
  return { text: `${first.text} ${join}`, sources }
}

function writeSource(random: Random, depth: number, ctes: readonly string[], alias: string): Source & { readonly text: string } {
  if (ctes.length > 0 && random.chance(0.4)) return { text: `${random.pick(ctes)} AS ${alias}`, alias, columns: ['x0'] }
  if (depth > 0 && random.chance(0.2))
    return { text: `(${writeSelect(random, depth - 1, [])}) AS ${alias}`, alias, columns: ['x0'] }
  const [table, columns] = random.weighted(TABLES.map(([weight, name, own]) => [weight, [name, own] as const] as const))
  if (!random.chance(0.1)) return { text: `${table} AS ${alias}`, alias, columns }
  const renamed = columns.slice(0, 3).map((_, at) => `r${at}`)
  return { text: `${table} AS ${alias} (${renamed.join(', ')})`, alias, columns: renamed }
}

function writeValue(random: Random, sources: readonly Source[], depth: number): string {
  const own = () => column(random, random.pick(sources))
  return random.weighted<() => string>([
    [10, own],
    [3, () => filled(random.pick(CALLS), own)],
    [0.2, () => filled(random.pick(ODD_CALLS), own)],
    [0.3, () => random.pick(sources).alias],
    [1, () => `CASE WHEN ${own()} IS NULL THEN 1 ELSE 2 END`],
    [1, () => `(${own()}, ${own()})`],
    [
      0.7,
      () =>
        depth > 0
          ? `(SELECT ${filled(random.pick(AGGREGATES), () => '1')} FROM (${writeSelect(random, depth - 1, [], sources)}) q)`
          : '1',
    ],
  ])()
}

function writeCondition(random: Random, sources: readonly Source[], depth: number, value: () => string): string {
  return random.weighted<() => string>([
    [3, () => `${value()} IS NOT NULL`],
    [2, () => `${column(random, random.pick(sources))}::text > 'a'`],
    [1, () => `${value()}::text = ANY (ARRAY['a', 'b'])`],
    [1, () => `NOT (${value()} IS NOT DISTINCT FROM NULL)`],
    [1, () => (depth > 0 ? `EXISTS (${writeSelect(random, depth - 1, [], sources)})` : 'true')],
  ])()
}

function column(random: Random, { alias, columns }: Source): string {
  return `${alias}.${random.chance(0.03) ? random.pick(ODD_COLUMNS) : random.pick(columns)}`
}

/** Puts a value in place of each `$`, except in `$$`. */
function filled(form: string, value: () => string): string {
  return form.replace(/\$\$|\$/g, found => (found === '$' ? value() : found))
}
