import type { Schema } from '../warehouse/schema.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import type { SourceConfig } from './source.ts'

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
