import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { webApi } from '@slack/bolt'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { createWebClient } from './web-client.ts'

let slack: SlackEmulator
let client: webApi.WebClient

beforeAll(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  client = createWebClient(slack)
})

afterAll(() => slack.close())

type Blocks = readonly { readonly type: string; readonly [key: string]: unknown }[]

async function post(blocks: Blocks) {
  try {
    await client.chat.postMessage({ channel: slack.channel('general').id, text: 'fallback', blocks: [...blocks] })
    return { error: 'none' }
  } catch (error) {
    return (
      (error as { data?: { error: string; response_metadata: { messages?: readonly string[] } } }).data ?? {
        error: String(error),
      }
    )
  }
}

function section(length: number): Blocks {
  return [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } }]
}

function button(overrides: { readonly text?: string; readonly value?: string; readonly action_id?: string } = {}) {
  const { text = 'Press', ...rest } = overrides
  return { type: 'button', text: { type: 'plain_text', text }, ...rest }
}

function actions(count: number): Blocks {
  return [{ type: 'actions', elements: Array.from({ length: count }, (_, index) => button({ action_id: `a${index}` })) }]
}

function dataTable(rows: number, columns: number, text = 'x'): Blocks {
  const row = Array.from({ length: columns }, () => ({ type: 'raw_text', text }))
  return [{ type: 'data_table', caption: 'Numbers', rows: Array.from({ length: rows }, () => row) }]
}

function chart(series: number, points: number, titleLength = 5): Blocks {
  const categories = Array.from({ length: points }, (_, index) => `c${index}`)
  return [
    {
      type: 'data_visualization',
      title: 't'.repeat(titleLength),
      chart: {
        type: 'line',
        series: Array.from({ length: series }, (_, index) => ({
          name: `s${index}`,
          data: categories.map(label => ({ label, value: 1 })),
        })),
        axis_config: { categories },
      },
    },
  ]
}

const markdown = (length: number) => ({ type: 'markdown', text: 'm'.repeat(length) })
const divider = (id?: string) => ({ type: 'divider', ...(id === undefined ? {} : { block_id: id }) })
const context = (count: number): Blocks => [
  { type: 'context', elements: Array.from({ length: count }, () => ({ type: 'mrkdwn', text: 'note' })) },
]

describe('a message at a limit of Slack', () => {
  const LIMITS: readonly [string, Blocks, Blocks][] = [
    ['section text', section(SLACK_LIMITS.sectionText), section(SLACK_LIMITS.sectionText + 1)],
    [
      'header',
      [{ type: 'header', text: { type: 'plain_text', text: 'h'.repeat(150) } }],
      [{ type: 'header', text: { type: 'plain_text', text: 'h'.repeat(151) } }],
    ],
    ['blocks', Array.from({ length: 50 }, () => divider()), Array.from({ length: 51 }, () => divider())],
    ['one markdown block', [markdown(12_000)], [markdown(12_001)]],
    ['markdown blocks in all', [markdown(6_000), markdown(6_000)], [markdown(6_000), markdown(6_001)]],
    ['elements of actions', actions(25), actions(26)],
    ['elements of context', context(10), context(11)],
    [
      'text of a button',
      [{ type: 'actions', elements: [button({ text: 'b'.repeat(75) })] }],
      [{ type: 'actions', elements: [button({ text: 'b'.repeat(76) })] }],
    ],
    [
      'value of a button',
      [{ type: 'actions', elements: [button({ value: 'v'.repeat(2_000) })] }],
      [{ type: 'actions', elements: [button({ value: 'v'.repeat(2_001) })] }],
    ],
    ['block_id', [divider('i'.repeat(255))], [divider('i'.repeat(256))]],
    ['rows of a data table', dataTable(101, 2), dataTable(102, 2)],
    ['columns of a data table', dataTable(2, 20), dataTable(2, 21)],
    ['characters of a data table', dataTable(100, 10, 'x'.repeat(10)), dataTable(101, 10, 'x'.repeat(10))],
    ['series of a chart', chart(6, 3), chart(7, 3)],
    ['points of a chart', chart(2, 20), chart(2, 21)],
    ['title of a chart', chart(1, 1, 50), chart(1, 1, 51)],
    ['charts of a message', [...chart(1, 1), ...chart(1, 1)], [...chart(1, 1), ...chart(1, 1), ...chart(1, 1)]],
  ]

  it.each(LIMITS)('%s: is accepted at the limit and refused beyond', async (_name, within, beyond) => {
    expect(await post(within)).toEqual({ error: 'none' })
    expect(await post(beyond)).toMatchObject({ error: 'invalid_blocks' })
  })

  it('the text of all blocks together has its own limit and error', async () => {
    const fits = [markdown(12_000), ...section(1_000)]
    expect(await post(fits)).toEqual({ error: 'none' })
    expect(await post([...fits, ...section(1)])).toMatchObject({ error: 'msg_blocks_too_long' })
  })
})

describe('a malformed block', () => {
  const MALFORMED: readonly [string, Blocks, string][] = [
    ['a type that Slack does not know', [{ type: 'chart' }], 'unsupported type [json-pointer:/blocks/0/type]'],
    ['a missing field', [{ type: 'header' }], 'missing required field: text [json-pointer:/blocks/0]'],
    ['an unknown field', [{ type: 'divider', colour: 'red' }], 'invalid additional property: colour [json-pointer:/blocks/0]'],
    ['empty text', section(0), 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    ['too long text', section(3_001), 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
    ['a section without content', [{ type: 'section' }], 'must define either `text` or `fields` [json-pointer:/blocks/0]'],
    ['a block_id twice', [divider('same'), divider('same')], '`block_id` already exists: same [json-pointer:/blocks/]'],
    ['an empty cell', dataTable(2, 2, ''), 'must be more than 0 characters [json-pointer:/blocks/0/rows/0/0/text]'],
    [
      'two data tables',
      [...dataTable(2, 2), ...dataTable(2, 2)],
      'no more than 1 data_table blocks allowed [json-pointer:/blocks/]',
    ],
  ]

  it.each(MALFORMED)('%s is refused with its place', async (_name, blocks, problem) => {
    const refusal = await post(blocks)
    expect(refusal.error).toBe('invalid_blocks')
    expect(refusal).toMatchObject({ response_metadata: { messages: expect.arrayContaining([`[ERROR] ${problem}`]) } })
  })

  it('blocks that are no array are refused with a format error', async () => {
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: slack.channel('general').id, text: 'x', blocks: 'no blocks' }),
    })
    expect(await answer.json()).toMatchObject({ ok: false, error: 'invalid_blocks_format' })
  })
})
