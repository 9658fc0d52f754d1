import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { type SlackEmulator, startSlackEmulator } from '../../../../test/emulators/slack/slack-emulator.ts'
import type { ShownMessage } from '../../../../test/emulators/slack/transcript.ts'
import type { Chart } from '../../../charts/chart.ts'
import type { GraphPicture } from '../../../charts/picture.ts'
import type { ChatPlace, ChatPress } from '../../../chat/event.ts'
import type { ChatOutbox } from '../../../chat/platform.ts'
import type { Answer, AttachedFile } from '../../../chat/reply.ts'
import { createSlackOutbox, type SlackOutboxOptions } from '../outbox.ts'

let slack: SlackEmulator
let place: ChatPlace
const signal = new AbortController().signal
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
const words = Array.from({ length: 9_000 }, (_, index) => `word${index}`)
const native: Chart = { kind: 'bar', title: 'Users', labels: ['a', 'b'], unit: '', series: [{ name: 'n', values: [1, 2] }] }
const picture: Chart = { ...native, labels: ['a', 'a'] }
const csv: AttachedFile = { name: 'Q1.csv', mediaType: 'text/csv', content: Buffer.from('a,b\n1,2\n') }

function outboxWith(options: Partial<SlackOutboxOptions> = {}): ChatOutbox {
  const logger = pino({ level: 'silent' })
  return createSlackOutbox({ apiUrl: slack.apiUrl, botToken: slack.botToken, logger, drawChart: () => PNG, ...options })
}

/** Posts an answer part by part. @returns the messages that people see in the thread */
async function shown(answer: Partial<Answer>, outbox = outboxWith()): Promise<readonly ShownMessage[]> {
  for (const [index, part] of (await outbox.render({ kind: 'answer', markdown: '42', ...answer })).entries())
    await outbox.post(place, part, `run_1-${index + 1}`, signal)
  return inThread()
}

function inThread(): readonly ShownMessage[] {
  return slack.transcript('general').filter(message => message.threadTs === place.thread && message.isFromBot)
}

function direct(name: string): readonly ShownMessage[] {
  return slack.transcript(slack.workspace.directChannel(slack.user(name).id, slack.botUserId).id)
}

function press(changes: Partial<ChatPress> = {}): ChatPress {
  return {
    place,
    pressId: '1700000000.1:csv',
    order: 1,
    user: slack.user('bob').id,
    pressed: { action: 'csv', runId: 'run_1' },
    messageId: place.thread,
    interaction: {},
    ...changes,
  }
}

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  const asked = slack.user('alice').post('general', `${slack.botMention} how many?`)
  place = { platform: 'slack', workspace: slack.teamId, channel: asked.channel, thread: asked.ts, isDirect: false }
})

afterEach(() => slack.close())

describe('a chart', () => {
  it('is drawn by Slack; if Slack refuses, the answer comes without it, and then without blocks', async () => {
    expect(await shown({ chart: native })).toMatchObject([{ blocks: [{}, { type: 'data_visualization' }] }])
    slack.faults.refuse('chat.postMessage', 'invalid_blocks')
    expect((await shown({ chart: native })).at(-1)).toMatchObject({ blocks: [{ type: 'rich_text' }] })
    slack.faults.refuse('chat.postMessage', 'invalid_blocks')
    slack.faults.refuse('chat.postMessage', 'invalid_blocks')
    expect((await shown({ chart: native })).at(-1)).toMatchObject({ blocks: [], text: '42\n\n📊 Users' })
  })

  it('is a picture if Slack cannot draw it', async () => {
    const [, file, ...others] = await shown({ chart: picture })
    expect(file).toMatchObject({ text: '📊 Users', files: [{ title: 'chart.png', name: 'chart-run_1-2.png' }] })
    expect(file?.files[0]?.content).toEqual(Buffer.from(PNG))
    expect(others).toEqual([])
  })

  it('is drawn once, for the person who asked and before the request that posts it', async () => {
    const drawnFor: string[] = []
    const outbox = outboxWith({
      drawChart: (_, { person }) => {
        drawnFor.push(person)
        return PNG
      },
    })
    const [, part = {}] = await outbox.render({ kind: 'answer', markdown: '42', chart: picture })
    await outbox.prepare?.({ ...place, author: 'U1' }, part, signal)
    expect(drawnFor).toEqual(['slack/U1'])
    await outbox.post({ ...place, author: 'U1' }, part, 'run_1-2', signal)
    expect(inThread()).toMatchObject([{ files: [{ title: 'chart.png' }] }])
    expect(drawnFor).toHaveLength(1)
  })

  it('that cannot be drawn or uploaded is replaced by a line', async () => {
    const failing = outboxWith({ drawChart: () => Promise.reject(new Error('no room')) })
    const inGerman = { ...picture, language: 'de' as const }
    expect((await shown({ chart: picture }, failing)).at(-1)?.text).toBe('📊 Users (this chart cannot be shown here)')
    expect((await shown({ chart: inGerman }, failing)).at(-1)?.text).toBe(
      '📊 Users (dieses Diagramm lässt sich hier nicht zeigen)',
    )
    slack.faults.refuse('files.getUploadURLExternal', 'missing_scope')
    expect((await shown({ chart: picture })).at(-1)).toMatchObject({
      text: expect.stringContaining('cannot be shown'),
      files: [],
    })
  })
})

