import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseBlocks } from '../../../test/emulators/slack/block-validation.ts'
import { links, pings, plainText } from '../../../test/emulators/slack/rendered-message.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { renderSlackReply, slackPartSchema } from './slack-render.ts'

function answerParts(markdown: string, allowedLinkHosts: readonly string[] = []) {
  return renderSlackReply({ kind: 'answer', markdown }, { allowedLinkHosts }).map(part => slackPartSchema.parse(part))
}

function onlyPart(markdown: string, allowedLinkHosts: readonly string[] = []) {
  const parts = answerParts(markdown, allowedLinkHosts)
  expect(parts).toHaveLength(1)
  return parts[0] ?? { text: '', blocks: [] }
}

/** Slack's own checks of blocks. @throws ApiRefusal */
function checkBlocks(blocks: readonly unknown[]): void {
  expect(parseBlocks(blocks, () => 'id')).toHaveLength(blocks.length)
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** Whether all of `part` stands in `whole`, in order; other characters may stand between. */
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

  it('says the same in its text, escaped', () => {
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

  it('links only where it may, and shows every other address', () => {
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

  it('closes and opens a fence that is cut, and repeats a table head', () => {
    const code = Array.from({ length: 500 }, (_, index) => `SELECT ${index} FROM numbers`).join('\n')
    const codeParts = answerParts(`\`\`\`sql\n${code}\n\`\`\``)
    expect(codeParts.length).toBeGreaterThan(2)
    for (const part of codeParts) expect(part.text).toMatch(/^```\nSELECT [^`]*numbers\n```$/)
    expect(codeParts.map(part => part.text.replaceAll(/^```\n|\n```$/g, '')).join('\n')).toBe(code)

    const rows = Array.from({ length: 250 }, (_, index) => `| city${index} | ${index} |`).join('\n')
    const tableParts = answerParts(`| city | users |\n|---|---|\n${rows}`)
    expect(tableParts.length).toBeGreaterThan(2)
    for (const { blocks } of tableParts) {
      expect(blocks).toMatchObject([{ type: 'table' }])
      expect(plainText({ text: '', blocks })).toMatch(/^city \| users\ncity\d+ \| \d+\n/)
    }
    const shown = tableParts.map(part => part.text).join('\n')
    expect(shown.match(/city\d+/g)).toEqual(Array.from({ length: 250 }, (_, index) => `city${index}`))
  })

  it('shows what no table can hold as text', () => {
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

  it('is never nothing', () => {
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
          .map(part => part.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
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
      { numRuns: 400 },
    )
  })

  it('shows the same letters in its blocks as in its text', () => {
    fc.assert(
      fc.property(markdown, source => {
        for (const part of answerParts(source)) {
          const shown = lettersOf(plainText({ text: '', blocks: part.blocks }))
          // Numbers of a list are drawn by Slack, not written in the blocks.
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
      { numRuns: 400 },
    )
  })
})

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
    expect(renderSlackReply({ kind: 'progress', lines: [] }, { allowedLinkHosts: [] })).toHaveLength(1)
  })

  it('cannot be made to ping by an error', () => {
    const [part] = renderSlackReply(
      { kind: 'error', sentence: 'No table <!channel> http://evil.example.' },
      { allowedLinkHosts: [] },
    )
    expect(part?.text).toBe('⚠️ No table &lt;!channel&gt; http[:]//evil.example.')
    expect(links(slackPartSchema.parse(part))).toEqual([])
  })
})
