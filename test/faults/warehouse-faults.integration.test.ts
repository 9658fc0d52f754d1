import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { answer } from '../emulators/model/model-scripts.ts'
import { askInSlack } from '../support/ask-in-slack.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { type MuteProxy, startMuteProxy } from '../support/mute-proxy.ts'
import { runClew } from '../support/run-clew.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

// Faults of the warehouse, between a real worker and the real engine. The numbers refer to the fault matrix.

const QUESTION = 'Explain how many devices there are.'
const MOVED = 'Explain how many have moved.'
const book = {
  [QUESTION]: {
    queries: { 'How many devices are there?': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are **42 devices** [Q1].',
  },
  [MOVED]: { queries: { 'How many have moved?': [''] }, answer: '**7** have moved [Q1].' },
}
const AWAY = 'The warehouse could not be reached in time. Please ask again in a minute.'
/** This many questions fail before the warehouse is left alone. */
const FAILURES = 5

let world: ClewWorld
let worker: ClewProcess
let proxy: MuteProxy
let enginePort: number

beforeAll(async () => {
  world = await startClewWorld(book)
  const url = new URL(world.engine.url)
  enginePort = Number(url.port)
  proxy = await startMuteProxy(enginePort)
  url.port = String(proxy.port)
  const env = { CLEW_SPECULATION: '0', CLICKHOUSE_URL: url.href }
  ;[, worker] = await Promise.all([world.startBots(), world.startWorker(env)])
}, 120_000)
afterEach(() => world.intercept(undefined))
afterAll(async () => {
  await world.close()
  await proxy.close()
})

const write = (sql: string) => world.engine.warehouse.write({ sql }, AbortSignal.timeout(30_000))

it.each([
  ['column', 'ALTER TABLE moving RENAME COLUMN old_name TO new_name', 'SELECT new_name FROM moving'],
  ['table', 'RENAME TABLE moving TO moved_new_name', 'SELECT old_name FROM moved_new_name'],
])('fault 34: a %s that is renamed between prompt and query costs one more attempt', async (_, rename, renamed) => {
  await write('CREATE TABLE moving (old_name UInt8) ENGINE = MergeTree ORDER BY tuple()')
  await write('INSERT INTO moving VALUES (7)')
  let isRenamed = false
  world.intercept(call => {
    if (call.step !== 'generate') return undefined
    const knows = fenced(promptOf(call), 'schema').includes('new_name')
    const sql = knows ? renamed : 'SELECT old_name FROM moving'
    const written = answer({ sql, explanation: 'Looks it up.', assumptions: [], chart: null })
    return async exchange => {
      if (!isRenamed) await write(rename)
      isRenamed = true
      await written(exchange)
    }
  })
  const { reply, replies, callsOf } = await askInSlack(world, MOVED)
  await write('DROP TABLE IF EXISTS moving')
  await write('DROP TABLE IF EXISTS moved_new_name')
  expect(reply).toContain('7 have moved')
  expect(callsOf('generate')).toHaveLength(2)
  expect(replies()).toBe(1)
})

it('fault 26: a warehouse that refuses connections is told, is left alone after a while, and is asked again', async () => {
  const { port } = proxy
  await proxy.close()
  const began = Date.now()
  const failed = await Promise.all(Array.from({ length: FAILURES }, () => askInSlack(world, QUESTION)))
  for (const { reply, replies } of failed) {
    expect(reply).toContain(AWAY)
    expect(replies()).toBe(1)
  }
  // The first connection is refused at once. The rest of the time are pauses between further attempts.
  expect(Date.now() - began).toBeGreaterThan(500)

  const served = worker.log.find(line => line.includes('serving health')) ?? '{}'
  const readySchema = z.object({ parts: z.record(z.string(), z.unknown()) })
  const ready = async () =>
    readySchema.parse(await (await fetch(`http://127.0.0.1:${JSON.parse(served).port}/ready`)).json()).parts
  expect(await ready()).toMatchObject({ 'source default': 'open', model: 'closed', 'slack api': 'closed' })
  const { reply } = await askInSlack(world, QUESTION)
  expect(reply).toContain(AWAY)

  proxy = await startMuteProxy(enginePort, port)
  const backAt = Date.now()
  let after = await askInSlack(world, QUESTION)
  while (after.reply.includes(AWAY) && Date.now() - backAt < 60_000) after = await askInSlack(world, QUESTION)
  expect(after.reply).toContain('42 devices')
  expect(await ready()).toMatchObject({ 'source default': 'closed' })
}, 180_000)

it('fault 26: a warehouse whose name nobody knows is told in one sentence', async () => {
  const env = { ...world.env, CLICKHOUSE_URL: 'http://warehouse.invalid:8123' }
  const { status, output, errors } = await runClew(['ask', QUESTION], env)
  expect([status, output]).toEqual([1, ''])
  expect(errors).toMatch(/CLICKHOUSE_URL|cannot be reached/)
})
