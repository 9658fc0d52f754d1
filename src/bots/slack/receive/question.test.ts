import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { SlackEmulator } from '../../../../test/emulators/slack/slack-emulator.ts'
import type { Delivery } from '../../../../test/emulators/slack/socket-mode.ts'
import { type ListenOptions, SlackListener } from '../../../../test/support/slack-listener.ts'
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

describe.each(['socket', 'http'] as const)('over %s, a command', over => {
  const use = (command: string, text: string, channel = 'general') => slack.user('alice').command(channel, command, text)

  it('shows its question to everybody, and gets its answer in a thread below', async () => {
    await listen({ over })
    await isAcknowledged(use('/ask', '  how many *users*? &lt;!channel&gt; <@U1|bob> @here'))
    const [shown] = fromBot('general', 'bob')
    expect(shown).toMatchObject({ plain: '❓ how many *users*? <!channel> @bob @here\nasked by alice', isEphemeral: false })
    expect(shown?.text).toBe('❓ how many *users*? &lt;!channel&gt; @bob @here (asked by alice)')
    const { id: channel } = slack.channel('general')
    expect(listener.messages).toEqual([
      {
        place: { platform: 'slack', workspace: slack.teamId, channel, thread: shown?.ts, isDirect: false },
        messageId: shown?.ts,
        order: Number(shown?.ts.replace('.', '')),
        author: slack.user('alice').id,
        text: 'how many *users*? <!channel> @bob @here',
        addressed: true,
      },
    ])
    const reply = slack.user('bob').post('general', 'really?', { thread: shown?.ts ?? '' })
    await slack.waitFor(() => reply.deliveries.every(({ state }) => state === 'acknowledged'))
    expect(listener.messages.at(-1)).toMatchObject({ place: listener.messages[0]?.place, addressed: false })
  })

  it.each([
    ['cve_enrichment', 'lineage cve_enrichment'],
    ['cve_enrichment why is --deep vendor empty?', 'lineage cve_enrichment why is vendor empty? --deep'],
    ['cve_enrichment —deep', 'lineage cve_enrichment --deep'],
    ['cve_enrichment is it so--deep down?', 'lineage cve_enrichment is it so--deep down?'],
  ])('/lineage %s is a message', async (given, text) => {
    await listen({ over })
    await isAcknowledged(use('/lineage', given))
    expect(listener.messages).toMatchObject([{ text, addressed: true }])
  })

  it.each([
    ['where a &lt; 5 &amp; b &gt; 3', 'where a < 5 & b > 3'],
    ['where a <5 and b> 3', 'where a <5 and b> 3'],
    ['what of <#C1|data> and <https://a.example|this>', 'what of #data and this (https://a.example)'],
  ])('/ask parses %j', async (given, text) => {
    await listen({ over })
    await isAcknowledged(use('/ask', given))
    expect(listener.messages).toMatchObject([{ text }])
  })

  it('is acknowledged in time and accepted, among many at once', async () => {
    slack.enforceRateLimits(true)
    await listen({ over, responseMs: 300 })
    const used = Array.from({ length: 7 }, (_, index) => use('/ask', `question ${index}`))
    await slack.waitFor(() => used.every(({ state }) => state === 'acknowledged'))
    for (const { attempts } of used) expect(attempts[0]?.ackMs).toBeLessThan(3_000)
    await slack.waitFor(() => fromBot('general', 'bob').length === 7)
    await slack.waitFor(() => listener.messages.length === 7 || undefined)
    expect(new Set(listener.messages.map(({ text }) => text)).size).toBe(7)
  })

  it('stays in the direct conversation where it was used', async () => {
    await listen({ over })
    const direct = slack.user('alice').directChannel()
    await isAcknowledged(use('/ask', 'how many?', direct))
    expect(listener.messages).toMatchObject([{ place: { channel: direct, isDirect: true } }])
  })

  it.each(['random', 'private'])('in a channel without Clew tells only its user how to invite it: %s', async channel => {
    slack.addChannel({ name: 'private', kind: 'private', members: ['alice', 'bob'] })
    await listen({ over })
    await isAcknowledged(use('/ask', 'how many\nusers &amp; links?', channel))
    expect(fromBot(channel)).toMatchObject([
      { isEphemeral: true, plain: expect.stringMatching(/\/invite @clew.*direct message.*\n> how many\n> users & links\?$/s) },
    ])
    expect(fromBot(channel, 'bob')).toEqual([])
    expect(listener.heard).toEqual([])
  })

  it.each([
    ['/ask', ' ', '/ask how many'],
    ['/lineage', '--deep', '/lineage JOB'],
    ['/other', 'x', 'do not know what to do'],
    ['/ask', 'x'.repeat(8_001), 'more than the 8,000 characters'],
    ['/lineage', `JOB${' \t'.repeat(10_000)}x`, 'more than the 8,000 characters'],
  ])('%s is explained to its user', async (command, text, explanation) => {
    await listen({ over })
    await isAcknowledged(use(command, text))
    expect(fromBot('general')).toMatchObject([{ isEphemeral: true, plain: expect.stringContaining(explanation) }])
    expect(listener.heard).toEqual([])
  })

  it('tells its user alone what the user has used, and the way to the console', async () => {
    await listen({ over })
    await isAcknowledged(use('/usage', ''))
    await isAcknowledged(use('/console', ''))
    const { id } = slack.user('alice')
    expect(fromBot('general')).toMatchObject([
      { isEphemeral: true, plain: `used by slack/${id} (en)` },
      { isEphemeral: true, plain: expect.stringMatching(`^link of slack/${id} in T[A-Z0-9]+ \\(en\\)$`) },
    ])
    expect(listener.heard).toEqual([])
  })

  it('that cannot be accepted is withdrawn, and its user is told', async () => {
    let now = 1_700_000_000_000
    await listen({
      over,
      now: () => now,
      accept: async event => {
        if (event.kind === 'deletion') return
        now += 10_000
        return down()
      },
    })
    await isAcknowledged(use('/ask', 'how many?'))
    expect(fromBot('general')).toMatchObject([{ isEphemeral: true, plain: expect.stringContaining('could not take this in') }])
  })

  it('waits for a limit on posts', async () => {
    slack.faults.rateLimit('chat.postMessage', 0.01)
    await listen({ over })
    await isAcknowledged(use('/ask', 'how many?'))
    expect(listener.messages).toHaveLength(1)
    expect(fromBot('general')).toHaveLength(1)
  })

  it('that takes too long is acknowledged first, and its user is told if it fails', async () => {
    let fail = (_: Error) => {}
    let isHeard = () => {}
    const hearing = new Promise<void>(resolve => {
      isHeard = resolve
    })
    let now = 1_700_000_000_000
    await listen({
      over,
      now: () => now,
      responseMs: 50,
      accept: async event => {
        if (event.kind !== 'message') return
        isHeard()
        await new Promise((_, reject) => {
          fail = reject
        })
      },
    })
    const delivery = use('/ask', 'how many?')
    await hearing
    await isAcknowledged(delivery)
    expect(delivery.response ?? {}).toEqual({})
    expect(fromBot('general', 'bob')).toHaveLength(1)
    now += 60_000
    fail(new Error('the store is away'))
    await slack.waitFor(() =>
      fromBot('general').some(shown => shown.isEphemeral && shown.plain.includes('could not take this in')),
    )
    await slack.waitFor(() => fromBot('general', 'bob').length === 0)
  })
})

