import type { FilterFinding } from './filter-finding.ts'
import type { FormatSql } from './format-sql.ts'
import type { Schema } from './schema.ts'
import type { SqlToken } from './sql/sql-tokens.ts'
import type { Warehouse } from './warehouse.ts'

/** Looks up facts about the columns on which a query filters. Returns the facts that were found in time. */
type LookUpFilters = (
  warehouse: Pick<Warehouse, 'read'>,
  options: { readonly sql: string; readonly schema: Schema; readonly timeLimitMs?: number },
  signal: AbortSignal,
) => Promise<readonly FilterFinding[]>

/** How a kind of data source differs from the others, apart from its ports. */
export interface SourceKind {
  /** The name in messages. */
  readonly name: string
  /** The name in OpenTelemetry's semantic conventions (`db.system.name`). */
  readonly system: string
  /** The beginnings of addresses. */
  readonly schemes: readonly string[]
  /** The key of `sources.yaml` that lists the databases. */
  readonly databasesKey: 'databases' | 'schemas'
  /** Writes a column's name and a text in SQL. */
  readonly quote: Readonly<Record<'name' | 'text', (text: string) => string>>
  /** Splits SQL that the guard allows, in the form in which it is kept. Undefined if it cannot be split. */
  readonly splitTokens: (sql: string) => readonly SqlToken[] | undefined
  /** Whether an alias with the name of a clock, such as `current_date`, goes before the clock everywhere in a query. */
  readonly aliasesHideClocks: boolean
  /** Whether Clew's own tables, pipelines and investigations can be in such a source. */
  readonly hasPipelines: boolean
  /** Whether the periods that a query asks for can be compared with the data. */
  readonly tellsDataEdges: boolean
  /** Whether the keys of tables tell cheaply that data are new. */
  readonly tellsNewData: boolean
  /** Null if nothing can be looked up. */
  readonly lookUpFilters: LookUpFilters | null
  /** Creates a function that breaks SQL into lines. Null if SQL stays as it is. */
  readonly createSqlFormatter: ((warehouse: Pick<Warehouse, 'read'>) => FormatSql) | null
}
