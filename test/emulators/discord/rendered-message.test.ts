import { describe, expect, it } from '@jest/globals'
import { MESSAGE_FLAG, type MessageBody } from './discord-model.ts'
import { type Names, showMarkdown } from './markdown.ts'
import { renderMessage } from './rendered-message.ts'

const names: Names = { user: id => `user${id}`, role: id => `role${id}`, channel: id => `channel${id}` }
const mentions = { users: [], roles: [], everyone: false, groups: [] }
const empty: MessageBody = { content: '', embeds: [], components: [], attachments: [], flags: 0, mentions }
const render = (body: Partial<MessageBody>) => renderMessage({ ...empty, ...body }, names, 'http://own/')

describe('the visible text', () => {
  it.each([
    ['**bold** *slanted* _slanted_ __under__ ~~gone~~ ||hidden||', 'bold slanted slanted under gone hidden'],
    ['# Head\n> quoted\n-# small\n- item', 'Head\nquoted\nsmall\n- item'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['\\*plain\\* \\[x\\]', '*plain* [x]'],
    ['`**code**` and ```sql\nSELECT *\nFROM t\n```', '**code** and SELECT *\nFROM t'],
    ['<@1> <@!2> <@&3> <#4> </ask:5> <:smile:6>', '@user1 @user2 @role3 #channel4 /ask :smile:'],
    ['<t:0:R>', '1970-01-01T00:00:00.000Z'],
    ['```\n<@1> [x](https://a.io)\n```', '<@1> [x](https://a.io)'],
  ])('%j', (text, plain) => {
    expect(showMarkdown(text, names).plain).toBe(plain)
  })

  it.each([
    ['[label](https://a.io/x)', ['https://a.io/x'], ['https://a.io/x']],
    ['[label](<https://a.io/x> "title")', ['https://a.io/x'], ['https://a.io/x']],
    ['see https://a.io/x?y=1. And (http://b.io)', ['https://a.io/x?y=1', 'http://b.io'], ['https://a.io/x?y=1', 'http://b.io']],
    ['https://a.io/x_(y)', ['https://a.io/x_(y)'], ['https://a.io/x_(y)']],
    ['<https://a.io>', ['https://a.io'], []],
    ['discord.gg/abc', ['discord.gg/abc'], ['discord.gg/abc']],
    ['<me@a.io> but not me@a.io, www.a.io, a.io/x', ['me@a.io'], []],
    ['`https://a.io` ```https://b.io```', [], []],
    ['\\[label](https://a.io)', ['https://a.io'], ['https://a.io']],
    ['![image](https://a.io/p.png)', ['https://a.io/p.png'], ['https://a.io/p.png']],
  ])('%j links', (text, links, unfolded) => {
    expect(showMarkdown(text, names)).toMatchObject({ links, unfolded })
  })
})

describe('a rendered message', () => {
  it("has an embed's texts in order, with its links and images", () => {
    const embed = {
      author: { name: 'Author', url: 'https://author.io', icon_url: 'https://icon.io/i.png' },
      title: '**Title**',
      url: 'https://title.io',
      description: '[d](https://description.io)',
      fields: [{ name: 'Name', value: 'https://value.io' }],
      footer: { text: 'https://footer.io is no link' },
      image: { url: 'https://image.io/i.png' },
      thumbnail: { url: 'http://own/chart.png' },
    }
    const shown = render({ content: 'Above', embeds: [embed] })
    expect(shown.plain).toBe('Above\nAuthor\nTitle\nd\nName\nhttps://value.io\nhttps://footer.io is no link')
    expect(shown.isRich).toBe(true)
    expect(shown.unfolded).toEqual([])
    expect(new Set(shown.links)).toEqual(
      new Set([
        'https://author.io',
        'https://title.io',
        'https://description.io',
        'https://value.io',
        'https://image.io/i.png',
        'https://icon.io/i.png',
      ]),
    )
  })

  it('has no embeds and unfolded links if they are suppressed', () => {
    const shown = render({ content: 'https://a.io', embeds: [{ title: 'x' }], flags: MESSAGE_FLAG.suppressEmbeds })
    expect(shown).toMatchObject({ plain: 'https://a.io', isRich: false, links: ['https://a.io'], unfolded: [] })
  })

  it('has buttons separate from the text, and second-version text in it', () => {
    const buttons = [
      { type: 2, style: 1, label: 'Stop', custom_id: 'stop', disabled: true },
      { type: 2, style: 5, label: 'Docs', url: 'https://docs.io' },
    ]
    const container = {
      type: 17,
      components: [
        { type: 10, content: '**Five**' },
        { type: 1, components: buttons },
      ],
    }
    expect(render({ components: [container], flags: MESSAGE_FLAG.componentsV2 })).toEqual({
      plain: 'Five',
      isRich: true,
      pings: [],
      links: ['https://docs.io'],
      unfolded: [],
      buttons: [
        { label: 'Stop', customId: 'stop', url: undefined, style: 1, isDisabled: true },
        { label: 'Docs', customId: undefined, url: 'https://docs.io', style: 5, isDisabled: false },
      ],
    })
  })

  it('lists its pings', () => {
    const pinged = { users: ['1'], roles: ['2'], everyone: true, groups: ['here'] }
    expect(render({ content: 'x', mentions: pinged }).pings).toEqual(['1', '&2', 'here'])
  })
})
