import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseBlocks } from '../../../../test/emulators/slack/block-validation.ts'
import { links, pings, plainText } from '../../../../test/emulators/slack/rendered-message.ts'
import { renderSlackReply } from '../../../../test/support/render-at-once.ts'
import { runsOf } from '../../../../test/support/whole.ts'
import type { Chart } from '../../../charts/chart.ts'
import type { ChatAction } from '../../../chat/action.ts'
import type { Answer } from '../../../chat/reply.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { slackPartSchema } from './part.ts'

function answerParts(markdown: string, allowedLinkHosts: readonly string[] = []) {
  return renderSlackReply({ kind: 'answer', markdown }, { allowedLinkHosts }).map(part => slackPartSchema.parse(part))
}

function onlyPart(markdown: string, allowedLinkHosts: readonly string[] = []) {
  const parts = answerParts(markdown, allowedLinkHosts)
  expect(parts).toHaveLength(1)
  return parts[0] ?? { text: '', blocks: [] }
}

/** Checks blocks by the rules of the emulated Slack. @throws ApiRefusal */
function checkBlocks(blocks: readonly unknown[]): void {
  expect(parseBlocks(blocks, () => 'id')).toHaveLength(blocks.length)
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** Whether the characters of `part` occur in `whole` in this order. Other characters may stand between them. */
function isSubsequence(part: string, whole: string): boolean {
  const characters = [...part]
  let found = 0
  for (const character of whole) if (character === characters[found]) found += 1
  return found === characters.length
}

describe('an answer', () => {
  it('becomes native blocks', () => {
    const { blocks } = onlyPart(
      [
        '# Users & more',
        '## Users',
        'There are **42** *active* ~~old~~ `users`. [Q1, Q2]',
        '- one\n- two\n  1. deep\n  2. deeper',
        '3. three\n4. four',
        '> quoted',
        '```sql\nSELECT 1 < 2\n```',
        '---',
        '| city | users |\n|---|--:|\n| Bonn | **7** |\n| | <!here> |',
      ].join('\n\n'),
    )
    expect(blocks.map(block => block.type)).toEqual([
      'rich_text',
      'header',
      'rich_text',
      'rich_text',
      'rich_text',
      'rich_text',
      'divider',
      'table',
    ])
    expect(blocks[1]).toEqual({ type: 'header', text: { type: 'plain_text', text: 'Users', emoji: false } })
    expect(blocks[2]).toEqual({
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'There are ' },
            { type: 'text', text: '42', style: { bold: true } },
            { type: 'text', text: ' ' },
            { type: 'text', text: 'active', style: { italic: true } },
            { type: 'text', text: ' ' },
            { type: 'text', text: 'old', style: { strike: true } },
            { type: 'text', text: ' ' },
            { type: 'text', text: 'users', style: { code: true } },
            { type: 'text', text: '. [Q1, Q2]' },
          ],
        },
      ],
    })
    expect(blocks[3]).toMatchObject({
      elements: [
        { type: 'rich_text_list', style: 'bullet', indent: 0, elements: [{}, {}] },
        { type: 'rich_text_list', style: 'ordered', indent: 1, elements: [{}, {}] },
        { type: 'rich_text_list', style: 'ordered', indent: 0, offset: 2, elements: [{}, {}] },
      ],
    })
    expect(blocks[4]).toMatchObject({ elements: [{ type: 'rich_text_quote' }] })
    expect(blocks[5]).toMatchObject({ elements: [{ type: 'rich_text_preformatted', elements: [{ text: 'SELECT 1 < 2' }] }] })
    expect(blocks[7]).toMatchObject({
      column_settings: [{ align: 'left' }, { align: 'right' }],
      rows: [
        [
          { type: 'raw_text', text: 'city' },
          { type: 'raw_text', text: 'users' },
        ],
        [{ type: 'raw_text', text: 'Bonn' }, { type: 'rich_text' }],
        [{ type: 'raw_text', text: ' ' }, { type: 'rich_text' }],
      ],
    })
    checkBlocks(blocks)
  })

  it('right-aligns numbers unless the writer says otherwise', () => {
    const table =
      '| city | n | share | mixed | centred |\n|---|---|---|---|:-:|\n| Bonn | 1,000 | -7.5 % | 1 | 1 |\n| Rome | 2 | | x | 2 |'
    expect(onlyPart(table).blocks).toMatchObject([
      {
        type: 'table',
        column_settings: [{ align: 'left' }, { align: 'right' }, { align: 'right' }, { align: 'left' }, { align: 'center' }],
      },
    ])
  })

  it('ends a table before the citation below it', () => {
    const { blocks } = onlyPart('| city | users |\n|---|--:|\n| Bonn | 7 |\n[Q1]\nMore.')
    expect(blocks).toMatchObject([{ type: 'table', rows: [{}, {}] }, { type: 'rich_text' }])
    expect(JSON.stringify(blocks[1])).toContain('[Q1]')
  })

  it('has the same content in its escaped text', () => {
    expect(onlyPart('a < b && `c > d`\n\n- one\n- two').text).toBe('a &lt; b &amp;&amp; `c &gt; d`\n\n• one\n• two')
  })

  it.each([
    ['a heading', (text: string) => `## ${text}`],
    ['a list', (text: string) => `- ${text}\n- ${text}`],
    ['a quotation', (text: string) => `> ${text}`],
    ['a table', (text: string) => `| a | b |\n|---|---|\n| ${text} | ${text} |`],
    ['code', (text: string) => `\`${text}\``],
    ['a code block', (text: string) => `\`\`\`\n${text}\n\`\`\``],
    ['a code block that is not closed', (text: string) => `\`\`\`\n${text}`],
  ])('pings nobody, links nowhere and hides nothing in %s', (_, dress) => {
    const hostile =
      '<!channel> <!here|x> <@U0000000001> <!subteam^S1> <#C1> @everyone =cmd() \u202eevil.com/x\u200b <http://evil.example|y> ``` http://evil.example'
    const part = onlyPart(dress(hostile))
    for (const shown of [part, { text: part.text, blocks: [] }]) {
      expect(pings(shown)).toEqual([])
      expect(links(shown)).toEqual([])
      for (const word of ['channel', 'U0000000001', 'everyone', '=cmd()']) expect(plainText(shown)).toContain(word)
      expect(JSON.stringify(shown)).not.toMatch(/[\u202e\u200b]/)
    }
  })

  it('links only to allowed hosts, and shows other addresses', () => {
    const markdown =
      '[docs](https://docs.example/a) [sub](https://x.docs.example) https://docs.example/b [evil](https://evil.example/?q=1 "t") ' +
      '[fake](https://docs.example@evil.example) [js](javascript:alert) ![pic](https://docs.example/p.png) <https://evil.example|label> notdocs.example'
    const part = onlyPart(markdown, ['docs.example', '*.docs.example'])
    expect(new Set(links({ text: '', blocks: part.blocks }))).toEqual(
      new Set(['https://docs.example/a', 'https://x.docs.example', 'https://docs.example/b']),
    )
    for (const shown of [
      'evil (https://evil.example/?q=1 "t")',
      'fake (https://docs.example@evil.example)',
      'js (javascript:alert)',
    ])
      expect(plainText({ text: '', blocks: part.blocks })).toContain(shown)
    expect(links(part).filter(link => !/^https:\/\/(x\.)?docs\.example/.test(link))).toEqual([])
  })

  it('is not misled by references, and keeps their text', () => {
    const part = onlyPart('42 [Q1]\n\n[Q1]: http://evil.example "title"')
    expect(links(part)).toEqual([])
    expect(plainText(part)).toContain('42 [Q1]')
    expect(plainText(part)).toContain('evil.example')
  })

  it.each([
    ['a cell too many', '| a |\n|---|\n| b | lost |'],
    ['an unclosed fence with words', '```so much\nSELECT 1'],
    ['repeated list numbers', '1. a\n1. b\n1. c'],
    ['odd list numbers', '007. bond'],
    ['HTML', '<b onclick="x">bold</b> <!-- hidden --> <script>alert(1)</script>'],
    ['unbalanced marks', '**a *b `c [d](e ~~f'],
    ['deep nesting', `${'>'.repeat(5_000)} deep`],
    ['a table in a list', '- x\n\n  | a | b |\n  |---|---|\n  | c | d |'],
    ['tasks', '- [ ] open\n- [x] done'],
  ])('keeps the text of %s', (_, markdown) => {
    const text = answerParts(markdown).map(part => part.text)
    expect(isSubsequence(lettersOf(markdown), lettersOf(text.join('\n')))).toBe(true)
  })

  it("closes and reopens a code fence at a split, and repeats a table's head", () => {
    const code = Array.from({ length: 500 }, (_, index) => `SELECT ${index} FROM numbers`).join('\n')
    const codeParts = answerParts(`\`\`\`sql\n${code}\n\`\`\``)
    expect(codeParts.length).toBeGreaterThan(2)
    for (const part of codeParts) expect(part.text).toMatch(/^```\nSELECT [^`]*numbers\n```$/)
    expect(codeParts.map(part => part.text.replaceAll(/^```\n|\n```$/g, '')).join('\n')).toBe(code)

    const rows = Array.from({ length: 250 }, (_, index) => `| city${index} | ${index} |`).join('\n')
    const tableParts = answerParts(`| city | users |\n|---|---|\n${rows}`)
    expect(tableParts.length).toBeGreaterThan(2)
    for (const { blocks } of tableParts) {
      expect(blocks).toMatchObject([{ type: 'data_table', page_size: 10 }])
      expect(plainText({ text: '', blocks })).toMatch(/^city, users\ncity \| users\ncity\d+ \| \d+\n/)
    }
    const shown = tableParts.map(part => part.text).join('\n')
    expect(shown.match(/city\d+/g)).toEqual(Array.from({ length: 250 }, (_, index) => `city${index}`))
  })

  it('shows rows as text if no table can hold them', () => {
    const wide = Array.from({ length: 30 }, (_, index) => `c${index}`).join(' | ')
    const parts = answerParts(`| ${wide} |\n|${'---|'.repeat(30)}\n| ${wide} |`)
    expect(parts.flatMap(part => part.blocks.map(block => block.type))).not.toContain('table')
    expect(
      parts
        .map(part => part.text)
        .join('\n')
        .match(/c29/g),
    ).toHaveLength(2)

    const huge = answerParts(`| a | b |\n|---|---|\n| 1 | 2 |\n| ${'x'.repeat(9_000)} | y |\n| 3 | 4 |`)
    expect(
      huge
        .map(part => part.text)
        .join('')
        .match(/x/g),
    ).toHaveLength(9_000)
  })

  it.each([
    ['one word', 'x'.repeat(1_000_000)],
    ['one cell', `| a | b |\n|---|---|\n| 1 | ${'cell '.repeat(200_000)} |`],
    ['rows', `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(100_000)}`],
    ['marks', '*a'.repeat(500_000)],
    ['hosts', 'a.'.repeat(500_000)],
  ])('of a million characters in %s is complete in the file, and only its shown part is laid out', (_, markdown) => {
    const parts = answerParts(markdown)
    expect(parts.length).toBeLessThanOrEqual(SLACK_LIMITS.messages)
    expect(parts.at(-1)?.file).toMatchObject({ text: markdown })
    for (const { blocks } of parts) checkBlocks(blocks)
  })

  it('is never empty', () => {
    for (const markdown of ['', ' \n ', '\u200b', '```\n```', '#', '-', '![]()']) {
      for (const part of answerParts(markdown)) {
        expect(part.text.trim()).not.toBe('')
        checkBlocks(part.blocks)
      }
    }
  })
})

describe('any answer', () => {
  const nasty = fc.constantFrom(
    '<!channel>',
    '<!here|x>',
    '<@U0000000001>',
    '<#C1>',
    '<!subteam^S1>',
    '@everyone',
    '@here ',
    '&lt;!channel&gt;',
    '<http://evil.example|x>',
    '[x](http://evil.example)',
    '![x](http://evil.example/p.png)',
    'http://evil.example/?q=1',
    'http:\\//evil.example',
    'www.evil.example',
    '<mailto:a@b.example>',
    '[Q1]',
    '[Q1]: http://evil.example\n',
    '```',
    '`',
    '**',
    '*',
    '_',
    '~~',
    '\\',
    '\n',
    '\n\n',
    '\n> ',
    '\n- ',
    '\n  * ',
    '\n# ',
    '\n---\n',
    '\n| a | b |\n|---|---|\n| c | d |\n',
    '|',
    '\n    ',
    '<b>',
    '<!--',
    '\u202e',
    '\u200b',
    '\u0000',
    '\ud83d',
    '👩‍👩‍👧',
    'é',
    '漢字',
    'مرحبا',
  )
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const markdown = fc
    .array(
      fc.oneof({ weight: 3, arbitrary: nasty }, { weight: 2, arbitrary: word }, { weight: 1, arbitrary: fc.constant(' ') }),
      { maxLength: 60 },
    )
    .map(pieces => pieces.join(''))
  const long = fc.tuple(markdown, fc.integer({ min: 1, max: 150 })).map(([text, times]) => text.repeat(times).slice(0, 30_000))

  it('keeps its letters in order, inside the limits, without a ping or a link', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, long), source => {
        const parts = answerParts(source)
        const text = parts
          .flatMap(part => [part.text, part.file !== undefined && 'text' in part.file ? part.file.text : ''])
          .map(shown => shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
          .join('\n')
        const visible = source.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        if (!isSubsequence(lettersOf(visible), lettersOf(text))) throw new Error(`lost text: ${JSON.stringify(text)}`)
        for (const part of parts) {
          if (pings(part).length > 0 || pings({ text: part.text, blocks: [] }).length > 0) throw new Error('pings')
          if (links(part).length > 0) throw new Error(`links ${links(part)}`)
          if (/\u202e|\u200b|\\u0000/.test(JSON.stringify(part))) throw new Error('hidden characters')
          if (/<!|<@|:\/\/|@(?:here|channel|everyone)/.test(part.blocks.map(block => JSON.stringify(block)).join()))
            throw new Error('a token stands whole')
          expect(part.text.length).toBeLessThanOrEqual(SLACK_LIMITS.text)
          expect(part.blocks.length).toBeLessThanOrEqual(SLACK_LIMITS.blocks)
          expect(JSON.stringify(part.blocks).length).toBeLessThan(60_000)
          checkBlocks(part.blocks)
        }
      }),
      { numRuns: runsOf(150) },
    )
  })

  it('has the same letters in its blocks and its text', () => {
    fc.assert(
      fc.property(markdown, source => {
        for (const part of answerParts(source)) {
          const shown = lettersOf(plainText({ text: '', blocks: part.blocks }))
          // Slack itself numbers the items of a list, so the blocks have no numbers.
          if (!isSubsequence(shown, lettersOf(part.text))) throw new Error(`blocks show ${shown}`)
          if (
            !isSubsequence(
              lettersOf(part.text.replaceAll(/&(lt|gt|amp);/g, '')).replace(/\p{N}/gu, ''),
              shown.replace(/\p{N}/gu, ''),
            )
          ) {
            throw new Error(`blocks lack something of ${part.text}`)
          }
        }
      }),
      { numRuns: runsOf(150) },
    )
  })
})

