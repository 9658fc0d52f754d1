import { performance } from 'node:perf_hooks'
import { AUDIT_LIMITS } from '../src/audit/limits.ts'
import { auditLineSchema } from '../src/audit/line.ts'
import { RedisAuditStore } from '../src/audit/redis-store.ts'
import { Sessions } from '../src/http/sessions.ts'
import { Tokens } from '../src/http/tokens.ts'
import { counterKey, countUse } from '../src/queue/usage/counters.ts'
import { startServe } from '../test/support/http-client.ts'
import { writeManyRuns } from '../test/support/many-runs.ts'
import { startTestRedis } from '../test/support/redis.ts'
import { TEST_STATE_KEY } from '../test/support/state-key.ts'

const RUNS = 10_000
const REQUESTS = 100
const PEOPLE = 1_000
const DAYS = 7
const DAY_MS = 86_400_000
const QUERIES = {
  'first page': 'runs',
  'deep page': 'runs?before=run_0000000000001f40',
  filtered: 'runs?person=slack/U6&outcome=answered&confidence=LOW',
  'searched by text': 'runs?text=metro+317+week',
  'by cost': 'runs?sort=cost&min_cost=0.05',
  [`use of ${PEOPLE} people in ${DAYS} days`]: `operation/usage?days=${DAYS}`,
  [`the rarest of ${AUDIT_LIMITS.streamLines} audit lines`]: 'operation/audit?kind=draft',
}
const signal = AbortSignal.timeout(600_000)

// Prints how long `clew serve` takes over 10,000 runs and a full audit log: `node bench/run-ts.mjs bench/main-console.ts`.
const redis = await startTestRedis()
const client = await redis.connect()
await writeManyRuns(client, RUNS)
for (let day = 0; day < DAYS; day += 1) {
  const at = new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10)
  for (let from = 0; from < PEOPLE; from += 100) {
    const names = Array.from({ length: 100 }, (_, index) => `slack/U${from + index}`)
    const counters = [...names, 'all'].map(name => {
      const kind = name === 'all' ? 'all' : 'person'
      const listed = { key: counterKey(at, kind), name }
      return { key: counterKey(at, kind, name), livesMs: 90 * DAY_MS, by: { questions: 3, cost: 0.1, tokens: 9_000 }, listed }
    })
    await countUse(client, { what: 'count', counters }, signal)
  }
}
const audit = new RedisAuditStore({ redis: client, retentionMs: DAY_MS, now: Date.now, close: async () => undefined })
for (let from = 0; from < AUDIT_LIMITS.streamLines; from += 2_000) {
  const lines = Array.from({ length: 2_000 }, (_, index) => {
    const kind = index === 0 && from % 20_000 === 0 ? 'draft' : 'query'
    return auditLineSchema.parse({ at: Date.now(), id: `line-${from + index}`, kind, person: `slack/U${index % PEOPLE}` })
  })
  await audit.append(lines, signal)
}
const { process: serve, url } = await startServe({ REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY })
const sessions = new Sessions({ redis: client, tokens: new Tokens({ redis: client, now: Date.now }), now: Date.now })
const who = { person: 'terminal/bench', role: null, lifeMs: 600_000 }
const [, secret] = (await sessions.createLink('', who, AbortSignal.timeout(10_000))).split('=')
const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
const signedIn = await fetch(`${url}/console/api/session`, { method: 'POST', headers, body: JSON.stringify({ secret }) })
const Cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? ''

async function timed(path: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${url}/console/api/${path}`, { headers: { Cookie } })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
  return performance.now() - began
}

console.log(`first request, which reads all ${RUNS}: ${(await timed('runs')).toFixed(0)} ms`)
for (const [name, path] of Object.entries(QUERIES)) {
  const all: number[] = []
  for (let index = 0; index < REQUESTS; index += 1) all.push(await timed(path))
  const sorted = all.sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(share * (REQUESTS - 1))]?.toFixed(1)
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`)
}
await serve.stop()
await redis.close()
