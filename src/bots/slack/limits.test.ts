import { describe, expect, it } from '@jest/globals'
import { parseBlocks } from '../../../test/emulators/slack/block-validation.ts'
import { SLACK_LIMITS as ENFORCED } from '../../../test/emulators/slack/slack-limits.ts'
import { renderSlackReply } from '../../../test/support/render-at-once.ts'
import type { ChatAction } from '../../chat/action.ts'
import { slackWords } from '../../words/slack.ts'
import { SLACK_LIMITS } from './limits.ts'
import { formOfPress, questionForm } from './receive/forms.ts'
import { suggestedPrompts } from './receive/home.ts'
import type { SlackPart } from './render/part.ts'

function parts(markdown: string, footer = '', actions: readonly ChatAction[] = []): readonly SlackPart[] {
  const rendered = renderSlackReply({ kind: 'answer', markdown, footer, actions }, { allowedLinkHosts: [] })
  for (const { blocks } of rendered) expect(parseBlocks(blocks, () => 'id')).toHaveLength(blocks.length)
  return rendered
}

function types(markdown: string, footer = ''): readonly string[] {
  return parts(markdown, footer).flatMap(({ blocks }) => blocks.map(block => block.type))
}

function table(columns: number, rows: number, cell = 'x'): string {
  const row = (content: string) => `|${`${content}|`.repeat(columns)}`
  return [row('h'), row('---'), ...Array.from({ length: rows }, () => row(cell))].join('\n')
}

const word = (length: number) => 'x'.repeat(length)
const paragraphs = (count: number) => Array.from({ length: count }, () => 'x').join('\n\n')
const choices = (count: number, label: string): readonly ChatAction[] =>
  Array.from({ length: count }, (_, choice) => ({ action: 'choose', runId: 'run_1', choice, label }))
/** Returns this many spans with alternating styles, so that no two of them are joined. */
const spans = (count: number) => Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 'x' : '**y**')).join('')