describe('the part below an answer', () => {
  const actions: readonly ChatAction[] = [
    { action: 'sql', runId: 'run_1', label: 'Show SQL' },
    { action: 'stop', runId: 'run_1', label: ' Stop\n<!here> ', emphasis: 'danger' },
    { action: 'choose', runId: 'run_1', choice: 2, label: 'x'.repeat(200), emphasis: 'primary' },
    { action: 'sql', runId: 'run_1', label: 'Show SQL again' },
  ]
  const below = (answer: Partial<Answer>) =>
    renderSlackReply({ kind: 'answer', markdown: '42', ...answer }, { allowedLinkHosts: [], drawsCharts: true }).map(part =>
      slackPartSchema.parse(part),
    )

  it('is small print, one line each, without any markup', () => {
    const [part] = below({ footer: '**Confidence: high** a_b_c\n\n- Q1: users (1 row)\n- Q2: `x` <!here> http://evil.example' })
    expect(part?.blocks.slice(1)).toEqual([
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            verbatim: true,
            text: 'Confidence: high a_b_c\n• Q1: users (1 row)\n• Q2: `x` &lt;!here&gt; `http[:]//evil.example`',
          },
        ],
      },
    ])
    expect(below({ footer: 'Confidence: high' })[0]?.blocks[1]).toEqual({
      type: 'context',
      elements: [{ type: 'plain_text', text: 'Confidence: high', emoji: false }],
    })
    expect(part?.text).toMatch(/^42\n\nConfidence: high a_b_c\n• Q1/)
    const long = below({ footer: `${'small '.repeat(1_500)}` })
    for (const { blocks } of long) checkBlocks(blocks)
    expect(long.map(({ text }) => text.match(/small/g)?.length ?? 0).reduce((sum, count) => sum + count)).toBe(1_500)
  })

  it('has each button once, under the last message', () => {
    const parts = below({ markdown: 'word '.repeat(1_500), actions })
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.map(({ blocks }) => blocks.filter(block => block.type === 'actions').length)).toEqual([
      ...parts.slice(1).map(() => 0),
      1,
    ])
    expect(parts.at(-1)?.blocks.at(-1)).toEqual({
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'clew:sql:run_1', text: { type: 'plain_text', text: 'Show SQL again', emoji: false } },
        {
          type: 'button',
          action_id: 'clew:stop:run_1',
          text: { type: 'plain_text', text: 'Stop <!here>', emoji: false },
          style: 'danger',
        },
        {
          type: 'button',
          action_id: 'clew:choose:run_1:2',
          text: { type: 'plain_text', text: `${'x'.repeat(74)}…`, emoji: false },
          style: 'primary',
        },
      ],
    })
    const many = Array.from({ length: 40 }, (_, choice) => ({
      action: 'choose' as const,
      runId: 'run_1',
      choice,
      label: '👍🏽'.repeat(99),
    }))
    const [crowded] = below({ actions: many })
    checkBlocks(crowded?.blocks ?? [])
    expect(crowded?.blocks.at(-1)?.elements).toHaveLength(SLACK_LIMITS.buttons)
  })

  it('has a chart that Slack draws, with its title in the text', () => {
    const [part, ...others] = below({ chart: line(SLACK_LIMITS.chartSeries, SLACK_LIMITS.chartPoints), footer: 'small' })
    expect(others).toEqual([])
    expect(part?.blocks.map(block => block.type)).toEqual(['rich_text', 'data_visualization', 'context'])
    expect(part?.text).toBe('42\n\n📊 Users\n\nsmall')
    checkBlocks(part?.blocks ?? [])
    const pie: Chart = { ...line(1, SLACK_LIMITS.chartSegments), kind: 'pie' }
    expect(below({ chart: pie })[0]?.blocks[1]).toMatchObject({ chart: { type: 'pie', segments: { length: 6 } } })
  })

  it.each<[string, Chart]>([
    [
      'values that lie close together, where Slack decides where the axis starts',
      { ...line(1, 3), series: [{ name: 'a', values: [98, 99, 100] }] },
    ],
    ['a series too many', line(SLACK_LIMITS.chartSeries + 1, 2)],
    ['a point too many', line(1, SLACK_LIMITS.chartPoints + 1)],
    ['a gap', { ...line(1, 2), series: [{ name: 'a', values: [1, null] }] }],
    ['a value missing', { ...line(1, 3), series: [{ name: 'a', values: [1, 2] }] }],
    ['a long label', { ...line(1, 2), labels: ['x'.repeat(SLACK_LIMITS.chartLabel + 1), 'b'] }],
    ['two labels alike', { ...line(1, 2), labels: ['a\u200b', 'a'] }],
    [
      'two series alike',
      {
        ...line(1, 2),
        series: [
          { name: 'a', values: [1, 2] },
          { name: 'a', values: [1, 2] },
        ],
      },
    ],
    ['a slice of nothing', { ...line(1, 2), kind: 'pie', series: [{ name: 'a', values: [1, 0] }] }],
    ['a slice too many', { ...line(1, SLACK_LIMITS.chartSegments + 1), kind: 'pie' }],
  ])('has a picture if the chart has %s', (_, chart) => {
    const picture = { text: '📊 Users', blocks: [], file: { name: 'chart.png', chart } }
    // The chart is between the answer and the small print.
    expect(below({ chart, actions, footer: 'small' })).toMatchObject([
      { blocks: [{ type: 'rich_text' }] },
      picture,
      { text: 'small', blocks: [{ type: 'context' }, { type: 'actions' }] },
    ])
    expect(below({ chart, actions })).toMatchObject([{ text: '42' }, picture, { blocks: [{ type: 'actions' }] }])
    expect(below({ chart })).toMatchObject([{ text: '42' }, picture])
    expect(renderSlackReply({ kind: 'answer', markdown: '42', chart }, { allowedLinkHosts: [] })).toHaveLength(1)
  })

  it('stays visible if the answer continues as a file, which is complete', () => {
    const markdown = Array.from({ length: 9_000 }, (_, index) => `word${index}`).join(' ')
    const parts = below({ markdown, footer: 'Confidence: low', chart: line(1, 2), actions })
    expect(parts).toHaveLength(SLACK_LIMITS.messages)
    expect(parts.at(-2)?.text).toBe('The answer goes on: the whole text is in `answer.md`.\n\n📊 Users\n\nConfidence: low')
    expect(parts.at(-2)?.blocks.at(-1)?.type).toBe('actions')
    expect(parts.at(-1)).toEqual({
      text: '`answer.md`',
      blocks: [],
      file: { name: 'answer.md', text: `${markdown}\n\nConfidence: low` },
    })
    const endless = 'small '.repeat(40_000)
    expect(below({ markdown, footer: endless })).toHaveLength(SLACK_LIMITS.messages)
    expect(below({ markdown: '42', footer: endless }).at(-1)?.file).toMatchObject({ text: `42\n\n${endless}` })
  })
})

