import type { SourceKind } from '../warehouse/source-kind.ts'
import { splitTokens } from './split-tokens.ts'

export const postgresKind: SourceKind = {
  name: 'Postgres',
  system: 'postgresql',
  schemes: ['postgres://', 'postgresql://'],
  databasesKey: 'schemas',
  quote: { name: column => `"${column}"`, text: text => `'${text.replaceAll("'", "''")}'` },
  splitTokens,
  aliasesHideClocks: false,
  hasPipelines: false,
  tellsDataEdges: false,
  tellsNewData: false,
  lookUpFilters: null,
  createSqlFormatter: null,
}
