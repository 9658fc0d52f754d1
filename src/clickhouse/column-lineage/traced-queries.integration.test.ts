import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { readStatements } from '../../../test/support/statements.ts'
import { sampleOf } from '../../../test/support/whole.ts'
import { readColumnLineage } from './read-column-lineage.ts'

const never = new AbortController().signal
const file = (name: string) => new URL(`../../../test/cases/${name}`, import.meta.url)
const all = readFileSync(file('analytical-queries.jsonl'), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => z.object({ id: z.string(), sql: z.string(), tags: z.array(z.string()) }).parse(JSON.parse(line)))
const queries = sampleOf(all, 8, ({ tags }) => tags.join(' '))

let engine: TestEngine

beforeAll(async () => {
  engine = await startTestEngine({ database: 'shop' })
  for (const sql of readStatements(file('analytical-world.sql'))) {
    await engine.warehouse.write({ sql, database: 'default' }, never)
  }
})
afterAll(() => engine?.close())

it('lineage is found for every shape of query that analysts write', async () => {
  const lineages = []
  for (const { id, sql } of queries) {
    const query = { sql: sql.replace(/[;\s]+$/, ''), database: 'shop', timeLimitMs: 20_000 }
    lineages.push({ id, lineage: await readColumnLineage(engine.warehouse, query, never) })
  }
  expect(lineages.filter(({ lineage }) => lineage === undefined)).toEqual([])
  const fields = lineages.flatMap(({ lineage }) => lineage?.fields ?? [])
  const inputs = fields.flatMap(field => field.inputs)
  expect(inputs.length).toBeGreaterThan(queries.length)
  expect(inputs.filter(({ table }) => !/^(?:shop|_table_function|system)\./.test(table))).toEqual([])
})
