import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { NO_DOMAIN } from '../../src/domain/pack.ts'
import { readEvalCases } from '../../src/evals/case.ts'
import { runEvalCase } from '../../src/evals/run-eval-case.ts'
import { TranscribingLanguageModel } from '../../src/evals/transcribing-language-model.ts'
import { loadEvalWorld } from '../../src/evals/world.ts'
import { RecordedLanguageModel, type Recording } from '../../src/llm/recorded-language-model.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'
import { openRecordedAnalysts } from '../support/recorded-analyst.ts'

const SETS = [
  ['shop', 'shop'],
  ['logs', 'ops'],
  ['rollups', 'mart'],
] as const
/** This answer describes its period with days that have no citation. The citation check therefore marks the line as unverified. */
const MARKED = new Set(['logs-search-slower'])
const signal = AbortSignal.timeout(300_000)

let engine: TestEngine
beforeAll(async () => {
  engine = await startTestEngine()
})
afterAll(async () => await engine.close())

/** Right answers that a model once gave to Clew's prompts. Replayed without a model, they show whether later steps still work. */
describe.each(SETS)('recorded answers over %s', (folder, database) => {
  it('are right, and every sentence follows from its rows', async () => {
    const { warehouse } = engine
    const cases = await readEvalCases(`evals/${folder}/cases.jsonl`)
    const recordings = await readCaseRecordings()
    const recorded = cases.filter(({ id }) => recordings.has(id))
    expect(recorded.length).toBeGreaterThanOrEqual(27)
    await loadEvalWorld(`evals/${folder}`, cases, warehouse, signal)
    const analysts = await openRecordedAnalysts(warehouse, database)
    const misses: string[] = []
    for (const each of recorded) {
      const said = recordings.get(each.id) ?? []
      const model = new TranscribingLanguageModel(new RecordedLanguageModel(said))
      // SQL for the original question exists only if it was drafted ahead of time.
      const speculation = said.some(({ step, subject }) => step === 'generate' && subject === each.question)
      const { analyst, conversations } = analysts.open({ model, domain: NO_DOMAIN, speculation })
      const parts = { analyst, conversations, warehouse, model, subject: { model: 'recorded' } }
      const { report } = await runEvalCase(each, parts, signal)
      if (!report.correct) misses.push(`${each.id}: ${report.reason}, ${report.detail}`)
      if (report.unsupported > 0 && !MARKED.has(each.id)) misses.push(`${each.id}: ${report.unsupported} sentences do not follow`)
    }
    await analysts.close()
    expect(misses).toEqual([])
  }, 300_000)
})

async function readCaseRecordings(): Promise<ReadonlyMap<string, readonly Recording[]>> {
  const lines = (await readFile('evals/recordings.jsonl', 'utf8')).trim().split('\n')
  const entries = lines.map(line => JSON.parse(line) as Recording & { readonly case: string })
  return new Map([...new Set(entries.map(entry => entry.case))].map(id => [id, entries.filter(entry => entry.case === id)]))
}
