import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import stringWidth from 'string-width'
import { type DiscordEmulator, startDiscordEmulator } from '../../../../test/emulators/discord/discord-emulator.ts'
import type { ShownMessage } from '../../../../test/emulators/discord/transcript.ts'
import { renderDiscordReply } from '../../../../test/support/render-at-once.ts'
import type { ChatPlace } from '../../../chat/event.ts'
import type { ChatOutbox } from '../../../chat/platform.ts'
import type { Reply } from '../../../chat/reply.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { createDiscordOutbox } from '../outbox.ts'
import { isMarkerAddress } from '../post/payload.ts'

let discord: DiscordEmulator
let outbox: ChatOutbox
const signal = new AbortController().signal

beforeAll(async () => {
  discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
  outbox = createDiscordOutbox({
    apiUrl: discord.apiUrl,
    token: discord.botToken,
    applicationId: discord.appId,
    logger: pino({ level: 'silent' }),
    allowedLinkHosts: ['docs.example'],
    requestsPerSecond: 10_000,
  })
})
afterAll(() => discord.close())

/** Posts a reply part by part into a new thread. @returns the messages that people see */
async function shown(reply: Reply): Promise<readonly ShownMessage[]> {
  const asked = discord.user('alice').post('general', discord.botMention)
  const { channelId: channel } = asked
  const place: ChatPlace = { platform: 'discord', workspace: discord.guild.id, channel, thread: asked.id, isDirect: false }
  for (const [index, part] of (await outbox.render(reply)).entries())
    await outbox.post(place, part, `run-${asked.id.slice(-12)}-${index}`, signal)
  return discord.transcript(asked.id)
}

const answer = (markdown: string) => shown({ kind: 'answer', markdown })
const textOf = (messages: readonly ShownMessage[]) =>
  messages.map(message => [message.plain, ...message.files.map(file => file.content.toString())].join('\n')).join('\n')
const parts = (markdown: string) => renderDiscordReply({ kind: 'answer', markdown }, { allowedLinkHosts: ['docs.example'] })
const text = (markdown: string) =>
  parts(markdown)
    .map(part => part.text)
    .join('\n====\n')
const linksOf = (messages: readonly ShownMessage[]) =>
  messages.flatMap(message => message.links).filter(link => !isMarkerAddress(link))

