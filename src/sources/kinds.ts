import { clickhouseKind } from '../clickhouse/kind.ts'
import type { Dialect } from '../llm/dialect.ts'
import { postgresKind } from '../postgres/kind.ts'
import type { SourceKind } from '../warehouse/source-kind.ts'

/** The kinds of data sources. Whoever depends on the kind of a source asks here. */
export const SOURCE_KINDS: Readonly<Record<Dialect, SourceKind>> = { clickhouse: clickhouseKind, postgres: postgresKind }