describe('at a limit, and just beyond it', () => {
  it.each<[string, () => unknown, unknown, () => unknown, unknown]>([
    ['the text of a message', () => parts(word(4_000)).length, 1, () => parts(word(4_001)).length, 2],
    ['the same where Slack counts entities', () => parts('<'.repeat(1_000)).length, 1, () => parts('<'.repeat(1_001)).length, 2],
    ['the blocks of a message', () => parts(paragraphs(45)).length, 1, () => parts(paragraphs(46)).length, 2],
    ['the spans of a message', () => parts(spans(250)).length, 1, () => parts(spans(251)).length, 2],
    ['a header', () => types(`# ${word(150)}`), ['header'], () => types(`# ${word(151)}`), ['rich_text']],
    ['the columns of a table', () => types(table(20, 1)), ['table'], () => types(table(21, 1)), ['rich_text', 'rich_text']],
    ['the rows of a page', () => types(table(2, 10)), ['table'], () => types(table(2, 11)), ['data_table']],
    ['the rows of a table', () => types(table(2, 99)), ['data_table'], () => types(table(2, 100)), ['data_table', 'table']],
    ['the tables of a message', () => parts(table(2, 1)).length, 1, () => parts(`${table(2, 1)}\n\n${table(2, 1)}`).length, 2],
    [
      'the characters of a table',
      () => types(table(1, 1, word(3_998))),
      ['table'],
      () => types(table(1, 1, word(3_999))),
      ['rich_text', 'rich_text'],
    ],
    [
      'small print in one block',
      () => types('x', word(3_000)),
      ['rich_text', 'context'],
      () => types('x', word(3_001)),
      ['rich_text', 'context', 'context'],
    ],
    ['the depth of a list', () => indents(9), [0, 1, 2, 3, 4, 5, 6, 7, 8], () => indents(10), [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['the label of a button', () => labels(1, word(75)), [word(75)], () => labels(1, word(76)), [`${word(74)}…`]],
    ['the buttons of a message', () => labels(25, 'x').length, 25, () => labels(26, 'x').length, 25],
    ['the messages of an answer', () => files(9 * 4_000 + 1), 0, () => files(10 * 4_000 + 1), 1],
  ])('%s', (_, at, expectedAt, past, expectedPast) => {
    expect(at()).toEqual(expectedAt)
    expect(past()).toEqual(expectedPast)
  })

  it("no number exceeds Slack's limit", () => {
    expect(SLACK_LIMITS.text).toBeLessThanOrEqual(ENFORCED.updateText)
    expect(SLACK_LIMITS.blocks).toBeLessThan(ENFORCED.blocks)
    expect(SLACK_LIMITS.text).toBeLessThanOrEqual(ENFORCED.tableCharacters)
    expect(SLACK_LIMITS.tableRows).toBeLessThanOrEqual(ENFORCED.tableRows)
    expect(SLACK_LIMITS.buttons).toBeLessThanOrEqual(ENFORCED.actionsElements)
    expect(SLACK_LIMITS.smallPrint).toBeLessThanOrEqual(ENFORCED.textObject)
    expect(SLACK_LIMITS.chartSegments).toBeLessThanOrEqual(ENFORCED.chartSeries)
  })
})

function indents(depth: number): readonly unknown[] {
  const markdown = Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')
  return parts(markdown).flatMap(({ blocks }) =>
    blocks.flatMap(({ elements }) => (elements as { indent: number }[]).map(({ indent }) => indent)),
  )
}

function labels(count: number, label: string): readonly string[] {
  const [part] = parts('x', '', choices(count, label))
  const elements = part?.blocks.at(-1)?.elements as { text: { text: string } }[] | undefined
  return (elements ?? []).map(({ text }) => text.text)
}

function files(length: number): number {
  return parts(word(length)).filter(({ file }) => file !== undefined).length
}

describe('input fields, at a limit and just beyond it', () => {
  const { promptTitle, suggestedPrompts: most, inputText, modalReason } = SLACK_LIMITS
  const title = (length: number) => suggestedPrompts([word(length)], slackWords('en'))[0]?.title
  const input = (view: { readonly blocks: readonly unknown[] }) =>
    view.blocks.flatMap(
      block => (block as { readonly element?: { readonly max_length?: number; readonly initial_value?: string } }).element ?? [],
    )
  const origin = { channel: 'C1', thread: '1.1', message: '1.1', order: 1 }

  it('a suggested question is a title, or a cut title with the whole question', () => {
    expect(title(promptTitle)).toBe(word(promptTitle))
    expect(suggestedPrompts([word(promptTitle + 1)], slackWords('en'))).toEqual([
      { title: `${word(promptTitle - 1)}…`, message: word(promptTitle + 1) },
    ])
  })

  it('the number of suggested questions is limited', () => {
    const questions = (count: number) => Array.from({ length: count }, (_, index) => `question ${index}`)
    expect(suggestedPrompts(questions(most), slackWords('en'))).toHaveLength(most)
    expect(suggestedPrompts(questions(most + 1), slackWords('en'))).toHaveLength(most)
  })

  it('forms accept no more than Slack does', () => {
    expect(
      input(
        formOfPress({ action: 'repeat', runId: 'run_1' }, origin, { title: 'Repeat', label: 'When?', optional: false }, 'en'),
      ).map(({ max_length: length }) => length),
    ).toEqual([modalReason])
    expect(modalReason).toBeLessThanOrEqual(ENFORCED.inputText)
    const [whole] = input(questionForm(word(inputText / 2), origin, 'en'))
    const [cut] = input(questionForm(word(inputText / 2 + 1), origin, 'en'))
    expect(whole).toMatchObject({ max_length: ENFORCED.inputText, initial_value: word(inputText / 2) })
    expect(cut?.initial_value).toBe(`${word(inputText / 2 - 1)}…`)
  })
})
