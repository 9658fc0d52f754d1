import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { collectSpans } from '../../../test/support/collected-spans.ts'
import { type EndlessPipeline, startEndlessPipeline } from '../../../test/support/endless-pipeline.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { until } from '../../../test/support/queue-harness.ts'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import type { ReplayOutcome, ReplayRequest } from '../../agent/lineage/replayer.ts'
import { createLogger } from '../../base/logger.ts'
import { inSpan } from '../../telemetry/span.ts'
import { createRecordWatcher, type RecordWatcher } from '../record-watcher.ts'
import { createRunCancellation, type RunCancellation } from '../run-cancellation.ts'
import type { PipelineWorker } from './pipeline-worker.ts'
import { createReplayQueue, type ReplayQueue, type ReplayQueueDeps } from './replay-queue.ts'
import { createReplayWorker, type ReplayWorkerDeps } from './replay-worker.ts'

jest.setTimeout(60_000)

const logger = createLogger({ level: 'silent' })
const signal = new AbortController().signal

let redis: TestRedis
let engine: TestEngine
let pipeline: EndlessPipeline
let cancellation: RunCancellation
let watcher: RecordWatcher
let round = 0
const queues: ReplayQueue[] = []
const workers: PipelineWorker[] = []

const count = async (sql: string) => Number((await engine.warehouse.readOwn({ sql, database: 'clew' }, signal)).rows[0]?.[0])
/** Returns the number of replays with this status in the current test. */
const replaysOf = (status: string) => pipeline.countReplays(status, String(round))

beforeAll(async () => {
  ;[redis, engine] = await Promise.all([startTestRedis(), startTestEngine()])
  pipeline = await startEndlessPipeline(engine.warehouse)
  const client = await redis.connect()
  watcher = createRecordWatcher(client)
  cancellation = createRunCancellation(client, watcher)
})
beforeEach(() => {
  round += 1
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close(0)
  for (const queue of queues.splice(0)) await queue.close()
  await engine.inject()
  await pipeline.setEndless(false)
  await (await redis.connect()).flushall()
})
afterAll(async () => {
  await watcher.close()
  await redis.close()
  await engine.close()
})

async function startQueue(limits: ReplayQueueDeps['limits'] = {}): Promise<ReplayQueue> {
  const queue = createReplayQueue({ redis: await redis.connect(), now: Date.now, limits: { lookMs: 20, ...limits }, logger })
  queues.push(queue)
  return queue
}

async function startWorker(options: Partial<ReplayWorkerDeps> = {}): Promise<PipelineWorker> {
  const deps = { redis: await redis.connect(), pipelines: pipeline.pipelines, cancellation, now: Date.now, logger }
  const worker = createReplayWorker({ ...deps, ...options })
  workers.push(worker)
  worker.start()
  return worker
}

function requestOf(name: string): ReplayRequest {
  const askedBy = `${name}_${round}`
  return { runId: pipeline.original, reason: String(round), askedBy, stoppedWith: [askedBy, `${askedBy}_answered`] }
}

/** Requests a replay, and waits until the replay keeps the engine busy. */
async function askForEndless(queue: ReplayQueue, askedBy: string, own = signal): Promise<Promise<ReplayOutcome>[]> {
  await pipeline.setEndless(true)
  const asked = queue.replay(requestOf(askedBy), () => {}, own)
  asked.catch(() => undefined)
  await until('the engine is busy', async () => (await pipeline.busy()) > 0)
  return [asked]
}

