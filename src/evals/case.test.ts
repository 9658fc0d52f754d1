import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readEvalCases } from './case.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-eval-case-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('readEvalCases', () => {
  const read = async (...ids: readonly string[]) => {
    const path = join(folder, 'cases.jsonl')
    await writeFile(path, ids.map(id => JSON.stringify({ id, question: 'How many?', gold_sql: ['SELECT 1'] })).join('\n'))
    return (await readEvalCases(path)).map(({ id }) => id)
  }

  it('reads each case once', async () => {
    expect(await read('a', 'reports', 'report.2')).toEqual(['a', 'reports', 'report.2'])
    await expect(read('a', 'b', 'a')).rejects.toThrow(/line 3: there is another case a above it/)
  })

  it('refuses a case whose transcript would be named like the report', async () => {
    await expect(read('a', 'report')).rejects.toThrow(/line 2: id must not be "report"/)
  })
})