describe('a graph', () => {
  const table = { label: 'orders', kind: 'target', state: 'gone', rows: 3, failed: false, suspected: true } as const
  const graph: GraphPicture = { kind: 'graph', title: 'Lineage of orders', nodes: [table], edges: [] }
  const inWords = 'Lineage of orders, 1 table. The fault is suspected in orders. orders (suspected, target, gone, 3 rows).'

  it('is a picture with a description', async () => {
    const [, file, ...others] = await shown({ chart: graph })
    expect(file).toMatchObject({
      text: '📊 Lineage of orders',
      files: [{ title: 'lineage.png', name: 'lineage-run_1-2.png', altText: inWords }],
    })
    expect(others).toEqual([])
    const many = { ...graph, nodes: Array.from({ length: 60 }, () => table) }
    expect((await shown({ chart: many })).at(-1)?.files[0]?.altText).toMatch(/…$/)
  })

  it('that cannot be drawn is described in words', async () => {
    const failing = outboxWith({ drawChart: () => Promise.reject(new Error('no room')) })
    expect((await shown({ chart: graph }, failing)).at(-1)).toMatchObject({ text: expect.stringContaining(inWords), files: [] })
  })
})

describe('a paged table', () => {
  it('is shown without pages if Slack does not know them', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `| c${index} | 1,000 | |`).join('\n')
    slack.faults.refuse('chat.postMessage', 'invalid_blocks')
    const [message] = await shown({ markdown: `| city | n | |\n|---|---|---|\n${rows}` })
    expect(message?.blocks).toMatchObject([{ type: 'table', rows: { length: 21 } }])
    expect(message?.plain).toContain('c19 | 1,000 |')
  })
})

describe('a long answer', () => {
  it('continues as a file, found by its name and removed by its id', async () => {
    const outbox = outboxWith()
    const messages = await shown({ markdown: words.join(' ') }, outbox)
    const [file] = messages.at(-1)?.files ?? []
    expect(file).toMatchObject({ title: 'answer.md', name: 'answer-run_1-10.md' })
    expect(file?.content.toString().match(/word\d+/g)).toEqual(words)
    expect(await outbox.find(place, 'run_1-10', signal)).toEqual([{ id: file?.id }])
    expect(await outbox.find(place, 'run_1-1', signal)).toEqual([{ id: messages[0]?.ts }])
    await outbox.remove(place, { id: file?.id ?? '' }, signal)
    await outbox.remove(place, { id: file?.id ?? '' }, signal)
    expect(inThread().flatMap(message => message.files)).toEqual([])
  })

  it.each<[string, () => void]>([
    ['the upload', () => slack.faults.refuse('files.getUploadURLExternal', 'file_uploads_disabled')],
    ['the permission', () => slack.faults.refuse('files.getUploadURLExternal', 'missing_scope')],
    ['the file', () => slack.faults.refuse('files.completeUploadExternal', 'posting_to_channel_denied')],
  ])('continues as messages if Slack refuses %s', async (_, refuse) => {
    refuse()
    const outbox = outboxWith()
    const messages = await shown({ markdown: words.join(' ') }, outbox)
    expect(messages.flatMap(message => message.files)).toEqual([])
    const rest = messages.slice(9).map(message => message.text)
    expect(rest.join(' ').match(/word\d+/g)).toEqual(words)
    expect(await outbox.find(place, 'run_1-10', signal)).toEqual([{ id: messages.at(-1)?.ts }])
  })

  it('is found if Slack has it and its response was lost', async () => {
    const outbox = outboxWith()
    slack.faults.loseAnswer('files.completeUploadExternal')
    await expect(shown({ markdown: words.join(' ') }, outbox)).rejects.toMatchObject({ kind: 'unavailable', retryable: true })
    const [file] = inThread().flatMap(message => message.files)
    expect(await outbox.find(place, 'run_1-10', signal)).toEqual([{ id: file?.id }])
    expect(await outbox.find(place, 'run_1-1', signal)).toHaveLength(1)
  })

  it('is retried if Slack cannot be reached', async () => {
    slack.faults.httpError('files.completeUploadExternal', 503)
    await expect(shown({ markdown: words.join(' ') })).rejects.toMatchObject({ kind: 'unavailable', retryable: true })
  })
})