describe('a replay', () => {
  it('runs once on a worker, wherever and however often it is requested, and reports progress', async () => {
    await startWorker()
    const lines: string[] = []
    const [here, there] = [await startQueue(), await startQueue()]
    await engine.inject({ kind: 'delay', milliseconds: 500, matching: 'AS\nSELECT count() AS n', times: 1 })
    const asked = here.replay(requestOf('run_a'), line => lines.push(line), signal)
    const outcomes = await Promise.all([asked, there.replay(requestOf('run_a'), () => {}, signal)])
    const [outcome] = outcomes
    expect(outcome).toEqual({ kind: 'completed', runId: expect.stringMatching(/^job_[0-9a-f]{16}$/) })
    expect(outcomes[1]).toEqual(outcome)
    expect(await here.replay(requestOf('run_a'), () => {}, signal)).toEqual(outcome)
    expect(await replaysOf('COMPLETED')).toBe(1)
    expect(lines).toContain('step 3 of 5, 1.5K rows')
  })

  it('belongs to the trace of the question that asked for it', async () => {
    const collected = collectSpans()
    await startWorker()
    const queue = await startQueue()
    await inSpan('question', {}, () => queue.replay(requestOf('run_a'), () => {}, signal))
    await until('the span has ended', async () => collected.spans().some(({ name }) => name === 'replay'))
    const [replay, question] = ['replay', 'question'].map(name => collected.spans().find(span => span.name === name))
    expect(replay?.parentSpanContext?.spanId).toBe(question?.spanContext().spanId)
    await collected.stop()
  })

  it('continues when its asker is gone, and the next asker waits for the same one', async () => {
    await startWorker()
    const gone = new AbortController()
    const stop = () => gone.abort(new Error('killed'))
    const asked = (await startQueue()).replay(requestOf('run_a'), stop, gone.signal)
    await expect(asked).rejects.toThrow('killed')
    expect(await (await startQueue()).replay(requestOf('run_a'), () => {}, signal)).toMatchObject({ kind: 'completed' })
    expect(await replaysOf('COMPLETED')).toBe(1)
  })

  it('moves to another worker when its worker stops, without repeating finished steps', async () => {
    const first = await startWorker()
    await engine.inject({ kind: 'delay', milliseconds: 60_000, matching: 'AS\nSELECT count() AS n', times: 1 })
    const isHeavy = ({ sql }: { readonly sql: string }) => sql.includes('AS\nSELECT count() AS n')
    const before = (await engine.receivedQueries()).filter(isHeavy).length
    const asked = (await startQueue()).replay(requestOf('run_a'), () => {}, signal)
    await until('it is in the middle', async () => (await engine.receivedQueries()).filter(isHeavy).length > before)
    await first.close(0)
    await startWorker()
    const outcome = await asked
    if (outcome.kind !== 'completed') throw new Error(`it ended as ${outcome.kind}`)
    const { tasks } = await pipeline.pipelines.history(outcome.runId, signal)
    expect(tasks.find(({ name }) => name === 'input:raw')).toMatchObject({ status: 'COMPLETED', attempts: 1 })
    expect(await replaysOf('COMPLETED')).toBe(1)
  })

  it.each(['', '_answered'])('ends with its query when run_a%s is stopped, even if nobody waits for it', async answered => {
    await startWorker()
    const gone = new AbortController()
    await askForEndless(await startQueue(), 'run_a', gone.signal)
    gone.abort(new Error('killed'))
    await cancellation.request(`run_a_${round}${answered}`, 'stopped', signal)
    await until('it has ended', async () => (await replaysOf('CANCELLED')) === 1)
    expect(await pipeline.busy()).toBe(0)
  })

  it('does no work if it is stopped before its turn', async () => {
    const asked = (await startQueue()).replay(requestOf('run_a'), () => {}, signal)
    await cancellation.request(`run_a_${round}`, 'deleted', signal)
    await startWorker()
    expect(await asked).toEqual({ kind: 'failed', reason: 'stopped by request' })
    const tasks = `SELECT count() FROM tasks FINAL WHERE status = 'COMPLETED' AND job_id IN (SELECT id FROM jobs WHERE reason = '${round}')`
    expect(await count(tasks)).toBe(0)
  })

  it('can be ended from any process by its id', async () => {
    await startWorker()
    const [asked] = await askForEndless(await startQueue(), 'run_a')
    const [replay] = await pipeline.pipelines.replaysUnderWay(signal)
    await pipeline.pipelines.cancel(replay?.id ?? '', signal)
    expect(await asked).toEqual({ kind: 'failed', reason: 'stopped by request' })
    expect(await pipeline.busy()).toBe(0)
  })

  it('ends after its time limit, and says so', async () => {
    await startWorker({ limitMs: 1_500 })
    await pipeline.setEndless(true)
    expect(await (await startQueue()).replay(requestOf('run_a'), () => {}, signal)).toEqual({ kind: 'timeout', limitMs: 1_500 })
    expect(await pipeline.busy()).toBe(0)
  })

  it('fails at once with a reason if its run is unknown', async () => {
    await startWorker()
    const queue = await startQueue()
    expect(await queue.replay({ ...requestOf('run_a'), runId: 'job_unknown' }, () => {}, signal)).toEqual({
      kind: 'failed',
      reason: expect.stringContaining('No job and no run is called job_unknown'),
    })
  })

  it('is not run as somebody without the key has requested it', async () => {
    const request = requestOf('run_a')
    const outcome = (await startQueue()).replay(request, () => {}, signal)
    const client = await redis.connect()
    const key = `{clew}:replays:${encodeURIComponent(`${request.askedBy}/${request.runId}`)}`
    await until('it waits', async () => (await client.exists(key)) === 1)
    await client.hset(key, 'data', JSON.stringify(request))
    await startWorker()
    expect(await outcome).toMatchObject({ kind: 'failed' })
    expect(await pipeline.countReplays('COMPLETED', String(round))).toBe(0)
  })

  it('leads to no run that somebody without the key has named', async () => {
    const request = requestOf('run_a')
    await startWorker()
    const queue = await startQueue()
    expect(await queue.replay(request, () => {}, signal)).toMatchObject({ kind: 'completed' })
    const key = `{clew}:replays:${encodeURIComponent(`${request.askedBy}/${request.runId}`)}`
    const forged = JSON.stringify({ kind: 'completed', runId: 'job_of_others' })
    await (await redis.connect()).hset(key, 'returnvalue', forged)
    expect(await queue.replay(request, () => {}, signal)).toMatchObject({ kind: 'failed' })
  })

  it.each([
    { kind: 'crashed', how: 'SIGKILL' },
    { kind: 'failed', error: 'the signature of a replay is wrong', retryable: false },
  ] as const)('runs alone after two dead workers, and is tried no more if it $kind there for good', async end => {
    const request = requestOf('run_a')
    const outcome = (await startQueue()).replay(request, () => {}, signal)
    const client = await redis.connect()
    const id = encodeURIComponent(`${request.askedBy}/${request.runId}`)
    await until('it waits', async () => (await client.exists(`{clew}:replays:${id}`)) === 1)
    await client.hset(`{clew}:replays:${id}`, 'stc', 2)
    const run = jest.fn(async () => end)
    await startWorker({ alone: { run } })
    expect(await outcome).toEqual({ kind: 'failed', reason: 'what ended it stands in the log of the worker' })
    expect(run.mock.calls).toEqual([[{ kind: 'job', queue: 'replays', id }, expect.anything()]])
    expect(await replaysOf('COMPLETED')).toBe(0)
  })
})

describe('many replays', () => {
  it('wait for their turn and show it; one too many is refused, and so is one that waits too long', async () => {
    await startWorker()
    const limits = { sideBySide: 1, most: 2 }
    const [patient, hasty] = [await startQueue(limits), await startQueue({ ...limits, waitMs: -1 })]
    await askForEndless(patient, 'run_a')
    expect(await hasty.replay(requestOf('run_b'), () => {}, signal)).toEqual({ kind: 'busy', others: 1 })
    await pipeline.setEndless(false)
    const lines: string[] = []
    const second = patient.replay(requestOf('run_c'), line => lines.push(line), signal)
    await until('the second one waits', async () => lines.length > 0)
    expect(lines).toEqual(['waits for its turn: 1 other runs'])
    expect(await patient.replay(requestOf('run_d'), () => {}, signal)).toEqual({ kind: 'busy', others: 2 })
    await cancellation.request(`run_a_${round}`, 'stopped', signal)
    expect(await second).toMatchObject({ kind: 'completed' })
    expect(await replaysOf('CANCELLED')).toBe(1)
  })
})
