import { readFileSync } from 'node:fs'
import type { ColumnSchema, ColumnStatistics, Schema, TableSchema } from '../../src/warehouse/schema.ts'

/** A maintained table, as `world.txt` describes it. */
type BaseTable = Pick<TableSchema, 'database' | 'name' | 'comment' | 'columns'> & { readonly rows: number }

/** A question in a person's own words, and the tables that an answer needs, as `database.table`. */
export interface RetrievalQuestion {
  readonly question: string
  readonly needed: readonly string[]
  /** Whether the question was used to tune the search. An `unseen` question must not be used for that. */
  readonly half: 'seen' | 'unseen'
}

const YEARS = [2019, 2020, 2021, 2022, 2023, 2024]
const PEOPLE = ['anna', 'bob', 'chen', 'dora', 'emil', 'farid', 'gita']
const ENTITIES =
  'order customer invoice shipment product employee device patient meter ticket campaign payment supplier contract user account machine session document project asset location message vehicle subscription price stock lead visit claim'.split(
    ' ',
  )
const FACETS =
  'audit_log snapshot mapping settings history import_queue export_jobs notes tags flags error_log cache permissions templates attachments relations ids_lookup daily_stats validation_results changes reminders owners metrics'.split(
    ' ',
  )
const FACET_DATABASES = ['app', 'crm', 'legacy_erp', 'ops', 'bi', 'ml']

/**
 * Generates the catalog of a large company. The same seed gives the same catalog. It has maintained tables of twelve business fields, each with many
 * kinds of copies (layers, years, versions, backups, personal ones), and unrelated tables.
 * @param size the number of tables; the maintained ones come first
 */
export function largeCatalog(size: number, { seed = 1 } = {}): Schema {
  const random = randomNumbers(seed)
  const bases = readBaseTables()
  const copies = bases.flatMap(base => copiesOf(base, random))
  const fillers = fillerTables(random)
  const extra = shuffled([...copies, ...fillers], random)
  // A small catalog contains tables of different business fields. Tables of a single field would be too similar.
  const chosen = size < bases.length ? shuffled(bases, random).slice(0, size) : [...bases, ...extra.slice(0, size - bases.length)]
  const tables = chosen.map(toTable).sort((a, b) => (`${a.database}\0${a.name}` < `${b.database}\0${b.name}` ? -1 : 1))
  const databases = [...new Set(tables.map(({ database }) => database))].map(name => ({ name, comment: '' }))
  return { tables, databases, serverVersion: '26.7.1.1', timeZone: 'UTC', fetchedAt: '2026-10-01T00:00:00.000Z' }
}

export function retrievalQuestions(): readonly RetrievalQuestion[] {
  return linesOf('questions.txt').map((line, index) => {
    const [question = '', needed = ''] = line.split('|').map(part => part.trim())
    return { question, needed: needed.split(',').map(name => name.trim()), half: index % 2 === 0 ? 'seen' : 'unseen' }
  })
}

function linesOf(file: string): readonly string[] {
  const text = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
  return text.split('\n').filter(line => line.trim() !== '' && !line.startsWith('#'))
}

function readBaseTables(): readonly BaseTable[] {
  return linesOf('world.txt').map(line => {
    const [qualified = '', rows = '', comment = '', columns = ''] = line.split('|').map(part => part.trim())
    const [database = '', name = ''] = qualified.split('.')
    const words = columns.match(/\w+(\{[^}]*\}|="[^"]*")?/g) ?? []
    return { database, name, comment, rows: Number(rows), columns: words.map(readColumn) }
  })
}

function readColumn(text: string): ColumnSchema {
  const [, name = '', values, comment = ''] = /^(\w+)(?:\{([^}]*)\}|="([^"]*)")?$/.exec(text) ?? []
  if (values !== undefined) {
    return {
      name,
      comment,
      type: `Enum8(${values
        .split(',')
        .map((value, at) => `'${value}' = ${at}`)
        .join(', ')})`,
    }
  }
  return { name, comment, type: typeOf(name) }
}

function typeOf(name: string): string {
  if (/_(id|no)$/.test(name)) return 'UInt64'
  if (/_(ts|at)$|^(delivery_start|target_time)$/.test(name)) return 'DateTime'
  if (/_(on|date|from|to|until)$/.test(name)) return 'Date'
  if (/amount|price|cost|fee|value|salary|debit|credit|balance/.test(name)) return 'Decimal(18, 2)'
  if (/_count|qty|quantity|_ms$|_s$|seconds|hours|days|rows|score|kwh|mw$|_km$|weight/.test(name)) return 'Float64'
  return /country|currency|status|kind|level|source|network|language|reason|region/.test(name)
    ? 'LowCardinality(String)'
    : 'String'
}

