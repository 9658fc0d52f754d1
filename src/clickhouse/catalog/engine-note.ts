import type { TableSchema } from '../schema.ts'
import { onOneLine } from './plain-text.ts'

type EngineTable = Pick<TableSchema, 'engine' | 'engineColumns' | 'linked' | 'sortingKey' | 'primaryKey'>

/** What someone who writes SQL against a table must know of its engine, by the engine's name without Replicated or Shared. */
const NOTES: readonly (readonly [RegExp, string | ((table: EngineTable) => string)])[] = [
  [/^(Replacing|Coalescing)MergeTree$/, versionsNote],
  [/^(Versioned)?CollapsingMergeTree$/, signNote],
  [/^SummingMergeTree$/, sumsNote],
  [/^AggregatingMergeTree$/, 'holds aggregate states: group by the key, with -Merge functions for AggregateFunction columns'],
  [/^GraphiteMergeTree$/, 'rows may not be rolled up yet: aggregate again'],
  [/^(Kafka|RabbitMQ|NATS|FileLog|S3Queue|AzureQueue)$/, 'a stream: reading consumes it; do not query'],
  [/^Null$/, 'keeps nothing: always empty'],
  [/^(Distributed|Merge|Buffer)$/, table => `shows the rows of ${linkedName(table) ?? 'other tables'}: do not add both up`],
  [/^MaterializedView$/, targetNote],
  [/^Dictionary$/, dictionaryNote],
  [/^(MySQL|PostgreSQL|MongoDB|SQLite|ODBC|JDBC|Redis)$/, 'lies in another database: filter early, expect it to be slow'],
  [
    /^(S3|GCS|URL|HDFS|AzureBlobStorage|Iceberg|DeltaLake|Hudi|File)\w*$/,
    'lies in files: read whole for each query, filter early',
  ],
]

/** @returns undefined for an engine that needs no care */
export function engineNote(table: EngineTable): string | undefined {
  const note = NOTES.find(([pattern]) => pattern.test(plainName(table.engine)))?.[1]
  const text = typeof note === 'function' ? note(table) : note
  return text === '' ? undefined : text
}

/** Whether the engine comes to one row for each value of the sorting key, once its parts are merged. */
export function mergesRows(engine: string): boolean {
  return /^(Replacing|Coalescing|(Versioned)?Collapsing|Summing|Aggregating)MergeTree$/.test(plainName(engine))
}

/** How the states of an AggregateFunction column are read; undefined of any other column. */
export function mergeCall(type: string, column: string): string | undefined {
  const [, name, parameters = ''] = /^AggregateFunction\((?:\d+, )?(\w+)(\([^()]*\))?[,)]/s.exec(type) ?? []
  return name === undefined ? undefined : `${name}Merge${parameters}(${column})`
}

function plainName(engine: string): string {
  return engine.replace(/^(Replicated|Shared)/, '')
}

function versionsNote({ engineColumns = [], sortingKey }: EngineTable): string {
  const [version, deleted] = engineColumns.map(name)
  const key = sortingKey === '' ? '' : ` for one (${name(sortingKey)})`
  const final = deleted === undefined ? 'read with FINAL' : `read with FINAL, which leaves out those marked by ${deleted}`
  return `may hold several versions of a row${key}: ${final}, or take the latest with argMax${version === undefined ? '' : `(column, ${version})`}`
}

function signNote({ engineColumns: [sign] = [] }: EngineTable): string {
  if (sign === undefined) return 'rows cancel each other by a sign column: read with FINAL, or multiply by the sign'
  return `rows cancel each other by ${name(sign)}: read with FINAL, or use sum(${name(sign)}) as the count and sum(x * ${name(sign)})`
}

function sumsNote({ engineColumns = [] }: EngineTable): string {
  const summed = engineColumns.length === 0 ? '' : ` of ${name(engineColumns.join(', '))}`
  return `rows may not be summed up yet: group by the key and take the sums${summed}`
}

function targetNote(table: EngineTable): string {
  const target = linkedName(table)
  return target === undefined ? '' : `its rows are those of ${target}: read that`
}

function dictionaryNote(table: EngineTable): string {
  const source = linkedName(table)
  const key = table.primaryKey === '' ? '' : ` by (${name(table.primaryKey)})`
  return `a dictionary${source === undefined ? '' : ` of ${source}`}${key}: join it like a table, dictGet may not be used`
}

function linkedName({ linked }: EngineTable): string | undefined {
  return linked === undefined ? undefined : name(`${linked.database}.${linked.name}`)
}

function name(text: string): string {
  return onOneLine(text, 200)
}
