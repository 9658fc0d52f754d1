import { describe, expect, it } from '@jest/globals'
import { links, pings, plainText, wouldUnfurl } from './rendered-message.ts'

const text = (value: string) => ({ text: value, blocks: [] })
const section = (value: string) => ({
  text: 'fallback',
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: value } }],
})
const markdown = (value: string) => ({ text: 'fallback', blocks: [{ type: 'markdown', text: value }] })
const richText = (element: object) => ({
  text: 'fallback',
  blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [element] }] }],
})

describe('plainText', () => {
  it('is what a person reads: blocks before text, unescaped, with link labels', () => {
    expect(plainText(text('a &lt;b&gt; &amp;amp; <https://example.com|the docs> <@U1>'))).toBe('a <b> &amp; the docs @U1')
    expect(plainText(section('from the block'))).toBe('from the block')
  })

  it('shows tables row by row, and buttons by their label', () => {
    const rows = [
      ['metro', 'links'],
      ['AMS', '12'],
    ].map(row => row.map(cell => ({ type: 'raw_text', text: cell })))
    const button = { type: 'button', text: { type: 'plain_text', text: 'Show SQL' }, action_id: 'sql' }
    const blocks = [
      { type: 'data_table', caption: 'Links', rows },
      { type: 'actions', elements: [button] },
    ]
    expect(plainText({ text: '', blocks })).toBe('Links\nmetro | links\nAMS | 12\nShow SQL')
  })
})

describe('pings', () => {
  it.each([
    [text('<@U1> and <!channel>'), ['U1', 'channel']],
    [section('<!here> <!subteam^S1|team>'), ['here', 'subteam^S1']],
    [markdown('<@U2>'), ['U2']],
    [richText({ type: 'user', user_id: 'U3' }), ['U3']],
    [richText({ type: 'broadcast', range: 'everyone' }), ['everyone']],
    [{ ...text('@channel'), linkNames: true }, ['channel']],
  ])('finds %j', (message, expected) => {
    expect(pings(message)).toEqual(expected)
  })

  it.each([
    text('&lt;@U1&gt; @channel <#C1> <!date^1700000000^{date}|then>'),
    section('&lt;!channel&gt;'),
    richText({ type: 'text', text: '<@U1>' }),
  ])('finds nobody in %j', message => {
    expect(pings(message)).toEqual([])
  })
})

describe('links', () => {
  it('are found in every form that Slack shows or loads', () => {
    expect(links(text('<https://a.example|x> https://b.example/?q=1&amp;r=2'))).toEqual([
      'https://a.example',
      'https://b.example/?q=1&r=2',
    ])
    expect(links(markdown('![](http://evil.example/?q=1) [x](http://other.example)'))).toEqual([
      'http://evil.example/?q=1',
      'http://other.example',
    ])
    expect(links(richText({ type: 'link', url: 'https://c.example' }))).toEqual(['https://c.example'])
    expect(links(text('&lt;https-less|x&gt;'))).toEqual([])
  })

  it('unfurl unless switched off', () => {
    const message = text('<https://a.example>')
    expect(wouldUnfurl(message)).toBe(true)
    expect(wouldUnfurl({ ...message, unfurlLinks: false, unfurlMedia: false })).toBe(false)
    expect(wouldUnfurl(text('no link'))).toBe(false)
  })
})
