import { afterEach, describe, expect, it } from '@jest/globals'
import type { EndpointRules } from '../../test/emulators/model/endpoint-rules.ts'
import type { ModelScript } from '../../test/emulators/model/model-script.ts'
import * as scripts from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { type CheckResult, runCheck } from '../base/check.ts'
import { createLogger } from '../base/logger.ts'
import { checkModel } from './check-model.ts'

const KEY = 'sk-test-0123456789abcdef'
const OBEYED = { numbers: ['one', 'two', 'three'] }
/** The delay between two pieces. Without it, several pieces would arrive as one, and on a busy machine also with a short one. */
const IN_PIECES = { pieceDelayMs: 25 }

const endpoints: ScriptedModel[] = []
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint.close()
})

describe('checkModel', () => {
  it('accepts an endpoint with all capabilities', async () => {
    const results = await check(scripts.answer(OBEYED, IN_PIECES))
    expect(results).toEqual([
      expect.objectContaining({
        check: 'm-large',
        state: 'ok',
        found: expect.stringMatching(/^answers in .* s; 11 \+ 7 tokens$/),
      }),
      expect.objectContaining({ check: 'm-large, JSON', state: 'ok' }),
      expect.objectContaining({ check: 'm-large, streaming', state: 'ok' }),
    ])
  })

  it('asks each configured model once, as one of its steps', async () => {
    const endpoint = await serve(scripts.answer(OBEYED, IN_PIECES))
    const results = await checkAt(endpoint, { models: { generate: 'm-sql', decompose: 'm-sql', respond: 'm-large' } })
    expect(endpoint.calls.map(call => [call.body.model, call.step]).sort()).toEqual([
      ['m-large', 'classify'],
      ['m-sql', 'generate'],
    ])
    expect(results.filter(result => result.state !== 'ok')).toEqual([])
  })

  it('asks nothing for an unknown step', async () => {
    const endpoint = await serve(scripts.answer(OBEYED))
    await checkAt(endpoint, { models: { genrate: 'm-sql' } })
    expect(endpoint.calls.map(call => call.body.model)).toEqual(['m-large'])
  })

  it('reports a slow model without asking it again', async () => {
    const endpoint = await serve(scripts.hang())
    const [result, ...others] = await checkAt(endpoint, { timeoutMs: 300 })
    expect(others).toEqual([])
    expect(result).toMatchObject({ state: 'failed', found: expect.stringContaining('no whole answer within 0.3 s') })
    expect(result?.advice).toBe(
      'Choose a faster model, or raise CLEW_MODEL_TIMEOUT_S (0.3): a question waits no longer than that.',
    )
    expect(endpoint.calls).toHaveLength(1)
  })

  it.each([
    ['JSON mode', { jsonSchema: false }, 'JSON mode is used'],
    ['text', { jsonSchema: false, jsonObject: false }, 'the schema goes into the prompt'],
  ])('reports the fallback to %s', async (_, rules, found) => {
    const results = await check(scripts.answer(OBEYED), rules)
    expect(results[1]).toMatchObject({ check: 'm-large, JSON', state: 'warning', found: expect.stringContaining(found) })
  })

  it('fails a model that accepts a schema and ignores it', async () => {
    const results = await check(scripts.answer('one, two, three, four, five'))
    expect(results[1]).toMatchObject({ state: 'failed', found: 'the model takes a JSON schema and does not obey it' })
  })

  it('warns of an answer that is not streamed, and of missing token counts', async () => {
    const results = await check(scripts.page(inOneGo(OBEYED), 'text/event-stream'))
    expect(results[0]?.found).toContain('estimated')
    expect(results[2]).toMatchObject({ check: 'm-large, streaming', state: 'warning' })
  })

  it.each<[string, Partial<EndpointRules>, string]>([
    ['a wrong key', { apiKey: 'another' }, 'OPENAI_API_KEY'],
    ['an unknown model', { models: ['m-small'] }, 'OPENAI_MODEL'],
  ])('says what to correct for %s, and never the key', async (_, rules, variable) => {
    const results = await check(scripts.answer(OBEYED), rules)
    expect(results).toEqual([expect.objectContaining({ state: 'failed', advice: expect.stringContaining(variable) })])
    expect(JSON.stringify(results)).not.toContain(KEY)
  })

  it('says how to correct a URL without an endpoint', async () => {
    const results = await check(scripts.page('<h1>Welcome</h1>', 'text/html'))
    expect(results).toEqual([expect.objectContaining({ state: 'failed', advice: expect.stringContaining('OPENAI_BASE_URL') })])
  })

  it('says how to correct an address where nothing answers', async () => {
    const results = await checkAt({ baseUrl: 'http://127.0.0.1:1/v1' })
    expect(results).toEqual([expect.objectContaining({ state: 'failed', advice: expect.stringContaining('OPENAI_BASE_URL') })])
  })
})

/** Returns an answer's stream as a single piece. A proxy that buffers the stream sends it like this. */
function inOneGo(value: object): string {
  const pieces = JSON.stringify(value).match(/.{1,7}/g) ?? []
  const chunks = pieces.map(content => ({ choices: [{ delta: { content }, finish_reason: null }] }))
  return `${chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}

async function serve(script: ModelScript, rules: Partial<EndpointRules> = {}): Promise<ScriptedModel> {
  const endpoint = await startScriptedModel({ onRequest: () => script, rules })
  endpoints.push(endpoint)
  return endpoint
}

async function check(script: ModelScript, rules?: Partial<EndpointRules>): Promise<readonly CheckResult[]> {
  return checkAt(await serve(script, rules))
}

function checkAt(
  { baseUrl }: { readonly baseUrl: string },
  given: Partial<Parameters<typeof checkModel>[0]> = {},
): Promise<readonly CheckResult[]> {
  const logger = createLogger({ level: 'silent' })
  const options = { apiKey: KEY, baseUrl, model: 'm-large', models: {}, timeoutMs: 5000, logger, ...given }
  return runCheck(
    { part: 'model', timeoutMs: 20_000, advice: '' },
    (report, ended) => checkModel(options, report, ended),
    new AbortController().signal,
  )
}