describe('a private file', () => {
  it('comes by direct message, and one line says so to the person who pressed', async () => {
    await outboxWith().answerPress(press(), { markdown: 'All 7 rows.', files: [csv] }, signal)
    expect(direct('bob')).toMatchObject([
      { files: [{ title: 'Q1.csv', name: expect.stringMatching(/^Q1-[0-9a-f]{12}\.csv$/), content: Buffer.from(csv.content) }] },
    ])
    expect(slack.transcript('general', { as: 'bob' }).at(-1)).toMatchObject({
      isEphemeral: true,
      threadTs: place.thread,
      plain: 'All 7 rows.\nI sent you Q1.csv in a direct message.',
    })
    expect(slack.transcript('general', { as: 'alice' })).toHaveLength(1)
  })

  it('comes once, however often it is tried', async () => {
    const files = [csv, { ...csv, name: 'Q2.csv' }]
    slack.faults.loseAnswer('files.completeUploadExternal')
    slack.faults.httpError('chat.postEphemeral', 503)
    const outbox = outboxWith()
    for (const _ of ['the upload was not heard of', 'the line did not come'])
      await expect(outbox.answerPress(press(), { markdown: 'Rows.', files }, signal)).rejects.toMatchObject({ retryable: true })
    await outbox.answerPress(press(), { markdown: 'Rows.', files }, signal)
    expect(direct('bob').flatMap(message => message.files.map(({ title }) => title))).toEqual(['Q1.csv', 'Q2.csv'])
    expect(slack.transcript('general', { as: 'bob' }).filter(message => message.isEphemeral)).toHaveLength(1)
  })

  it('comes into the thread of a direct conversation', async () => {
    const asked = slack.user('bob').directMessage('how many?')
    const there = { ...place, channel: asked.channel, thread: asked.ts, isDirect: true }
    await outboxWith().answerPress(press({ place: there }), { markdown: '', files: [csv] }, signal)
    expect(direct('bob').at(-1)).toMatchObject({ threadTs: asked.ts, files: [{ title: 'Q1.csv' }] })
    expect(slack.calls('chat.postEphemeral')).toHaveLength(0)
  })

  it('is reported as missing if Slack refuses it', async () => {
    slack.faults.refuse('conversations.open', 'cannot_dm_bot')
    await outboxWith().answerPress(press(), { markdown: 'All rows.', files: [csv] }, signal)
    expect(slack.transcript('general', { as: 'bob' }).at(-1)?.plain).toMatch(/^All rows\.\nI could not send you Q1\.csv/)
  })

  it('comes by direct message if Slack shows no private messages there', async () => {
    slack.user('bob').leave('general')
    const actions = [{ action: 'publish', runId: 'run_1', label: 'Post to channel' }] as const
    await outboxWith().answerPress(press(), { markdown: '**SELECT** 1', actions }, signal)
    expect(direct('bob')).toMatchObject([{ plain: expect.stringContaining('SELECT 1'), blocks: [{}, { type: 'actions' }] }])
  })

  it('is never lost because of its length', async () => {
    await outboxWith().answerPress(press(), { markdown: words.join(' ') }, signal)
    const [file] = direct('bob').flatMap(message => message.files)
    expect(file?.content.toString().match(/word\d+/g)).toEqual(words)
    expect(slack.transcript('general', { as: 'bob' }).at(-1)?.plain).toBe('I sent you `answer.md` in a direct message.')
  })
})
