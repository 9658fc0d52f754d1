import { type Column, deeper, type Place, type QueryContext, type ValueType, type Wanted, type Written } from './query-context.ts'
import { reference } from './write-expression.ts'
import { type From, writeFrom } from './write-from.ts'
import { writeWith } from './write-with.ts'

const ANY_TYPE: readonly ValueType[] = ['int', 'int', 'text', 'text', 'day', 'float', 'ints', 'texts', 'map', 'pair', 'bool']

export function writeSelect(context: QueryContext, wanted: Wanted, outer: Place): Written {
  const { random, names } = context
  if (outer.depth > 1 && random.chance(0.1)) return writeUnion(context, wanted, deeper(outer))
  const { sql: withList, place } = outer.depth > 0 && random.chance(0.3) ? writeWith(context, outer) : { sql: '', place: outer }
  const from = writeFrom(context, place)
  const here: Place = { ...place, relations: from.relations, values: [...place.values, ...from.values] }
  const columns =
    'one' in wanted
      ? [{ name: '', type: wanted.one }]
      : 'rows' in wanted
        ? wanted.rows
        : random.times(wanted.many, () => ({ name: random.chance(0.3) ? names.fresh() : '', type: random.pick(ANY_TYPE) }))
  const body = random.weighted([
    [6, writePlain],
    [2.5, writeGrouped],
    [from.relations.length > 0 ? 1 : 0, writeWindowed],
  ])(context, { wanted, columns, from, here })
  return { sql: withList + body, columns }
}

interface Parts {
  readonly wanted: Wanted
  readonly columns: readonly Column[]
  readonly from: From
  readonly here: Place
}

function writeUnion(context: QueryContext, wanted: Wanted, place: Place): Written {
  const { random } = context
  const types = 'many' in wanted ? random.times(wanted.many, () => random.pick(ANY_TYPE)) : []
  const exact: Wanted =
    'many' in wanted
      ? { rows: types.map((type, index) => ({ name: `c${index}`, type })), exact: true }
      : 'rows' in wanted
        ? { ...wanted, exact: true }
        : wanted
  const first = context.select(exact, place)
  const operator = random.pick([
    'UNION ALL',
    'UNION ALL',
    'UNION DISTINCT',
    'INTERSECT',
    'EXCEPT',
    'EXCEPT DISTINCT',
    'INTERSECT DISTINCT',
    'EXCEPT ALL',
  ])
  const arm = (sql: string) => (random.chance(0.5) ? `(${sql})` : sql)
  const sql = `${arm(first.sql)} ${operator} ${arm(context.select(exact, place).sql)}`
  // Because of the parentheses, a LIMIT or operator that follows applies to the whole query.
  return { sql: `SELECT * FROM (${sql})`, columns: first.columns }
}

function writePlain(context: QueryContext, { wanted, columns, from, here }: Parts): string {
  const { random } = context
  const whole = writeMatcher(context, wanted, from)
  const list = whole ?? columns.map(column => item(context.expression(column.type, here), column)).join(', ')
  const seen = withAliases(here, whole === undefined ? columns : [], random.chance(0.3))
  const distinct = random.weighted([
    [10, ''],
    [1, 'DISTINCT '],
    [0.3, 'DISTINCT ON (1) '],
  ])
  return `SELECT ${distinct}${list}${from.sql}${writeFilter(context, from, seen)}${writeTail(context, seen, 'one' in wanted)}`
}

function writeGrouped(context: QueryContext, { wanted, columns, from, here }: Parts): string {
  const { random } = context
  const keyTypes: readonly ValueType[] = ['int', 'text', 'day']
  const keys = random
    .times(random.int(3), () => {
      const type = random.pick(keyTypes)
      return { sql: context.expression(type, { ...here, depth: Math.min(here.depth, 1) }), type }
    })
    .filter(({ sql }) => /[a-z]/i.test(sql))
  const inner = deeper(here)
  const list = columns.map(column => {
    const key = keys.find(({ type }) => type === column.type)
    return item(key !== undefined && random.chance(0.5) ? key.sql : writeAggregate(context, column.type, inner), column)
  })
  const having = random.chance(0.25)
    ? ` HAVING ${writeAggregate(context, 'int', inner)} >= ${random.pick(['0', '1', writeAggregate(context, 'int', inner)])}`
    : ''
  const order = random.chance(0.2) ? ` ORDER BY ${random.pick(['1', 'ALL', writeAggregate(context, 'int', inner)])}` : ''
  const limit = 'one' in wanted || random.chance(0.7) ? '' : ' LIMIT 5'
  return `SELECT ${list.join(', ')}${from.sql}${writeFilter(context, from, here)}${writeGroupBy(
    context,
    keys.map(({ sql }) => sql),
  )}${having}${order}${limit}`
}

