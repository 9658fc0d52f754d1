import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { readConfig } from '../../src/main/config.ts'
import { wireGuard } from '../../src/main/parts.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'
import { runClew } from '../support/run-clew.ts'
import { scriptedAnalyst } from '../support/scripted-analyst.ts'

const OTHER = '27.1.2.3'
const SENTENCE =
  /^The SQL guard was written for ClickHouse 26\.7; this server is 27\.1\.2\.3\. It refuses what it does not know.*clew doctor.*\n/gm
const analyst = scriptedAnalyst({ 'Thanks!': { intent: 'conversational', reply: 'You are welcome.' } })

let engine: TestEngine
let model: ScriptedModel
let disguise: Server
/** The CLICKHOUSE_URL of a proxy that reports another engine version. */
let url: string

beforeAll(async () => {
  engine = await startTestEngine()
  model = await startScriptedModel({ onRequest: call => answer(analyst(call)) })
  const target = new URL(engine.url)
  disguise = createServer((incoming, outgoing) => void passOn(target, incoming, outgoing)).listen(0, '127.0.0.1')
  await new Promise(resolve => disguise.once('listening', resolve))
  const { port } = disguise.address() as AddressInfo
  url = engine.url.replace(target.host, `127.0.0.1:${port}`)
})

afterAll(async () => {
  disguise?.closeAllConnections()
  await new Promise(resolve => disguise?.close(resolve))
  await model?.close()
  await engine?.close()
})

describe('a server version that the guard was not written for', () => {
  it('causes one warning beside the verdicts of `clew guard`', async () => {
    const input = '{"id":1,"sql":"SELECT id FROM t"}\n{"id":2,"sql":"SELECT id FROM secrets"}\n'
    const { status, output, errors } = await runClew(['guard', '--scope', 'default.t'], { CLICKHOUSE_URL: url }, { input })
    expect(status).toBe(0)
    const verdicts = output.trimEnd().split('\n')
    expect(verdicts.map(line => (JSON.parse(line) as { verdict: string }).verdict)).toEqual(['allow', 'reject'])
    expect(errors.match(SENTENCE)).toHaveLength(1)
  })

  it('causes one warning beside the answer of `clew ask`', async () => {
    const env = { CLICKHOUSE_URL: url, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' }
    const { status, output, errors } = await runClew(['ask', 'Thanks!'], env)
    expect([status, output]).toEqual([0, expect.stringContaining('You are welcome.')])
    expect(errors.match(SENTENCE)).toHaveLength(1)
  })

  it('causes a warning with advice in `clew doctor`', async () => {
    const { output } = await runClew(['doctor', '--json'], { CLICKHOUSE_URL: url })
    const { checks } = JSON.parse(output) as { checks: readonly { check: string }[] }
    expect(checks.find(({ check }) => check === 'version')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/^ClickHouse 27\.1\.2\.3; the SQL guard was written for 26\.7/),
      advice: expect.stringMatching(/^Use ClickHouse 26\.7/),
    })
  })

  it('is refused with CLEW_REQUIRE_KNOWN_ENGINE, and `clew doctor` names it', async () => {
    const env = { CLICKHOUSE_URL: url, CLEW_REQUIRE_KNOWN_ENGINE: '1' }
    const { status, errors } = await runClew(['guard', '--scope', 'default.t'], env, { input: '{"id":1,"sql":"SELECT 1"}\n' })
    expect(status).not.toBe(0)
    expect(errors).toMatch(/this server is 27\.1\.2\.3, which CLEW_REQUIRE_KNOWN_ENGINE refuses/)
    const { output } = await runClew(['doctor', '--json'], env)
    const { checks } = JSON.parse(output) as { checks: readonly { check: string }[] }
    expect(checks.find(({ check }) => check === 'version')).toMatchObject({
      state: 'failed',
      found: expect.stringMatching(/27\.1\.2\.3/),
      advice: 'Use ClickHouse 26.7, or unset CLEW_REQUIRE_KNOWN_ENGINE.',
    })
    const known = { ...env, CLICKHOUSE_URL: engine.url }
    expect((await runClew(['guard', '--scope', 'default.t'], known, { input: '' })).status).toBe(0)
  })

  it("causes one warning in a service's log", async () => {
    expect(await logged(url)).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'the SQL guard was not written for this version of ClickHouse',
        server: OTHER,
        writtenFor: ['26.7'],
        advice: expect.stringContaining('ClickHouse 26.7'),
      }),
    ])
  })

  it('causes no warning if it is the known version', async () => {
    expect(await logged(engine.url)).toEqual([])
    const { errors } = await runClew(['guard', '--scope', 'default.t'], { CLICKHOUSE_URL: engine.url }, { input: '' })
    expect(errors).toBe('')
  })
})

/** Starts a service that creates a SQL guard, and returns its log lines. */
async function logged(warehouseUrl: string): Promise<unknown[]> {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', destination: { write: line => void lines.push(line) } })
  const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query
  const signal = AbortSignal.timeout(20_000)
  const warehouse = await openWarehouse({ url: warehouseUrl, database: 'default', maxBytes, timeoutMs, logger }, signal)
  await wireGuard({ config: readConfig({}), logger }, warehouse, signal)
  await warehouse.close()
  return lines.map(line => JSON.parse(line))
}

/** Forwards a request to the engine. Replaces the engine's version in the answer. */
async function passOn(target: URL, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { 'accept-encoding': _, 'transfer-encoding': __, ...headers } = incoming.headers
  const body = await text(incoming)
  const length = Buffer.byteLength(body)
  const { method, url: path } = incoming
  const { hostname, port } = target
  const onward = request({ hostname, port, method, path, headers: { ...headers, 'content-length': length } }, async response => {
    const { 'content-length': ___, 'transfer-encoding': ____, ...received } = response.headers
    const answered = (await text(response)).replace(/"26\.7\.[\d.]+"/g, `"${OTHER}"`)
    outgoing.writeHead(response.statusCode ?? 500, received).end(answered)
  })
  onward.on('error', error => outgoing.destroy(error))
  onward.end(body)
}