describe('an answer', () => {
  it('is formatted for Discord', () => {
    expect(
      text(
        [
          '## Users',
          'There are **42** *active* ~~old~~ `users`. [Q1, Q2]',
          '- one\n- two\n  1. deep',
          '> quoted\n> twice',
          '```sql\nSELECT 1 < 2\n```',
          '| city | users |\n|---|---|\n| Bonn | 7 |\n| Berlin | 1,024 |',
          '---',
        ].join('\n\n'),
      ),
    ).toBe(
      [
        '**Users**',
        'There are **42** *active* ~~old~~ `users`. [Q1, Q2]',
        '',
        '- one',
        '- two',
        '  1. deep',
        '',
        '> quoted',
        '> twice',
        '```sql\nSELECT 1 < 2\n```',
        '```\ncity    users\n──────  ─────\nBonn        7\nBerlin  1,024\n```',
        '———',
      ].join('\n'),
    )
  })

  it('shows a table that is too wide for a phone as records', () => {
    const header = '| device | status | last seen | operator |\n|---|---|---|---|'
    expect(text(`${header}\n| ams-dz1 | activated | 2026-01-01 10:00 | Jump Crypto |\n| nyc-dz2 | drained | | |`)).toBe(
      [
        '**device:** ams-dz1\n**status:** activated\n**last seen:** 2026-01-01 10:00\n**operator:** Jump Crypto',
        '**device:** nyc-dz2\n**status:** drained\n**last seen:** \n**operator:** ',
      ].join('\n\n'),
    )
  })

  it('ends a table before the citation below it', () => {
    expect(text('| city | users |\n|---|---|\n| Bonn | 7 |\n[Q1]')).toBe('```\ncity  users\n────  ─────\nBonn      7\n```\n[Q1]')
  })

  it('splits a long table into blocks with their own head, none wider than a phone', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => `| city${index} | ${index * 7} | 漢字 |`)
    const messages = await answer(`| city | users | name |\n|---|--:|---|\n${rows.join('\n')}`)
    expect(messages.length).toBeGreaterThan(1)
    for (const { plain, embeds } of messages) {
      expect(plain).toMatch(/^city +users +name\n─/)
      for (const line of plain.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(DISCORD_LIMITS.tableColumns)
      expect(String(embeds[0]?.description)).toMatch(/^```\n[^`]+\n```$/)
    }
    expect(textOf(messages).match(/city\d+/g)).toEqual(rows.map((_, index) => `city${index}`))
  })

  it('has small print below, and buttons under the last part', async () => {
    const reply: Reply = {
      kind: 'answer',
      markdown: 'word '.repeat(1_500),
      footer: 'Confidence: HIGH (counted)\n- Q1: counts *users* (1 row)\n- Q2: @everyone http://evil.example',
      actions: [
        { action: 'sql', runId: 'run_1', label: 'SQL' },
        { action: 'stop', runId: 'run_1', label: 'x'.repeat(200), emphasis: 'danger' },
        ...Array.from({ length: 30 }, (_, choice) => ({ action: 'choose', runId: 'run_1', choice, label: ' ' }) as const),
      ],
    }
    const messages = await shown(reply)
    expect(messages.map(message => message.buttons.length)).toEqual([0, 25])
    expect(messages[1]?.buttons[0]).toMatchObject({ label: 'SQL', customId: 'clew:sql:run_1' })
    expect(messages[1]?.buttons[1]).toMatchObject({ label: `${'x'.repeat(79)}…`, style: 4 })
    const description = String(messages[1]?.embeds[0]?.description)
    expect(description).toContain(
      '-# Confidence: HIGH (counted)\n-# • Q1: counts *users* (1 row)\n-# • Q2: \\@everyone http:\\//evil.example',
    )
    expect(linksOf(messages)).toEqual([])
  })

  it('links only to allowed hosts, and shows other addresses', async () => {
    const messages = await answer(
      '[docs](https://docs.example/a_b(c)) https://docs.example/b [evil](https://evil.example/?q=1 "t") [https://a.example](https://docs.example) ' +
        '[fake](https://docs.example@evil.example) [js](javascript:alert) ![pic](https://docs.example/p.png) discord.gg/evil <https://evil.example|x>',
    )
    expect(new Set(linksOf(messages).map(link => new URL(link).host))).toEqual(new Set(['docs.example']))
    expect(messages.flatMap(message => message.unfolded)).toEqual([])
    for (const part of ['evil (https://evil.example/?q=1 "t")', 'js (javascript:alert)', 'discord.gg/evil'])
      expect(textOf(messages)).toContain(part)
  })

  it.each([
    ['a heading', (inner: string) => `## ${inner}`],
    ['a list', (inner: string) => `- ${inner}\n- ${inner}`],
    ['a quotation', (inner: string) => `> ${inner}`],
    ['a narrow table', (inner: string) => `| a | b |\n|---|---|\n| ${inner.slice(0, 20)} | x |`],
    ['a wide table', (inner: string) => `| a | b |\n|---|---|\n| ${inner} | ${inner} |`],
    ['code', (inner: string) => `\`${inner}\``],
    ['a code block', (inner: string) => `\`\`\`\`\n${inner}\n\`\`\`\``],
    ['bold', (inner: string) => `**${inner}**`],
    ['a code block that is not closed', (inner: string) => `\`\`\`\n${inner}`],
  ])('pings nobody, links nowhere and hides nothing in %s', async (_, dress) => {
    const { id } = discord.user('bob')
    const hostile = `<@${id}> <@&${discord.guild.id}> @everyone <#1> ||spoiler|| <t:1:R> <:a:1> :smile: evil.com/x\u200b \u202e \`\`\` http://evil.example [x](http://evil.example)`
    const messages = await answer(dress(hostile))
    expect(messages.flatMap(message => message.pings)).toEqual([])
    expect(linksOf(messages)).toEqual([])
    expect(JSON.stringify(messages)).not.toMatch(/[\u202e\u200b]/)
    if (dress('').includes('| x |')) return
    for (const word of ['everyone', '||spoiler||', '<t:1:R>', ':smile:', 'evil.com/x']) expect(textOf(messages)).toContain(word)
  })

  it('that is far too long continues as a file, without loss', async () => {
    const words = Array.from({ length: 8_000 }, (_, index) => `word${index}`)
    const messages = await answer(words.join(' '))
    expect(messages).toHaveLength(DISCORD_LIMITS.messages)
    expect(messages.at(-1)?.files.map(file => [file.name, file.content.toString()])).toEqual([['answer.md', words.join(' ')]])
    const written = messages.slice(0, -1).flatMap(message => message.plain.match(/word\d+/g) ?? [])
    expect(written.length).toBeGreaterThan(3_000)
    expect(written).toEqual(words.slice(0, written.length))
  })

  it('closes a code fence at a split, and opens it again', () => {
    const code = Array.from({ length: 400 }, (_, index) => `SELECT ${index} FROM numbers`).join('\n')
    const cut = parts(`\`\`\`sql\n${code}\n\`\`\``)
    expect(cut.length).toBeGreaterThan(2)
    for (const part of cut) expect(part.text).toMatch(/^```sql\nSELECT [^`]*numbers\n```$/)
    expect(cut.map(part => part.text.replaceAll(/^```sql\n|\n```$/g, '')).join('\n')).toBe(code)
  })

  it('is never empty', () => {
    for (const markdown of ['', ' \n ', '\u200b', '```\n```', '#', '-', '![]()', '| |\n|-|'])
      for (const part of parts(markdown)) expect(part.text.trim()).not.toBe('')
  })
})

describe('other replies', () => {
  it('show progress as one short message with its buttons', async () => {
    const lines = ['Running queries', ...Array.from({ length: 40 }, (_, index) => `Q${index} done @everyone ${'x'.repeat(500)}`)]
    const messages = await shown({
      kind: 'progress',
      lines,
      actions: [{ action: 'stop', runId: 'run_1', label: 'Stop', emphasis: 'danger' }],
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ pings: [], buttons: [{ label: 'Stop', style: 4 }], isRich: true })
    expect(messages[0]?.plain).toMatch(/^Running queries\n/)
    expect(messages[0]?.plain).toContain('Q39 done')
    expect(await shown({ kind: 'progress', lines: [] })).toHaveLength(1)
  })

  it('do not link from an error', async () => {
    const messages = await shown({ kind: 'error', code: 'fault', sentence: 'No table @everyone http://evil.example.' })
    expect(messages).toMatchObject([{ plain: '⚠️ No table @everyone http://evil.example.', pings: [] }])
    expect(linksOf(messages)).toEqual([])
  })
})
