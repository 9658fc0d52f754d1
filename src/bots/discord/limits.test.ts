import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import stringWidth from 'string-width'
import { renderDiscordReply } from '../../../test/support/render-at-once.ts'
import type { ChatAction } from '../../chat/action.ts'
import { DISCORD_LIMITS } from './limits.ts'
import { filesByMessage } from './post/files.ts'
import { nonceOf, plainPayload } from './post/payload.ts'
import { buttonRows } from './render/render.ts'

const {
  content,
  embedDescription,
  nonce,
  buttonsInRow,
  buttonRows: rows,
  buttonLabel,
  fileBytes,
  files,
  requestBytes,
  messages,
  tableColumns,
  progressLines,
  progressLine,
} = DISCORD_LIMITS

const texts = (markdown: string) =>
  renderDiscordReply({ kind: 'answer', markdown }, { allowedLinkHosts: [] }).map(part => part.text)
const plain = (text: string) => plainPayload({ text, buttons: [], files: [] })
const buttons = (count: number, label = 'SQL') =>
  buttonRows(Array.from({ length: count }, (_, choice): ChatAction => ({ action: 'choose', runId: 'run_1', choice, label }))).map(
    row => row.components as { readonly label: string }[],
  )
const progress = (lines: readonly string[]) =>
  renderDiscordReply({ kind: 'progress', lines }, { allowedLinkHosts: [] })[0]?.text.split('\n') ?? []
const file = (size: number, name = 'rows.csv') => ({ name, mediaType: 'text/csv', content: Buffer.alloc(size) })

describe('on each side of a limit', () => {
  it('an answer fits one embed, or needs two', () => {
    expect(texts('x'.repeat(embedDescription)).map(text => text.length)).toEqual([embedDescription])
    expect(texts('x'.repeat(embedDescription + 1)).map(text => text.length)).toEqual([embedDescription, 1])
  })

  it('a plain message is complete, or continues as a file', () => {
    expect(plain('x'.repeat(content))).toMatchObject({ body: { content: 'x'.repeat(content) }, files: [] })
    const cut = plain('x'.repeat(content + 1))
    expect(cut.body.content.length).toBeLessThanOrEqual(content)
    expect(cut.files.map(({ name, data }) => [name, String(data)])).toEqual([['message.md', 'x'.repeat(content + 1)]])
  })

  it('an answer fits ten messages, or continues as a file', () => {
    const whole = renderDiscordReply(
      { kind: 'answer', markdown: 'x'.repeat(messages * embedDescription) },
      { allowedLinkHosts: [] },
    )
    expect([whole.length, whole.flatMap(part => part.files)]).toEqual([messages, []])
    const cut = renderDiscordReply(
      { kind: 'answer', markdown: 'x'.repeat(messages * embedDescription + 1) },
      { allowedLinkHosts: [] },
    )
    expect([cut.length, cut.at(-1)?.files.map(({ text }) => text.length)]).toEqual([messages, [messages * embedDescription + 1]])
  })

  it('buttons stand five to a row, without those that fit no row', () => {
    expect(buttons(buttonsInRow).map(row => row.length)).toEqual([5])
    expect(buttons(buttonsInRow + 1).map(row => row.length)).toEqual([5, 1])
    expect(buttons(buttonsInRow * rows).flat()).toHaveLength(25)
    expect(buttons(buttonsInRow * rows + 1).flat()).toHaveLength(25)
  })

  it('a label is complete or cut', () => {
    expect(buttons(1, 'x'.repeat(buttonLabel))[0]?.[0]?.label).toBe('x'.repeat(buttonLabel))
    expect(buttons(1, 'x'.repeat(buttonLabel + 1))[0]?.[0]?.label).toBe(`${'x'.repeat(buttonLabel - 1)}…`)
  })

  it('a marker is the nonce itself, or its digest', () => {
    expect(nonceOf('x'.repeat(nonce))).toBe('x'.repeat(nonce))
    expect(nonceOf('x'.repeat(nonce + 1))).toHaveLength(nonce)
  })

  it('a table is aligned, or shown as one record per row', () => {
    const table = (width: number) => texts(`| a | b |\n|---|---|\n| ${'x'.repeat(width - 3)} | y |`)[0] ?? ''
    expect(table(tableColumns)).toMatch(/^```/)
    expect(
      Math.max(
        ...table(tableColumns)
          .split('\n')
          .map(line => stringWidth(line)),
      ),
    ).toBe(tableColumns)
    expect(table(tableColumns + 1)).toMatch(/^\*\*a:\*\* x+\n\*\*b:\*\* y$/)
  })

  it('progress shows a limited number of queries, one per line', () => {
    const queries = (count: number) => Array.from({ length: count }, (_, index) => `query ${index}`)
    expect(progress(['Working', ...queries(progressLines)]).filter(line => line.startsWith('- '))).toHaveLength(progressLines)
    expect(progress(['Working', ...queries(progressLines + 1)])).not.toContain('- query 0')
    expect(progress(['x'.repeat(progressLine)])).toEqual(['x'.repeat(progressLine)])
    expect(progress(['x'.repeat(progressLine + 1)])).toEqual([`${'x'.repeat(progressLine - 1)}…`])
  })

  it('a file is sent unchanged or compressed', () => {
    expect(filesByMessage([file(fileBytes)])).toMatchObject([[{ name: 'rows.csv', contentType: 'text/csv' }]])
    expect(filesByMessage([file(fileBytes + 1)])).toMatchObject([[{ name: 'rows.csv.gz', contentType: 'application/gzip' }]])
  })

  it('files go with one message or several', () => {
    const counts = (all: ReturnType<typeof file>[]) => filesByMessage(all).map(each => each.length)
    expect(counts([])).toEqual([])
    expect(counts(Array.from({ length: files }, () => file(1)))).toEqual([10])
    expect(counts(Array.from({ length: files + 1 }, () => file(1)))).toEqual([10, 1])
    const half = requestBytes / 3
    expect(counts([file(half), file(half), file(half)])).toEqual([3])
    expect(counts([file(half), file(half), file(half + 1)])).toEqual([2, 1])
  })

  it('a compressed file contains the original', () => {
    const rows = '4711,Bonn,München\n'.repeat(700_000)
    const [data] = filesByMessage([{ name: 'rows.csv', mediaType: 'text/csv', content: Buffer.from(rows) }])
      .flat()
      .map(sent => Buffer.from(sent.data as Uint8Array))
    expect(data?.length).toBeLessThan(fileBytes)
    expect(data !== undefined && gunzipSync(data).toString() === rows).toBe(true)
  })
})