function writeGroupBy({ random }: QueryContext, keys: readonly string[]): string {
  if (keys.length === 0) return ''
  const list = keys.join(', ')
  return random.weighted([
    [6, ` GROUP BY ${list}`],
    [0.5, ` GROUP BY ROLLUP(${list})`],
    [0.5, ` GROUP BY CUBE(${list})`],
    [0.5, ` GROUP BY GROUPING SETS ((${list}), ())`],
    [0.3, ` GROUP BY ${list} WITH TOTALS`],
    [0.3, ` GROUP BY ${list} WITH ROLLUP`],
    [0.5, ' GROUP BY ALL'],
  ])
}

function writeWindowed(context: QueryContext, { columns, from, here }: Parts): string {
  const { random, names } = context
  const name = names.fresh()
  const int = () => context.expression('int', { ...here, depth: Math.min(here.depth, 1) })
  const frame = random.pick([
    '',
    '',
    ' ROWS BETWEEN 1 PRECEDING AND CURRENT ROW',
    ' ROWS UNBOUNDED PRECEDING',
    ' RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
  ])
  const body = `(PARTITION BY ${int()} ORDER BY ${int()}${frame})`
  const isNamed = random.chance(0.4)
  const over = `OVER ${isNamed ? name : body}`
  const list = columns.map(column => {
    if (column.type === 'int')
      return item(
        `toInt64(${random.pick([`row_number() ${over}`, `sum(${int()}) ${over}`, `count() ${over}`, `dense_rank() ${over}`, `lagInFrame(${int()}) ${over}`])})`,
        column,
      )
    if (column.type === 'text') return item(`first_value(${context.expression('text', deeper(here))}) ${over}`, column)
    return item(context.expression(column.type, deeper(here)), column)
  })
  const qualify = random.chance(0.35) ? ` QUALIFY row_number() ${over} <= ${int()}` : ''
  return `SELECT ${list.join(', ')}${from.sql}${writeFilter(context, from, here)}${isNamed ? ` WINDOW ${name} AS ${body}` : ''}${qualify}`
}

function writeAggregate(context: QueryContext, type: ValueType, place: Place): string {
  const { random } = context
  const value = (of: ValueType) => context.expression(of, place)
  const test = () => value('bool')
  switch (type) {
    case 'int':
      return random.pick([
        () => `toInt64(count())`,
        () => `sum(${value('int')})`,
        () => `sumIf(${value('int')}, ${test()})`,
        () => `toInt64(uniq(${value('text')}))`,
        () => `max(${value('int')})`,
        () => `toInt64(countIf(${test()}))`,
        () => `toInt64(count(DISTINCT ${value('int')}))`,
        () => `argMax(${value('int')}, ${value('day')})`,
        () => `sum(${value('int')}) FILTER (WHERE ${test()})`,
        () => `sumArray(${value('ints')})`,
        () => `anyLast(${value('int')})`,
        () => `sumOrDefaultIf(${value('int')}, ${test()})`,
        () => `toInt64(uniqCombined64(${value('text')}, ${value('int')}))`,
        () => `sumDistinct(${value('int')})`,
      ])()
    case 'float':
      return random.pick([
        () => `avg(${value('int')})`,
        () => `quantile(0.5)(${value('float')})`,
        () => `stddevPop(${value('int')})`,
        () => `quantileIf(0.9)(${value('float')}, ${test()})`,
      ])()
    case 'ints':
      return random.pick([
        () => `groupArray(${value('int')})`,
        () => `groupUniqArray(3)(${value('int')})`,
        () => `groupArraySorted(2)(${value('int')})`,
        () => `topK(2)(${value('int')})`,
      ])()
    case 'texts':
      return `groupArray(2)(${value('text')})`
    case 'bool':
      return `max(${test()})`
    default:
      return random.pick(['any', 'anyLast'].map(name => `${name}(${value(type)})`))
  }
}

