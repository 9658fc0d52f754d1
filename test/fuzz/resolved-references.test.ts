import { expect, it } from '@jest/globals'
import { resolvedReferences } from './resolved-references.ts'

it('names tables, and table functions that read something', () => {
  const lines = [
    '  JOIN TREE',
    '    TABLE id: 3, alias: __table2, table_name: lab.alpha, final: 1, sample_size: 1 / 2',
    '            TABLE id: 7, table_name: lab.ids',
    '    TABLE id: 8, alias: __table3, table_name: system.one',
    '    TABLE_FUNCTION id: 9, alias: __table3, table_function_name: numbers',
    "    TABLE_FUNCTION id: 10, alias: __table4, table_function_name: merge\n      CONSTANT id: 11, constant_value: 'table_name: lab.x'",
  ]
  expect(resolvedReferences(lines)).toEqual(['lab.alpha', 'lab.ids', 'merge()'])
})
