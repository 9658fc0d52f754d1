import { type CatalogWords, catalogWords } from '../../words/catalog.ts'
import type { TableSchema } from '../schema.ts'
import { onOneLine } from '../sql/plain-text.ts'

type EngineTable = Pick<TableSchema, 'engine' | 'engineColumns' | 'linked' | 'sortingKey' | 'primaryKey'>

type Note = (words: CatalogWords['engines'], table: EngineTable) => string

/** Advice for writing SQL, by table engine. `Replicated` and `Shared` are removed from an engine's name before it is matched. */
const NOTES: readonly (readonly [RegExp, Note])[] = [
  [/^(Replacing|Coalescing)MergeTree$/, versionsNote],
  [/^(Versioned)?CollapsingMergeTree$/, ({ signs }, { engineColumns: [sign] = [] }) => signs(sign && name(sign))],
  [/^SummingMergeTree$/, sumsNote],
  [/^AggregatingMergeTree$/, ({ aggregateStates }) => aggregateStates],
  [/^GraphiteMergeTree$/, ({ graphite }) => graphite],
  [/^(Kafka|RabbitMQ|NATS|FileLog|S3Queue|AzureQueue)$/, ({ stream }) => stream],
  [/^Null$/, ({ keepsNothing }) => keepsNothing],
  [/^(Distributed|Merge|Buffer)$/, ({ showsOthers }, table) => showsOthers(linkedName(table))],
  [/^MaterializedView$/, targetNote],
  [/^Dictionary$/, dictionaryNote],
  [/^(MySQL|PostgreSQL|MongoDB|SQLite|ODBC|JDBC|Redis)$/, ({ otherDatabase }) => otherDatabase],
  [/^(S3|GCS|URL|HDFS|AzureBlobStorage|Iceberg|DeltaLake|Hudi|File)\w*$/, ({ files }) => files],
]

/**
 * Returns advice about a table's engine.
 * @returns undefined for an engine that needs no special care
 */
export function engineNote(table: EngineTable, words = catalogWords('en')): string | undefined {
  const note = NOTES.find(([pattern]) => pattern.test(plainName(table.engine)))?.[1]
  return note?.(words.engines, table) || undefined
}

/**
 * Whether this table engine combines rows when it merges data parts. In the end, one row per value of the sorting key is left.
 */
export function mergesRows(engine: string): boolean {
  return /^(Replacing|Coalescing|(Versioned)?Collapsing|Summing|Aggregating)MergeTree$/.test(plainName(engine))
}

/**
 * Returns the SQL call that merges the states of an AggregateFunction column, such as `sumMerge(total)`. Returns undefined for
 * other columns.
 */
export function mergeCall(type: string, column: string): string | undefined {
  const [, name, parameters = ''] = /^AggregateFunction\((?:\d+, )?(\w+)(\([^()]*\))?[,)]/s.exec(type) ?? []
  return name === undefined ? undefined : `${name}Merge${parameters}(${column})`
}

function plainName(engine: string): string {
  return engine.replace(/^(Replicated|Shared)/, '')
}

function versionsNote({ versions }: CatalogWords['engines'], { engineColumns = [], sortingKey }: EngineTable): string {
  const [version, deleted] = engineColumns.map(name)
  return versions(sortingKey === '' ? undefined : name(sortingKey), deleted, version)
}

function sumsNote({ sums }: CatalogWords['engines'], { engineColumns = [] }: EngineTable): string {
  return sums(engineColumns.length === 0 ? undefined : name(engineColumns.join(', ')))
}

function targetNote({ rowsOf }: CatalogWords['engines'], table: EngineTable): string {
  const target = linkedName(table)
  return target === undefined ? '' : rowsOf(target)
}

function dictionaryNote({ dictionary }: CatalogWords['engines'], table: EngineTable): string {
  return dictionary(linkedName(table), table.primaryKey === '' ? undefined : name(table.primaryKey))
}

function linkedName({ linked }: EngineTable): string | undefined {
  return linked === undefined ? undefined : name(`${linked.database}.${linked.name}`)
}

function name(text: string): string {
  return onOneLine(text, 200)
}
