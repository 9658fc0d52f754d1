import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { WebClient } from '@slack/web-api'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'
import { createWebClient } from './web-client.ts'

let slack: SlackEmulator
let client: WebClient

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed', clock: 'stopped' })
  client = createWebClient(slack)
})
afterEach(() => slack.close())

const plain = (text: string) => ({ type: 'plain_text' as const, text })
const input = (fields: object = {}) => ({
  type: 'input' as const,
  block_id: 'why',
  label: plain('Why?'),
  element: { type: 'plain_text_input' as const, action_id: 'text', ...fields },
})
const modal = (fields: object = {}) => ({
  type: 'modal' as const,
  title: plain('A form'),
  submit: plain('Send'),
  blocks: [input()],
  ...fields,
})
const triggerOf = (name = 'alice') => String(slack.user(name).command('general', '/ask', 'x').payload.trigger_id)
const open = (view: unknown, trigger_id = triggerOf()) =>
  client.views.open({ trigger_id, view: view as ReturnType<typeof modal> })
const refusal = (error: string) => ({ data: { error } })

describe('a modal', () => {
  it("opens for the trigger's holder, once and within 3 s", async () => {
    const trigger = triggerOf('bob')
    await open(modal(), trigger)
    expect(slack.user('bob').modal()).toMatchObject({ title: 'A form', plain: 'Why?', values: { why: '' } })
    expect(slack.user('alice').modal()).toBeUndefined()
    await expect(open(modal(), trigger)).rejects.toMatchObject(refusal('exchanged_trigger_id'))
    const late = triggerOf()
    slack.clock.advance(3_001)
    await expect(open(modal(), late)).rejects.toMatchObject(refusal('expired_trigger_id'))
    await expect(open(modal(), '1.2.3')).rejects.toMatchObject(refusal('invalid_trigger_id'))
  })

  it.each([
    ['a long title', { title: plain('x'.repeat(25)) }, 'invalid_arguments'],
    ['a long button', { submit: plain('x'.repeat(25)) }, 'invalid_arguments'],
    ['a field without a button', { submit: undefined }, 'invalid_arguments'],
    ['long metadata', { private_metadata: 'x'.repeat(3_001) }, 'invalid_arguments'],
    ['an unknown field', { colour: 'red' }, 'invalid_arguments'],
    ['too many blocks', { blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }, 'invalid_blocks'],
    ['a field that takes too much', { blocks: [input({ max_length: 3_001 })] }, 'invalid_blocks'],
    ['a field that holds too much', { blocks: [input({ initial_value: 'x'.repeat(3_001) })] }, 'invalid_blocks'],
    [
      'too much of all',
      { blocks: Array.from({ length: 100 }, () => input({ initial_value: 'x'.repeat(2_600) })) },
      'view_too_large',
    ],
  ])('with %s is refused', async (_, fields, error) => {
    await expect(open(modal(fields))).rejects.toMatchObject(refusal(error))
  })

  it('accepts as many blocks as a view may have', async () => {
    await open(modal({ blocks: Array.from({ length: 100 }, () => ({ type: 'divider' })) }))
    await expect(
      client.chat.postMessage({ channel: slack.channel('general').id, text: 'x', blocks: [input()] }),
    ).rejects.toMatchObject(refusal('invalid_blocks'))
  })

  it('is submitted with its fields, within their limits', async () => {
    await open(modal({ callback_id: 'form', private_metadata: 'kept', blocks: [input({ initial_value: 'so', max_length: 5 })] }))
    const alice = slack.user('alice')
    expect(() => alice.submitModal({ why: '' })).toThrow(/wants something/)
    expect(() => alice.submitModal({ why: 'so long' })).toThrow(/wants less/)
    expect(() => slack.user('bob').submitModal()).toThrow(/no form open/)
    expect(alice.submitModal().payload).toMatchObject({
      type: 'view_submission',
      user: { id: alice.id },
      view: {
        callback_id: 'form',
        private_metadata: 'kept',
        state: { values: { why: { text: { type: 'plain_text_input', value: 'so' } } } },
      },
    })
  })

  it('reports its cancellation only if the app asked for it', async () => {
    await open(modal())
    expect(slack.user('alice').closeModal()).toBeUndefined()
    await open(modal({ notify_on_close: true }))
    expect(slack.user('alice').closeModal()?.payload).toMatchObject({ type: 'view_closed' })
    expect(slack.user('alice').modal()).toBeUndefined()
  })
})

describe('a home tab', () => {
  it('is published for one person, and reported when opened', async () => {
    const blocks = [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text: 'hello' } }]
    await client.views.publish({ user_id: slack.user('alice').id, view: { type: 'home', blocks } })
    expect(slack.user('alice').home()?.plain).toBe('hello')
    expect(slack.user('bob').home()).toBeUndefined()
    expect(slack.user('bob').openHome()?.payload.event).toMatchObject({ type: 'app_home_opened', tab: 'home' })
    await expect(client.views.publish({ user_id: 'U0NOBODY', view: { type: 'home', blocks } })).rejects.toMatchObject(
      refusal('invalid_arguments'),
    )
  })
})

describe('suggested prompts', () => {
  const prompts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: `${index}`, message: `question ${index}` }))
  const suggest = (count: number, fields: object = {}) =>
    client.assistant.threads.setSuggestedPrompts({
      channel_id: slack.user('alice').directChannel(),
      prompts: prompts(count),
      ...fields,
    })

  it('are at most four', async () => {
    await suggest(4)
    expect(slack.user('alice').suggestedPrompts()).toHaveLength(4)
    await expect(suggest(5)).rejects.toMatchObject(refusal('invalid_arguments'))
  })

  it('are ignored if an app with agent_view names a thread', async () => {
    const { ts } = slack.user('alice').directMessage('hello')
    await suggest(2, { thread_ts: ts })
    expect(slack.user('alice').suggestedPrompts()).toEqual([])
  })

  it('need their own scope', async () => {
    const other = await startSlackEmulator({ botScopes: ['chat:write'] })
    await expect(
      createWebClient(other).assistant.threads.setSuggestedPrompts({
        channel_id: other.user('alice').directChannel(),
        prompts: prompts(1),
      }),
    ).rejects.toMatchObject(refusal('missing_scope'))
    await other.close()
  })
})
