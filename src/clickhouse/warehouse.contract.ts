import { expect, it } from '@jest/globals'
import type { ReadQuery, Warehouse } from './warehouse.ts'

/**
 * What every warehouse does, whatever stands behind it.
 * @param open a warehouse on which the caller may write to `database`
 */
export function warehouseContract(warehouse: () => Warehouse, database: string): void {
  const signal = () => AbortSignal.timeout(20_000)
  const read = (query: string | ReadQuery) => warehouse().read(typeof query === 'string' ? { sql: query } : query, signal())
  const write = (sql: string) => warehouse().write({ sql, database }, signal())

  it('answers a query with columns, types and rows', async () => {
    const result = await read("SELECT toUInt8(1) AS one, 'x' AS text")
    expect(result.columns).toEqual([
      { name: 'one', type: 'UInt8' },
      { name: 'text', type: 'String' },
    ])
    expect(result.rows).toEqual([[1, 'x']])
    expect(result.truncated).toBe(false)
    expect(result.queryId).not.toBe('')
  })

  it('reads what was written', async () => {
    await write('CREATE OR REPLACE TABLE contract_written (id UInt32) ENGINE = MergeTree ORDER BY id')
    await write('INSERT INTO contract_written SELECT number FROM numbers(10)')
    const { rows } = await read({ sql: 'SELECT sum(id), count() FROM contract_written', database })
    expect(rows).toEqual([['45', '10']])
    await write('DROP TABLE contract_written')
  })
}
