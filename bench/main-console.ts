import { performance } from 'node:perf_hooks'
import { Sessions } from '../src/http/sessions.ts'
import { Tokens } from '../src/http/tokens.ts'
import { startServe } from '../test/support/http-client.ts'
import { writeManyRuns } from '../test/support/many-runs.ts'
import { startTestRedis } from '../test/support/redis.ts'
import { TEST_STATE_KEY } from '../test/support/state-key.ts'

const RUNS = 10_000
const REQUESTS = 100
const QUERIES = {
  'first page': '',
  'deep page': '?before=run_0000000000001f40',
  filtered: '?person=slack/U6&outcome=answered&confidence=LOW',
  'searched by text': '?text=metro+317+week',
  'by cost': '?sort=cost&min_cost=0.05',
}

// Prints how long `clew serve` takes to list 10,000 runs: `node bench/run-ts.mjs bench/main-console.ts`.
const redis = await startTestRedis()
const client = await redis.connect()
await writeManyRuns(client, RUNS)
const { process: serve, url } = await startServe({ REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY })
const sessions = new Sessions({ redis: client, tokens: new Tokens({ redis: client, now: Date.now }), now: Date.now })
const who = { person: 'terminal/bench', role: null, lifeMs: 600_000 }
const [, secret] = (await sessions.createLink('', who, AbortSignal.timeout(10_000))).split('=')
const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
const signedIn = await fetch(`${url}/console/api/session`, { method: 'POST', headers, body: JSON.stringify({ secret }) })
const Cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? ''

async function timed(query: string): Promise<{ ms: number; total: number }> {
  const began = performance.now()
  const response = await fetch(`${url}/console/api/runs${query}`, { headers: { Cookie } })
  const { total } = (await response.json()) as { total: number }
  return { ms: performance.now() - began, total }
}

console.log(`first request, which reads all ${RUNS}: ${(await timed('')).ms.toFixed(0)} ms`)
for (const [name, query] of Object.entries(QUERIES)) {
  const all: { ms: number; total: number }[] = []
  for (let index = 0; index < REQUESTS; index += 1) all.push(await timed(query))
  const sorted = all.map(({ ms }) => ms).sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(share * (REQUESTS - 1))]?.toFixed(1)
  console.log(`${name} (${all[0]?.total} runs): p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`)
}
await serve.stop()
await redis.close()
