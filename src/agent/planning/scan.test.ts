import { describe, expect, it } from '@jest/globals'
import { restricted } from './scan.ts'

describe('restricted', () => {
  it('limits a query to all keys, and shows the first of many with their number', () => {
    const { sql, shown } = restricted('SELECT 1 AS code', { column: 'code', values: ['a', "b'", 'c', 4] }, 'postgres')
    expect(sql).toContain(`WHERE "code" IN ('a', 'b''', 'c', '4')`)
    expect(shown).toContain(`WHERE "code" IN ('a', 'b''', 'c' /* 3 of 4 keys */)`)
  })

  it('shows few keys as they are', () => {
    const { sql, shown } = restricted('SELECT 1 AS code', { column: 'code', values: [1, 2] }, 'clickhouse')
    expect(shown).toBe(sql)
  })
})
