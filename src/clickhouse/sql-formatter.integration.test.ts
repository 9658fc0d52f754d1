import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { createSqlFormatter } from './sql-formatter.ts'

let engine: TestEngine
const signal = new AbortController().signal

beforeAll(async () => {
  engine = await startTestEngine()
})
afterAll(() => engine.close())

describe('SQL', () => {
  it('is formatted by the engine, which runs none of it', async () => {
    const formatSql = createSqlFormatter(engine.warehouse)
    expect(await formatSql("SELECT a, sleep(3) FROM nowhere WHERE name = 'it''s' ORDER BY a LIMIT 3", signal)).toBe(
      "SELECT\n    a,\n    sleep(3)\nFROM nowhere\nWHERE name = 'it\\'s'\nORDER BY a ASC\nLIMIT 3",
    )
  })

  it('stays unchanged if it is invalid, or the engine is away', async () => {
    const formatSql = createSqlFormatter(engine.warehouse)
    expect(await formatSql('SELECT FORM; DROP', signal)).toBe('SELECT FORM; DROP')
    await engine.inject({ kind: 'reset', times: 10 })
    expect(await formatSql('SELECT a FROM b', signal)).toBe('SELECT a FROM b')
    await engine.inject()
  })
})
