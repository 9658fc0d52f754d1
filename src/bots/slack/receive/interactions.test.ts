import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { SlackEmulator } from '../../../../test/emulators/slack/slack-emulator.ts'
import type { Delivery } from '../../../../test/emulators/slack/socket-mode.ts'
import { type ListenOptions, SlackListener } from '../../../../test/support/slack-listener.ts'
import { actionId } from '../../../chat/action.ts'
import type { ChatPress } from '../../../chat/event.ts'
import { FORM_FIELD } from './forms.ts'

let listener: SlackListener
let slack: SlackEmulator

beforeEach(async () => {
  listener = await SlackListener.start()
  slack = listener.slack
})
afterEach(() => listener.close())

const listen = (options?: ListenOptions) => listener.listen(options)
const isAcknowledged = (delivery: Delivery) => listener.acknowledged(delivery)
const isDone = (delivery: Delivery) => slack.waitFor(() => delivery.attempts.some(attempt => attempt.ackMs !== undefined))
const fromBot = (channel: string, as?: string) => listener.fromBot(channel, as)
const down = async () => {
  throw new Error('the store is away')
}

describe.each(['socket', 'http'] as const)('over %s, a press', over => {
  let place: ChatPress['place']
  let message: { readonly channel: string; readonly ts: string }

  beforeEach(async () => {
    const asked = slack.user('alice').post('general', 'how many?')
    const actions = (['sql', 'unhelpful', 'stop', 'choose'] as const).map(action => ({
      type: 'button',
      action_id: actionId({ action, runId: 'run_1', label: '', ...(action === 'choose' ? { choice: 2 } : {}) }),
      text: { type: 'plain_text', text: action },
    }))
    const feedback = {
      type: 'feedback_buttons',
      action_id: 'feedback',
      positive_button: { text: { type: 'plain_text', text: 'Good' }, value: 'clew:helpful:run_1' },
      negative_button: { text: { type: 'plain_text', text: 'Bad' }, value: 'clew:unhelpful:run_1' },
    }
    const foreign = { type: 'button', action_id: 'old', text: { type: 'plain_text', text: 'old' } }
    const posted = slack.workspace.post(asked.channel, {
      user: slack.botUserId,
      botId: slack.botId,
      text: '42',
      threadTs: asked.ts,
      blocks: [
        { type: 'actions', block_id: 'a', elements: [...actions, foreign] },
        { type: 'context_actions', block_id: 'c', elements: [feedback] },
      ],
    })
    message = { channel: asked.channel, ts: posted.ts }
    place = { platform: 'slack', workspace: slack.teamId, channel: asked.channel, thread: asked.ts, isDirect: false }
  })
  const press = (label: string) => slack.user('bob').press(message, { label })

  it('is passed on once accepted, with everything needed for a private reply', async () => {
    await listen({ over })
    for (const [label, pressed] of [
      ['sql', { action: 'sql', runId: 'run_1' }],
      ['choose', { action: 'choose', runId: 'run_1', choice: 2 }],
      ['Good', { action: 'helpful', runId: 'run_1' }],
    ] as const) {
      const delivery = press(label)
      await isAcknowledged(delivery)
      expect(listener.presses.at(-1)).toEqual({
        place,
        pressId: expect.stringMatching(/^\d+\.\d{6}-U\w+$/),
        order: expect.any(Number),
        user: slack.user('bob').id,
        pressed,
        messageId: message.ts,
        interaction: { responseUrl: delivery.payload.response_url },
      })
    }
    expect(new Set(listener.presses.map(({ pressId }) => pressId)).size).toBe(3)
    expect(listener.presses.map(({ order }) => order)).toEqual(
      listener.presses.map(({ order }) => order).sort((one, other) => one - other),
    )
  })

  it('counts as not helpful at once, and again with the reason', async () => {
    await listen({ over })
    const delivery = press('unhelpful')
    await isAcknowledged(delivery)
    expect(listener.presses).toMatchObject([{ pressed: { action: 'unhelpful', runId: 'run_1' } }])
    expect(listener.presses[0]).not.toHaveProperty('text')
    const bob = slack.user('bob')
    expect(bob.modal()).toMatchObject({ title: 'Not helpful', plain: 'What was wrong?' })
    await isAcknowledged(bob.submitModal({ [FORM_FIELD]: ' wrong week\u202e ' }))
    expect(bob.modal()).toBeUndefined()
    expect(listener.presses[1]).toEqual({
      ...listener.presses[0],
      pressId: expect.any(String),
      order: expect.any(Number),
      text: 'wrong week',
    })
    expect(listener.presses[1]?.pressId).not.toBe(listener.presses[0]?.pressId)
    await isAcknowledged(press('Bad'))
    await isAcknowledged(bob.submitModal({ [FORM_FIELD]: ' ' }))
    await isAcknowledged(press('Bad'))
    bob.closeModal()
    expect(listener.presses).toHaveLength(4)
  })

  it("asks for the reason in the answer's language, or else the person's", async () => {
    await listen({ over })
    const carla = slack.addUser({ name: 'carla', locale: 'de-DE' })
    slack.workspace.join(slack.workspace.channels.get(message.channel) as never, carla.id)
    await isAcknowledged(carla.press(message, { label: 'unhelpful' }))
    expect(carla.modal()).toMatchObject({ title: 'Nicht hilfreich', plain: 'Was war falsch?' })
    const english = slack.workspace.post(message.channel, {
      user: slack.botUserId,
      botId: slack.botId,
      text: 'There were 42 of them.',
      blocks: slack.workspace.find(message.channel, message.ts)?.blocks ?? [],
    })
    await isAcknowledged(carla.press({ channel: message.channel, ts: english.ts }, { label: 'unhelpful' }))
    expect(carla.modal()).toMatchObject({ title: 'Not helpful', plain: 'What was wrong?' })
  })

  it('counts as not helpful even if no form opens', async () => {
    slack.faults.refuse('views.open', 'expired_trigger_id')
    await listen({ over })
    await isAcknowledged(press('unhelpful'))
    expect(listener.presses).toHaveLength(1)
    expect(slack.user('bob').modal()).toBeUndefined()
  })

  it('that cannot be accepted is not acknowledged, and only its user is told', async () => {
    let now = 1_700_000_000_000
    await listen({
      over,
      now: () => now,
      accept: async () => {
        now += 1_000
        return down()
      },
    })
    const delivery = press('sql')
    await slack.waitFor(() => fromBot('general', 'bob').some(shown => shown.plain.includes('could not take this in')))
    expect(delivery.state).not.toBe('acknowledged')
    expect(fromBot('general').some(shown => shown.isEphemeral)).toBe(false)
  })

  it('keeps the form open if the reason cannot be accepted', async () => {
    let isDown = false
    let now = 1_700_000_000_000
    await listen({
      over,
      now: () => now,
      accept: async event => {
        now += 3_000
        if (isDown) return down()
        listener.heard.push(event)
      },
    })
    await isAcknowledged(press('unhelpful'))
    isDown = true
    const bob = slack.user('bob')
    await isDone(bob.submitModal({ [FORM_FIELD]: 'wrong week' }))
    expect(bob.modal()).toMatchObject({
      values: { [FORM_FIELD]: 'wrong week' },
      errors: { [FORM_FIELD]: expect.stringContaining('could not take this in') },
    })
    isDown = false
    await isAcknowledged(bob.submitModal())
    expect(listener.presses.at(-1)).toMatchObject({ text: 'wrong week' })
  })

  it('on an unknown button is reported to its user', async () => {
    await listen({ over })
    await isAcknowledged(press('old'))
    await slack.waitFor(() => fromBot('general', 'bob').some(shown => shown.plain.includes('do not know what to do')))
    expect(listener.heard).toEqual([])
  })

  it('is accepted before it is acknowledged', async () => {
    let release = () => {}
    let isHeard = () => {}
    const hearing = new Promise<void>(resolve => {
      isHeard = resolve
    })
    await listen({
      over,
      responseMs: 60_000,
      accept: () => {
        isHeard()
        return new Promise(resolve => {
          release = resolve
        })
      },
    })
    const delivery = press('stop')
    await hearing
    expect(delivery.state).toBe('pending')
    release()
    await isAcknowledged(delivery)
  })
})