/** Writes `*` or a similar expression for all columns, where the number of columns does not matter. */
function writeMatcher(context: QueryContext, wanted: Wanted, { relations }: From): string | undefined {
  const { random } = context
  const [relation] = relations
  if (relation === undefined || relations.length !== 1 || 'one' in wanted) return undefined
  if ('rows' in wanted) {
    const covers = wanted.rows.every(({ name }) => relation.columns.some(column => column.name === name))
    return covers && !wanted.exact && random.chance(0.35) ? '*' : undefined
  }
  if (!random.chance(0.3)) return undefined
  const place: Place = { relations, ctes: [], values: [], later: [], depth: 1 }
  const qualifier = relation.qualifiers.at(-1)
  const column = reference(random.pick(relation.columns), relation, place, false)
  const last = column.slice(column.lastIndexOf('.') + 1)
  return random.pick([
    () => '*',
    () => (qualifier === undefined ? '*' : `${qualifier}.*`),
    () => `COLUMNS('^(id|k)$')`,
    () => `COLUMNS('${last}')`,
    () => `* EXCEPT (${last})`,
    () => `* REPLACE (${context.expression('int', place)} AS id)`,
    () => `* APPLY(toString)`,
    () => `COLUMNS('^(id|n)$') APPLY(x -> x + 1)`,
    () => `COLUMNS('^id$') APPLY(${context.names.fresh()} -> ${context.expression('int', place)})`,
    () => `COLUMNS('^(id|n)$') APPLY(max)`,
    () => `* EXCEPT('^[m-z]') APPLY(toTypeName)`,
    () => (qualifier === undefined ? '*' : `${qualifier}.COLUMNS('id')`),
    () => `COLUMNS(${last})`,
    () => `untuple((1, ${column}))`,
  ])()
}

function writeFilter(context: QueryContext, from: From, here: Place): string {
  const { random } = context
  const [relation] = from.relations
  const place = deeper(here)
  const isStored = relation?.stored === true && from.relations.length === 1 && from.values.length === 0
  const prewhere = isStored && random.chance(0.1) ? ` PREWHERE ${context.expression('bool', { ...place, values: [] })}` : ''
  return `${prewhere}${random.chance(0.5) ? ` WHERE ${context.expression('bool', place)}` : ''}`
}

function writeTail(context: QueryContext, here: Place, single: boolean): string {
  const { random, mood } = context
  const value = (type: ValueType = 'int') => context.expression(type, { ...here, depth: Math.min(here.depth, 1) })
  const order = random.chance(0.3)
    ? ` ORDER BY ${random.pick([value(), `${value()} DESC NULLS FIRST`, `${value('text')}, ${value()}`, `${value('text')} COLLATE 'en'`, 'ALL', 'tuple()'])}`
    : ''
  const limitBy = random.chance(0.06) ? ` LIMIT 1 BY ${value()}` : ''
  if (single) return order + limitBy
  const limit = random.weighted([
    [7, ''],
    [3, ' LIMIT 5'],
    [0.5, ' LIMIT 1, 3'],
    [0.3, ' LIMIT 2 OFFSET 1'],
    [order === '' || order.includes('ALL') ? 0 : 0.5, ' LIMIT 2 WITH TIES'],
    [0.2, ' LIMIT -2'],
    [0.2, ' LIMIT 0.5'],
    [0.3, ' OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY'],
    [0.2, ` LIMIT toUInt64(1 + 1)`],
    [
      mood.reach * 3,
      random.pick([' SETTINGS max_threads = 2', ' FORMAT JSON', " INTO OUTFILE 'x'", '; SELECT 1', ' LIMIT {n:UInt64}']),
    ],
  ])
  return `${order}${limitBy}${limit}`
}

function item(sql: string, { name }: Column): string {
  return name === '' || sql === name ? sql : `${sql} AS ${name}`
}

function withAliases(here: Place, columns: readonly Column[], isSeen: boolean): Place {
  return isSeen ? { ...here, values: [...here.values, ...columns.filter(({ name }) => name !== '')] } : here
}
