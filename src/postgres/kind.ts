import type { SourceKind } from '../warehouse/source-kind.ts'

export const postgresKind: SourceKind = {
  name: 'Postgres',
  system: 'postgresql',
  schemes: ['postgres://', 'postgresql://'],
  databasesKey: 'schemas',
  quote: { name: column => `"${column}"`, text: text => `'${text.replaceAll("'", "''")}'` },
  aliasesHideClocks: false,
  hasPipelines: false,
  tellsDataEdges: false,
  tellsNewData: false,
  lookUpFilters: null,
  createSqlFormatter: null,
}