describe('the message shortcut', () => {
  it("opens its form, and explains an incomplete command, in its user's language", async () => {
    await listen()
    const carla = slack.addUser({ name: 'carla', locale: 'de-AT' })
    const noticed = slack.user('bob').post('general', 'loss on link 7')
    await isAcknowledged(carla.shortcut(noticed, 'ask_about_message'))
    expect(carla.modal()).toMatchObject({ title: 'Clew dazu fragen', plain: expect.stringContaining('Die Frage') })
    const delivery = carla.command('general', '/ask', '')
    await isAcknowledged(delivery)
    expect(delivery.response).toMatchObject({
      text: 'So wird gefragt: `/ask wie viele Nutzer haben sich letzte Woche angemeldet?`',
    })
  })

  it("asks in the message's thread, with the message's text filled in", async () => {
    await listen()
    const noticed = slack.user('bob').post('general', 'loss on <https://a.example|link 7> is &gt; 5 %')
    const alice = slack.user('alice')
    await isAcknowledged(alice.shortcut(noticed, 'ask_about_message'))
    expect(alice.modal()).toMatchObject({
      title: 'Ask Clew about this',
      values: { [FORM_FIELD]: 'loss on link 7 (https://a.example) is > 5 %' },
    })
    expect(listener.heard).toEqual([])
    await isAcknowledged(alice.submitModal({ [FORM_FIELD]: 'since when is the loss on link 7 above 5 %?' }))
    const [shown] = fromBot('general', 'bob')
    expect(shown).toMatchObject({ threadTs: noticed.ts, plain: expect.stringMatching(/^❓ since when.*asked by alice$/s) })
    expect(listener.messages).toMatchObject([
      {
        place: { thread: noticed.ts },
        messageId: shown?.ts,
        author: alice.id,
        text: 'since when is the loss on link 7 above 5 %?',
      },
    ])
  })

  it("stays in a reply's thread, and accepts an empty or overlong message", async () => {
    await listen()
    const alice = slack.user('alice')
    const question = alice.post('general', 'first')
    const reply = alice.post('general', '', { thread: question, files: [{ name: 'a.csv', content: 'a' }] })
    await isAcknowledged(alice.shortcut(reply, 'ask_about_message'))
    expect(alice.modal()?.values).toEqual({ [FORM_FIELD]: '' })
    await isAcknowledged(alice.submitModal({ [FORM_FIELD]: 'what is this?' }))
    expect(listener.messages).toMatchObject([{ place: { thread: question.ts } }])
    const long = alice.post('general', 'word '.repeat(5_000))
    await isAcknowledged(alice.shortcut(long, 'ask_about_message'))
    expect(alice.modal()?.values[FORM_FIELD]?.length).toBeGreaterThan(1_000)
    const own = slack.workspace.post(long.channel, { user: slack.botUserId, botId: slack.botId, text: 'There are 42 users.' })
    await isAcknowledged(alice.shortcut(own, 'ask_about_message'))
    expect(alice.modal()?.values).toEqual({ [FORM_FIELD]: '' })
  })

  it('keeps the form open if Clew is not in the channel', async () => {
    await listen()
    const alice = slack.user('alice')
    await isAcknowledged(alice.shortcut(alice.post('random', 'hm'), 'ask_about_message'))
    await isDone(alice.submitModal({ [FORM_FIELD]: 'how many?' }))
    expect(alice.modal()?.errors).toEqual({ [FORM_FIELD]: expect.stringContaining('/invite @clew') })
    expect(listener.heard).toEqual([])
  })

  it('with another name is reported as unknown', async () => {
    await listen()
    const alice = slack.user('alice')
    await isAcknowledged(alice.shortcut(alice.post('general', 'hm'), 'other'))
    await slack.waitFor(() => fromBot('general').some(shown => shown.plain.includes('do not know what to do')))
  })
})