function line(series: number, points: number): Chart {
  const labels = Array.from({ length: points }, (_, index) => `day ${index}`)
  const values = labels.map((_, index) => index + 1)
  return {
    kind: 'line',
    title: 'Users',
    labels,
    unit: 'ms',
    series: Array.from({ length: series }, (_, index) => ({ name: `s${index}`, values })),
  }
}

describe('other replies', () => {
  it('show progress as one short message', () => {
    const lines = ['Running queries', ...Array.from({ length: 40 }, (_, index) => `Q${index} done <!here> ${'x'.repeat(500)}`)]
    const parts = renderSlackReply({ kind: 'progress', lines }, { allowedLinkHosts: [] })
    expect(parts).toHaveLength(1)
    const part = slackPartSchema.parse(parts[0])
    expect(part.text).toMatch(/^Running queries/)
    expect(part.text).toContain('Q39 done')
    expect(part.text.length).toBeLessThanOrEqual(SLACK_LIMITS.text)
    expect(pings(part)).toEqual([])
    checkBlocks(part.blocks)
    const actions = [{ action: 'stop', runId: 'run_1', label: 'Stop', emphasis: 'danger' }] as const
    expect(renderSlackReply({ kind: 'progress', lines, actions }, { allowedLinkHosts: [] })).toMatchObject([
      {
        status: 'is thinking…',
        blocks: [{}, {}, { type: 'actions', elements: [{ action_id: 'clew:stop:run_1', style: 'danger' }] }],
      },
    ])
    expect(renderSlackReply({ kind: 'progress', lines: [] }, { allowedLinkHosts: [] })).toHaveLength(1)
  })

  it('do not ping from an error', () => {
    const [part] = renderSlackReply(
      { kind: 'error', code: 'fault', sentence: 'No table <!channel> http://evil.example.' },
      { allowedLinkHosts: [] },
    )
    expect(part?.text).toBe('⚠️ No table &lt;!channel&gt; http[:]//evil.example.')
    expect(links(slackPartSchema.parse(part))).toEqual([])
  })

  it('offer a retry below an error', () => {
    const actions = [{ action: 'retry', runId: 'run_1', label: 'Try again' }] as const
    expect(
      renderSlackReply({ kind: 'error', code: 'fault', sentence: 'Sorry.', actions }, { allowedLinkHosts: [] }),
    ).toMatchObject([{ text: '⚠️ Sorry.', blocks: [{}, { type: 'actions', elements: [{ action_id: 'clew:retry:run_1' }] }] }])
  })
})
