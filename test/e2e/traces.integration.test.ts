import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { packageVersion } from '../../src/base/package-files.ts'
import { status } from '../emulators/model/model-scripts.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts'

const SECRET = 'How many links are there?'
const SQL = 'SELECT count() AS links FROM dz_links'
const book = { [SECRET]: { queries: { 'Count the links.': [SQL] }, answer: 'There are 64 links [Q1].' } }

let world: ClewWorld
let receiver: OtlpReceiver
let silent: Server | undefined

beforeAll(async () => {
  world = await startClewWorld(book)
})
afterEach(async () => {
  world.intercept(undefined)
  await receiver?.close()
  silent?.close()
})
afterAll(() => world?.close())

/** Asks a question over Slack, and stops the bots and the worker, which then send their spans. */
async function ask(env: Readonly<Record<string, string>>) {
  const processes = await Promise.all([world.startBots(env), world.startWorker(env)])
  const question = world.slack.user('alice').post('data', `${world.slack.botMention} ${SECRET}`)
  // An answer has its buttons only in its last edit.
  const isWhole = ({ plain, blocks }: ShownMessage) => plain.includes('64 links') && JSON.stringify(blocks).includes('Show SQL')
  const answer = () => world.replies(question).find(isWhole)
  await world.slack.waitFor(() => answer() !== undefined, { timeoutMs: 60_000 })
  const shown = answer()
  if (shown === undefined) throw new Error('no answer')
  return { answer: shown, stop: () => Promise.all(processes.map(each => each.stop())), processes }
}

describe('the trace of a question over Slack', () => {
  it('leads from the event in the bots through the worker to the edit of the answer, without texts', async () => {
    receiver = await startOtlpReceiver()
    let isBusy = true
    world.intercept(call => {
      if (call.step !== 'synthesize' || !isBusy) return undefined
      isBusy = false
      return status(503)
    })
    const { stop } = await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_RESOURCE_ATTRIBUTES: 'deployment=test' })
    expect(await stop()).toEqual([0, 0])
    const { spans } = receiver
    const accepted = only(spans, 'accept message')
    expect(accepted).toMatchObject({ parentId: '', kind: 'producer', service: 'clew-bots', version: packageVersion() })
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([accepted.traceId]))

    const processed = only(spans, 'process message')
    expect(processed).toMatchObject({ parentId: accepted.spanId, kind: 'consumer', service: 'clew-worker' })
    expect(processed.attributes).toMatchObject({ 'messaging.system': 'slack' })
    const run = only(spans, 'run')
    expect(run).toMatchObject({ parentId: processed.spanId, attributes: { 'clew.run': processed.attributes['clew.run'] } })
    for (const step of ['classify', 'decompose', 'synthesize'])
      expect(spans.find(({ name }) => name === step)).toMatchObject({ parentId: run.spanId, attributes: { 'clew.step': step } })

    const synthesize = only(spans, 'synthesize')
    const calls = spans.filter(({ parentId }) => parentId === synthesize.spanId)
    const common = { 'gen_ai.operation.name': 'chat', 'gen_ai.response.model': 'scripted' }
    expect(calls).toMatchObject([
      { kind: 'client', isFailed: true, attributes: { ...common, 'http.response.status_code': 503, 'error.type': 'failed' } },
      {
        kind: 'client',
        isFailed: false,
        attributes: { ...common, 'gen_ai.usage.input_tokens': 11, 'gen_ai.usage.output_tokens': 7 },
      },
    ])
    expect(synthesize.durationMs).toBeGreaterThanOrEqual(calls[1]?.durationMs ?? Number.POSITIVE_INFINITY)

    const ran = spans.filter(span => span.name === 'query default' && span.attributes['db.response.returned_rows'] === 1)
    expect(ran.map(({ parentId }) => nameOf(spans, parentId))).toContain('execute Q1')
    expect(ran[0]).toMatchObject({ kind: 'client', attributes: { 'db.system.name': 'clickhouse' } })

    // On a slow machine, the worker posts a notice too.
    const posted = only(
      spans.filter(({ service }) => service === 'clew-bots'),
      'post slack',
    )
    expect(posted).toMatchObject({ kind: 'client', attributes: { 'messaging.operation.name': 'post' } })
    expect(spans.find(({ spanId }) => spanId === posted.parentId)).toMatchObject({
      name: 'show placeholder',
      parentId: accepted.spanId,
    })
    const edits = spans.filter(({ name }) => name === 'edit slack')
    expect(edits.map(({ service, parentId }) => [service, parentId])).toContainEqual(['clew-worker', processed.spanId])

    for (const text of [SECRET, SQL, '64 links', 'alice']) expect(receiver.received).not.toContain(text)
  }, 120_000)

  it('has the question and the SQL if the operator wants them', async () => {
    receiver = await startOtlpReceiver()
    const { stop } = await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, CLEW_TRACE_CONTENT: '1' })
    await stop()
    expect(only(receiver.spans, 'run').attributes).toMatchObject({ 'clew.question': SECRET })
    expect(receiver.spans.map(({ attributes }) => attributes['db.query.text'])).toContainEqual(
      expect.stringContaining('dz_links'),
    )
    expect(receiver.received).not.toContain('There are 64 links')
  }, 120_000)

  it('goes on over a press', async () => {
    receiver = await startOtlpReceiver()
    const { answer, stop } = await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    world.slack.user('alice').press(answer, { label: 'Show SQL' })
    await world.slack.waitFor(() =>
      world.slack.transcript(answer.channel, { as: 'alice' }).some(({ plain }) => plain.includes('count()')),
    )
    await stop()
    const pressed = only(receiver.spans, 'process press')
    expect(nameOf(receiver.spans, pressed.parentId)).toBe('accept press')
    expect(pressed).toMatchObject({ service: 'clew-worker', attributes: { 'clew.action': 'sql' } })
  }, 120_000)

  it.each([
    ['is away', async () => startOtlpReceiver().then(each => each.close().then(() => each.url))],
    ['never answers', () => silentReceiver()],
  ])(
    'costs one line of the log if the receiver %s',
    async (_, open) => {
      const { stop, processes } = await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: await open() })
      expect(await stop()).toEqual([0, 0])
      const warnings = () =>
        processes.map(({ log }) => log.filter(line => line.includes('"level":40')).map(line => JSON.parse(line).msg))
      // The last lines of a process may arrive after its end.
      await world.slack.waitFor(() => warnings().every(({ length }) => length > 0))
      const told = ['spans could not be sent, and are lost']
      expect(warnings()).toEqual([told, told])
    },
    120_000,
  )
})

/** Starts a receiver that takes connections, and says nothing. */
async function silentReceiver(): Promise<string> {
  silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
}

function only(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter(span => span.name === name)
  expect([name, found.length]).toEqual([name, 1])
  const [span] = found
  if (span === undefined) throw new Error(`no span ${name}`)
  return span
}

function nameOf(spans: readonly ReceivedSpan[], id: string): string | undefined {
  return spans.find(({ spanId }) => spanId === id)?.name
}
