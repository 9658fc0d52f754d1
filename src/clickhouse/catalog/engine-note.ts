/** What someone who writes SQL against a table must know of its engine, by the engine's name without Replicated or Shared. */
const NOTES: readonly (readonly [RegExp, string])[] = [
  [/^(Replacing|Coalescing)MergeTree$/, 'may hold several versions of a row: read with FINAL, or take the latest with argMax'],
  [/^(Versioned)?CollapsingMergeTree$/, 'rows cancel each other by a sign column: read with FINAL, or multiply by the sign'],
  [/^SummingMergeTree$/, 'rows may not be summed up yet: group by the key and sum again'],
  [/^AggregatingMergeTree$/, 'holds aggregate states: group by the key, with -Merge functions for AggregateFunction columns'],
  [/^GraphiteMergeTree$/, 'rows may not be rolled up yet: aggregate again'],
  [/^(Kafka|RabbitMQ|NATS|FileLog|S3Queue|AzureQueue)$/, 'a stream: reading consumes it; do not query'],
  [/^Null$/, 'keeps nothing: always empty'],
  [/^(Distributed|Merge|Buffer)$/, 'shows the rows of other tables: do not add both up'],
  [/^Dictionary$/, 'a dictionary: dictGet is faster than a join'],
  [/^(MySQL|PostgreSQL|MongoDB|SQLite|ODBC|JDBC|Redis)$/, 'lies in another database: filter early, expect it to be slow'],
  [
    /^(S3|GCS|URL|HDFS|AzureBlobStorage|Iceberg|DeltaLake|Hudi|File)\w*$/,
    'lies in files: read whole for each query, filter early',
  ],
]

/** @returns undefined for an engine that needs no care */
export function engineNote(engine: string): string | undefined {
  const name = engine.replace(/^(Replicated|Shared)/, '')
  return NOTES.find(([pattern]) => pattern.test(name))?.[1]
}