/** Returns copies of a table, such as those that pile up in a shared warehouse over the years. */
function copiesOf(base: BaseTable, random: () => number): readonly BaseTable[] {
  const { database, name, rows, columns } = base
  const column = (own: string): ColumnSchema => ({ name: own, comment: '', type: typeOf(own) })
  const comment = () => (random() < 0.3 ? base.comment : '')
  const copy = (where: string, as: string, share: number, own = columns): BaseTable => ({
    ...{ database: where, name: as, columns: own, comment: comment(), rows: Math.floor(rows * share * (0.5 + random())) },
  })
  const ingested = [...columns, column('_ingested_at'), column('_source_file')]
  const aggregated = [column('day'), ...columns.filter(({ type }) => /Enum|LowCard/.test(type)).slice(0, 2), column('row_count')]
  const person = () => PEOPLE[Math.floor(random() * PEOPLE.length)] ?? ''
  return [
    copy('raw', `${database}_${name}`, 0.95, ingested),
    copy('raw', `${database}__${name}_events`, 1.4, ingested),
    copy('staging', `stg_${database}__${name}`, 0.9),
    copy('staging', `stg_${database}__${name}_deduplicated`, 0.8),
    copy('mart', `${name}_daily`, 0.01, aggregated),
    copy('mart', `${name}_by_month`, 0.001, aggregated),
    copy('mart', `rpt_${name}`, 0.2, columns.slice(0, Math.ceil(columns.length * 0.7))),
    copy('archive', name, 0.6),
    copy('archive', `${name}_until_2018`, 0.4),
    ...YEARS.map(year => copy(database, `${name}_${year}`, 0.15)),
    ...YEARS.slice(2).map(year => copy('archive', `${database}_${name}_${year}`, 0.12)),
    copy(database, `${name}_v1`, 0.3, columns.slice(0, -1)),
    copy(database, `${name}_v2`, 0.5),
    copy(database, `${name}_old`, 0.4),
    copy(database, `tmp_${name}_backup`, 0.3),
    copy(database, `${name}_bak_20230114`, 0.3),
    copy(database, `${name}_copy`, 0.2),
    copy(database, `${name}_test`, 0.0001),
    copy(database, `${name}_eu`, 0.3),
    copy(database, `${name}_us`, 0.4),
    copy(`sandbox_${person()}`, name, 0.05),
    copy(`sandbox_${person()}`, `${name}_fixed`, 0.05),
    copy(`sandbox_${person()}`, `my_${name}_${Math.floor(random() * 90) + 10}`, 0.02),
    copy('qa', name, 0.001),
    copy('dev', `${database}_${name}`, 0.001),
    copy('ml', `${name}_training_set`, 0.1, [...columns, column('label'), column('split')]),
    copy('ml', `${name}_features`, 0.1, [...columns.slice(0, 3), column('feature_vector')]),
    copy(database, `${name}_import_errors`, 0.0001, [column('failed_at'), column('line'), column('error_text')]),
  ]
}

function fillerTables(random: () => number): readonly BaseTable[] {
  return FACET_DATABASES.flatMap(database =>
    ENTITIES.flatMap(entity =>
      FACETS.map(facet => ({
        database,
        name: `${entity}_${facet}`,
        comment: random() < 0.2 ? `${facet.replaceAll('_', ' ')} of each ${entity}` : '',
        rows: Math.floor(10 ** (2 + random() * 5)),
        columns: [`${entity}_id`, ...facet.split('_').map(word => `${word}_key`), 'created_at', 'updated_at', 'payload'].map(
          readColumn,
        ),
      })),
    ),
  )
}

function toTable(table: BaseTable): TableSchema {
  const key = table.columns[0]?.name ?? ''
  return { engine: 'MergeTree', primaryKey: key, sortingKey: key, partitionKey: '', viewDefinition: '', ...table }
}

/** Adds statistics to a table, in the form in which the catalog gathers them. */
export function withStatistics(table: TableSchema): TableSchema {
  return { ...table, columns: table.columns.map(column => ({ ...column, statistics: statisticsOf(column) })) }
}

function statisticsOf({ type, name }: ColumnSchema): ColumnStatistics {
  const none = { distinct: 90_000, nullShare: 0, min: null, max: null, samples: [], rowsScanned: 100_000, exact: false }
  if (type === 'DateTime' || type === 'Date') return { ...none, min: '2024-01-01 00:00:00', max: '2026-09-30 23:59:59' }
  if (/^(Decimal|Float)/.test(type)) return { ...none, min: '0', max: '184000' }
  if (!type.startsWith('LowCardinality')) return none
  return { ...none, distinct: 6, samples: ['a', 'b', 'c', 'd', 'e', 'f'].map(letter => `${name}_${letter}`) }
}

function shuffled<Value>(values: readonly Value[], random: () => number): readonly Value[] {
  return values
    .map(value => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

/** Returns a generator of random numbers with a seed. The algorithm is mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