describe('malformed payloads', () => {
  it('cause no failure', async () => {
    await listen()
    const payloads = [
      { type: 'block_actions', actions: [] },
      { type: 'block_actions', actions: [{ action_id: 'clew:sql:run_1' }], container: { type: 'view' }, user: { id: 'U1' } },
      { type: 'view_submission', user: { id: 'U1' }, view: { callback_id: 'clew:unhelpful:run_1', private_metadata: 'x' } },
      { type: 'message_action', callback_id: 'ask_about_message' },
      { type: 'block_actions', actions: 7 },
    ]
    for (const payload of payloads) slack.socket.deliver('interactive', payload)
    slack.socket.deliver('slash_commands', { command: '/ask' })
    slack.socket.deliver('events_api', { type: 'event_callback', event: { type: 'app_home_opened', user: 7 } })
    slack.socket.deliver('events_api', { type: 'event_callback', event: { type: 'message', subtype: 'message_deleted' } })
    await isAcknowledged(slack.user('alice').command('general', '/ask', 'alive?'))
    expect(listener.heard).toHaveLength(1)
  })

  it('leave no token, response address or question in the log', async () => {
    await listen()
    const delivery = slack.user('alice').command('general', '/ask', 'how many secrets?')
    await isAcknowledged(delivery)
    slack.user('alice').command('random', '/ask', 'how many secrets?')
    await slack.waitFor(() => fromBot('random').length === 1)
    expect(listener.lines.join('')).not.toMatch(/xoxb-|xapp-|\/response\/|how many secrets/)
  })
})
