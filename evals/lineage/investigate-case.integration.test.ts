import { expect, it, jest } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { readConfig } from '../../src/main/config.ts'
import { answer, toolCalls } from '../../test/emulators/model/model-scripts.ts'
import { startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { investigateCase } from './investigate-case.ts'
import { readPlantedCases } from './planted-case.ts'

jest.setTimeout(60_000)

it('runs a case before and after its data change, allows the replay, and shows the model only the question', async () => {
  const [planted] = readPlantedCases().filter(({ id }) => id === 'p7-b')
  if (planted === undefined) throw new Error('there is no case p7-b')
  const fees = { name: 'query_table', arguments: { sql: planted.symptom.sql.replace('FROM ', 'FROM pipelines.') } }
  const rounds = [
    toolCalls(fees, { name: 'request_full_replay', arguments: { reason: 'to see' } }),
    answer('The fees are what the rate was [E1].'),
  ]
  const model = await startScriptedModel({ onRequest: ({ index }) => rounds[index] ?? answer('Nothing.') })
  try {
    const env = {
      CLICKHOUSE_URL: 'chdb:memory',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'none',
      OPENAI_MODEL: 'scripted',
    }
    const parts = { config: readConfig(env), logger: createLogger({ level: 'silent' }) }

    const report = await investigateCase(planted, parts, new AbortController().signal)

    expect(report).toMatchObject({ id: 'p7-b', tier: 2, rounds: 1, tool_calls: [{ ok: true }, { ok: true }] })
    expect(report.evidence.map(({ rows }) => rows)).toEqual([[planted.symptom.wrong]])
    expect(report.tokens.in).toBeGreaterThan(0)
    const shown = JSON.stringify(model.calls.map(({ body }) => body))
    expect(shown).toContain(planted.question)
    for (const hidden of [planted.id, planted.fault, planted.root_cause, ...planted.key_facts])
      expect(shown).not.toContain(hidden)
  } finally {
    await model.close()
  }
})
