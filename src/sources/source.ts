import type { Dialect } from '../llm/dialect.ts'
import type { QueryValidator } from '../warehouse/query-validator.ts'
import type { Schema } from '../warehouse/schema.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { SqlGuard } from '../warehouse/sql-guard.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { JoinKey } from './file-schema.ts'

/** A data source as `sources.yaml` describes it. */
export interface SourceConfig {
  /** The operator's name for the source. Matches `^[a-z][a-z0-9_]{0,29}$`. */
  readonly id: string
  /** True for the first source of the file. Names without a source mean this one. */
  readonly isDefault: boolean
  readonly kind: Dialect
  /** The address, which may contain a password. */
  readonly url: string
  /** The environment variable that holds the address. Messages name it instead of the address. */
  readonly urlVariable: string
  /** ClickHouse's databases, or Postgres's schemas. Names in queries without one belong to the first. */
  readonly databases: readonly string[]
  /** The content of the source, in the operator's words. Prompts show it. */
  readonly description: string
  /** The roles of `access.yaml` that may use the source. Undefined: the tables of the roles alone decide. */
  readonly roles?: readonly string[]
  readonly joinKeys: readonly JoinKey[]
  /** The columns that nobody may read, as in CLEW_PRIVATE_COLUMNS. */
  readonly privateColumns: readonly string[]
}

/** A data source that is ready to be asked. All its parts read through its breaker. */
export interface OpenedSource {
  readonly config: SourceConfig
  readonly warehouse: Pick<Warehouse, 'read' | 'description'>
  readonly guard: SqlGuard
  /** Returns a validator that reads with a run's rights. */
  readonly validatorOn: (warehouse: Pick<Warehouse, 'read'>) => QueryValidator
  readonly schemaSource: SchemaSource
}

/** A source, as the resolver knows it. It names nothing that the asker may not see. */
export interface SourceCard {
  readonly id: string
  readonly description: string
  /** The source's tables, as `database.table`. */
  readonly tables: readonly string[]
}

/** @param schema the part of the source's schema that the asker may see */
export function sourceCard({ id, description }: Pick<SourceConfig, 'id' | 'description'>, { tables }: Schema): SourceCard {
  return { id, description, tables: tables.map(qualifiedName) }
}
