import { describe, expect, it } from '@jest/globals'
import { SIZES } from '../../../base/sizes.ts'
import type { ChatMessage } from '../../../chat/event.ts'
import { slackEvent, slackVisit } from './event.ts'

const SELF = { team: 'T1', user: 'UBOT', botId: 'BBOT' }
const TS = '1700000001.123456'

function payload(event: { readonly [key: string]: unknown }): unknown {
  return {
    type: 'event_callback',
    team_id: 'T1',
    event_id: 'Ev1',
    event: { type: 'message', user: 'U1', channel: 'C1', channel_type: 'channel', ts: TS, event_ts: TS, text: '', ...event },
  }
}

function messageOf(event: { readonly [key: string]: unknown }): ChatMessage | undefined {
  const parsed = slackEvent(payload(event), SELF)
  return parsed.kind === 'message' ? parsed.message : undefined
}

function reasonOf(event: { readonly [key: string]: unknown }): string | undefined {
  const parsed = slackEvent(payload(event), SELF)
  return parsed.kind === 'unsupported' ? parsed.reason : undefined
}

describe('slackEvent', () => {
  it('fault 2: parses a mention alike from both of its events', () => {
    const text = '<@UBOT> how many users?'
    const expected = {
      place: { platform: 'slack', workspace: 'T1', channel: 'C1', thread: TS, isDirect: false },
      messageId: TS,
      order: 1_700_000_001_123_456,
      author: 'U1',
      text: 'how many users?',
      addressed: true,
    }
    expect(messageOf({ text })).toEqual(expected)
    expect(messageOf({ type: 'app_mention', text, channel_type: undefined })).toEqual(expected)
    expect(messageOf({ text: '<@UBOT|clew> how many users?' })).toEqual(expected)
  })

  it('keeps a question of the maximum length, and cuts a longer one just beyond it', () => {
    const longest = 'x'.repeat(SIZES.question)
    expect(messageOf({ text: `<@UBOT> ${longest}` })?.text).toBe(longest)
    for (const text of [`${longest}x`, '*'.repeat(39_000), '&lt;'.repeat(9_000), ' \t'.repeat(20_000)])
      expect(messageOf({ type: 'app_mention', text: `<@UBOT> a${text}a` })?.text).toHaveLength(SIZES.question + 1)
  })

  it('parses the time exactly', () => {
    expect(messageOf({ text: '<@UBOT> a', ts: '1795171620.000001' })?.order).toBe(1_795_171_620_000_001)
    expect(reasonOf({ text: '<@UBOT> a', ts: '1795171620' })).toBe('malformed')
  })

  it('accepts a mention without words, and one inside a thread', () => {
    expect(messageOf({ text: ' <@UBOT> ' })).toMatchObject({ text: '', addressed: true })
    expect(messageOf({ text: '<@UBOT> and?', thread_ts: '1700000000.000001' })).toMatchObject({
      text: 'and?',
      addressed: true,
      place: { thread: '1700000000.000001' },
    })
  })

  it.each([
    ['a direct message', { channel: 'D1', channel_type: 'im', text: 'how many?' }, true],
    ['a direct message about somebody', { channel: 'D1', channel_type: 'im', text: '<@U2> logged in when?' }, true],
    ['a direct message with only a file', { channel: 'D1', channel_type: 'im', text: '', subtype: 'file_share' }, true],
    ['a group message with a mention', { channel: 'G1', channel_type: 'mpim', text: '<@UBOT> how many?' }, true],
    ['a reply', { text: 'and last week?', thread_ts: '1700000000.000001' }, false],
    ['a reply shown in the channel', { text: 'hm', thread_ts: '1700000000.000001', subtype: 'thread_broadcast' }, false],
    ['a mention with a file', { text: '<@UBOT> see this', subtype: 'file_share' }, true],
    ['a mention of the bot and others', { text: '<@UBOT> how much did <@U2> buy?' }, true],
    ['a first message to another that asks the bot', { text: '<@U2> look, <@UBOT> how many?' }, true],
  ])('accepts %s', (_, event, addressed) => {
    expect(messageOf(event)).toMatchObject({ addressed, place: { isDirect: 'channel' in event && event.channel === 'D1' } })
  })

  it.each([
    ['its own message', { user: 'UBOT', text: 'hi <@UBOT>' }, 'own message'],
    ['another bot', { bot_id: 'B2', text: '<@UBOT> hi' }, 'bot'],
    ["another bot's old form", { subtype: 'bot_message', bot_id: 'B2', user: undefined, text: '<@UBOT>' }, 'subtype bot_message'],
    ['Slackbot', { user: 'USLACKBOT', channel: 'D1', text: 'hi' }, 'bot'],
    ['an edit', { subtype: 'message_changed', hidden: true, user: undefined }, 'subtype message_changed'],
    ['a mention added by an edit', { type: 'app_mention', text: '<@UBOT> hi', edited: { user: 'U1', ts: TS } }, 'edit'],
    ['a deletion of nothing', { subtype: 'message_deleted', hidden: true }, 'subtype message_deleted'],
    ['somebody joining', { subtype: 'channel_join', text: '<@U1> has joined' }, 'subtype channel_join'],
    ['an action in words', { subtype: 'me_message', text: 'waves at <@UBOT>' }, 'subtype me_message'],
    ['a hidden message', { hidden: true, text: '<@UBOT> hi' }, 'hidden'],
    ['channel talk', { text: 'good morning' }, 'not addressed'],
    ['group talk', { channel: 'G1', channel_type: 'mpim', text: 'good morning' }, 'not addressed'],
    ['channel talk with others', { text: '<@U2> good morning' }, 'not addressed'],
    ['a reply to another', { text: ' <@U2> what do you think?', thread_ts: '1.000001' }, 'reply to another person'],
    ['a reply about the bot', { text: '<@U2|bob> shall <@UBOT> go on?', thread_ts: '1.000001' }, 'reply to another person'],
    ['a reply that calls another', { text: 'what says <@U2>?', thread_ts: '1.000001' }, 'reply to another person'],
    ['a reply to everyone', { text: '<!here> see this', thread_ts: '1.000001' }, 'reply to another person'],
    ['a reply to a group', { text: 'see this <!subteam^S1|@team>', thread_ts: '1.000001' }, 'reply to another person'],
    ['a reply without words', { text: '', subtype: 'file_share', thread_ts: '1.000001' }, 'no text'],
    ['a message without an author', { user: undefined, text: '<@UBOT> hi' }, 'no author'],
    ['another event', { type: 'reaction_added' }, 'event reaction_added'],
  ])('ignores %s', (_, event, reason) => {
    expect(reasonOf(event)).toBe(reason)
  })

  it.each([
    [
      'a deletion',
      { subtype: 'message_deleted', deleted_ts: TS, previous_message: { user: 'U1', text: 'hi' } },
      { author: 'U1' },
    ],
    ['a deletion of which nothing else is told', { subtype: 'message_deleted', deleted_ts: TS }, {}],
    [
      'a message that leaves its thread behind',
      {
        subtype: 'message_changed',
        message: { subtype: 'tombstone', ts: TS, user: 'USLACKBOT' },
        previous_message: { user: 'U1' },
      },
      { author: 'U1' },
    ],
  ])('accepts %s', (_, event, told) => {
    expect(slackEvent(payload({ hidden: true, user: undefined, ...event }), SELF)).toEqual({
      kind: 'deletion',
      place: { platform: 'slack', workspace: 'T1', channel: 'C1' },
      messageId: TS,
      ...told,
    })
  })

  it.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ event: 'message' }],
    [{ event: { type: 7 } }],
    [{ event: { type: 'message' } }],
  ])('survives %j', body => {
    expect(slackEvent(body, SELF)).toEqual({ kind: 'unsupported', reason: 'malformed' })
  })

  it.each([
    ['<@UBOT>, how many?', 'how many?'],
    ['how many, <@UBOT>?', 'how many, ?'],
    ['<@UBOT> who is <@U2|bob> or <@U3>?', 'who is @bob or @U3?'],
    ['<@UBOT> in <#C2|sales> or <#C3> or <#C4|>?', 'in #sales or #C3 or #C4?'],
    ['<@UBOT> for <!here> and <!channel|channel> and <!subteam^S1|@team>', 'for @here and @channel and @team'],
    [
      '<@UBOT> see <https://a.example/x|the page> and <http://b.example|b.example> and <https://c.example>',
      'see the page (https://a.example/x) and b.example and https://c.example',
    ],
    ['<@UBOT> mail <mailto:a@b.example|a@b.example>', 'mail a@b.example'],
    ['<@UBOT> since <!date^1700000000^{date}|14 November>', 'since 14 November'],
    ['<@UBOT> where a &lt; 5 &amp;&amp; b &gt; 6 &amp;lt;', 'where a < 5 && b > 6 &lt;'],
    ['<@UBOT> two\nlines', 'two\nlines'],
    ['<@UBOT> hid\u200bden\u202e', 'hidden'],
  ])('parses %j as %j', (text, expected) => {
    expect(messageOf({ text })?.text).toBe(expected)
  })
})

describe('slackVisit', () => {
  it.each([
    [
      { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' },
      { to: 'home', user: 'U1' },
    ],
    [
      { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'messages' },
      { to: 'messages', user: 'U1', channel: 'D1' },
    ],
    [
      { type: 'assistant_thread_started', assistant_thread: { user_id: 'U1', channel_id: 'D1', thread_ts: TS, context: {} } },
      { to: 'messages', user: 'U1', channel: 'D1', thread: TS },
    ],
    [{ type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'about' }, undefined],
    [{ type: 'message' }, undefined],
  ])('parses %j', (event, visit) => {
    expect(slackVisit({ event })).toEqual(visit)
  })
})
