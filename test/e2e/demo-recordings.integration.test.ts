import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isEmptyResult } from '../../src/agent/query/empty-result.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import type { RunResult } from '../../src/agent/run/result.ts'
import { DEMO_WORLD_DATABASE, loadDemoWorld } from '../../src/clickhouse/demo/world.ts'
import { loadDomainPack } from '../../src/domain/pack.ts'
import { RecordedLanguageModel, readRecordings } from '../../src/llm/recorded-language-model.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'
import { openRecordedAnalysts } from '../support/recorded-analyst.ts'

const { signal } = new AbortController()
let engine: TestEngine

beforeAll(async () => {
  engine = await startTestEngine({ database: DEMO_WORLD_DATABASE })
})
afterAll(() => engine.close())

/** Asks every sample question on newly made demo data. `seed` decides the values, and the data end now. */
async function converse(seed: number): Promise<RunResult[]> {
  const { warehouse } = engine
  await loadDemoWorld({ warehouse, seed, anchor: new Date(Math.floor(Date.now() / 1_000) * 1_000) }, signal)
  const analysts = await openRecordedAnalysts(warehouse, DEMO_WORLD_DATABASE)
  const { analyst } = analysts.open({
    model: new RecordedLanguageModel(await readRecordings('demo/recordings.jsonl')),
    domain: await loadDomainPack('demo/domain'),
    // The demo also switches speculation off. Its recordings contain no SQL that was drafted before the plan.
    speculation: false,
  })
  const results: RunResult[] = []
  const samples = (await readFile('demo/questions.jsonl', 'utf8')).trim().split('\n')
  for (const sample of samples) {
    const { thread, question } = JSON.parse(sample) as { thread: string; question: string }
    const { result } = await analyst.ask({ runId: newRunId(), thread, text: question, askedAt: Date.now() }, signal)
    results.push(result)
  }
  await analysts.close()
  return results
}

function share(results: readonly RunResult[]): { readonly checked: number; readonly unsupported: number } {
  const reports = results.flatMap(result => result.citations ?? [])
  return {
    checked: reports.reduce((sum, report) => sum + report.checked, 0),
    unsupported: reports.reduce((sum, report) => sum + report.unsupported.length, 0),
  }
}

describe('the recorded answers of the demo', () => {
  it('have queries that all run, and claims that nearly all follow from the rows', async () => {
    const results = await converse(1)
    expect(results.flatMap(result => result.queries.filter(query => query.error !== null))).toEqual([])
    const empty = results.flatMap(result => result.queries.filter(isEmptyResult))
    expect(empty.map(query => [query.question, query.review?.verdict])).toEqual(empty.map(query => [query.question, 'expected']))
    expect(new Set(results.flatMap(({ chart }) => chart?.kind ?? []))).toEqual(new Set(['line', 'bar']))
    const { checked, unsupported } = share(results)
    console.info(`recorded answers over their own world: ${unsupported} of ${checked} sentences and rows unverified`)
    expect(unsupported / checked).toBeLessThan(0.05)
  })

  it('are marked unverified over other data', async () => {
    const { checked, unsupported } = share(await converse(2))
    console.info(`recorded answers over another world: ${unsupported} of ${checked} sentences and rows unverified`)
    expect(unsupported / checked).toBeGreaterThan(0.5)
  })
})
