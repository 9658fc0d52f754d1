import type { SourceKind } from '../warehouse/source-kind.ts'
import { sqlLiteral, sqlName } from '../warehouse/sql/plain-text.ts'
import { splitTokens } from '../warehouse/sql/sql-tokens.ts'
import { lookUpFilters } from './filters/look-up-filters.ts'
import { createSqlFormatter } from './sql-formatter.ts'

export const clickhouseKind: SourceKind = {
  name: 'ClickHouse',
  system: 'clickhouse',
  schemes: ['http://', 'https://', 'chdb:'],
  databasesKey: 'databases',
  quote: { name: sqlName, text: sqlLiteral },
  splitTokens,
  aliasesHideClocks: true,
  hasPipelines: true,
  tellsDataEdges: true,
  tellsNewData: true,
  lookUpFilters,
  createSqlFormatter,
}
