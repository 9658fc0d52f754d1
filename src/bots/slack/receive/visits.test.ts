import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { links, pings } from '../../../../test/emulators/slack/rendered-message.ts'
import type { SlackEmulator } from '../../../../test/emulators/slack/slack-emulator.ts'
import { type ListenOptions, SlackListener } from '../../../../test/support/slack-listener.ts'
import type { RecentQuestion } from '../../../chat/recent-questions.ts'

let listener: SlackListener
let slack: SlackEmulator

beforeEach(async () => {
  listener = await SlackListener.start()
  slack = listener.slack
})
afterEach(() => listener.close())

const listen = (options?: ListenOptions) => listener.listen(options)
const down = async () => {
  throw new Error('the store is away')
}

describe('deleting a message', () => {
  it('is noticed, even if the message already has replies', async () => {
    await listen()
    const alice = slack.user('alice')
    const [lone, parent] = [alice.post('general', `${slack.botMention} one`), alice.post('general', `${slack.botMention} two`)]
    slack.user('bob').post('general', 'a reply', { thread: parent })
    alice.edit(lone, `${slack.botMention} one more`)
    alice.delete(lone)
    alice.delete(parent)
    const direct = alice.directMessage('three')
    alice.delete(direct)
    await slack.waitFor(() => listener.heard.filter(event => event.kind === 'deletion').length === 3)
    const place = { platform: 'slack', workspace: slack.teamId, channel: lone.channel }
    const told = (messageId: string, at = place) => ({ kind: 'deletion', place: at, messageId, author: alice.id })
    const deletions = listener.heard.filter(event => event.kind === 'deletion')
    expect(deletions).toHaveLength(3)
    expect(deletions).toEqual(
      expect.arrayContaining([told(lone.ts), told(parent.ts), told(direct.ts, { ...place, channel: direct.channel })]),
    )
    expect(listener.messages.every(message => message.text !== 'one more')).toBe(true)
  })
})

describe('a visit', () => {
  const recent: RecentQuestion[] = []
  const recentQuestions = {
    remember: async () => {},
    forget: async () => {},
    of: async ({ user }: { readonly user: string }) => (user === slack.user('alice').id ? recent : []),
  }

  it("to the home tab shows example questions and its visitor's own ones", async () => {
    const place = {
      platform: 'slack',
      workspace: slack.teamId,
      channel: 'C1',
      thread: '1700000000.000100',
      isDirect: false,
    } as const
    recent.splice(
      0,
      recent.length,
      { text: 'and last\nweek? <!channel>', place, messageId: '1700000001.000200' },
      { text: 'how many?', place, messageId: '1700000000.000100' },
    )
    await listen({ recentQuestions, examples: ['Which links lost packets?', ' '] })
    const opened = [slack.user('alice').openHome(), slack.user('bob').openHome()]
    await slack.waitFor(() => opened.every(delivery => delivery?.state === 'acknowledged'))
    const { blocks = [], plain = '' } = slack.user('alice').home() ?? {}
    expect(plain).toMatch(
      /What I do.*How to ask.*@clew how many.*\/ask .*\/lineage .*Which links lost packets\?.*and last week\? <!channel>\nhow many\?$/s,
    )
    expect(links({ text: '', blocks })).toEqual([
      'https://emulated.slack.com/archives/C1/p1700000001000200?thread_ts=1700000000.000100&cid=C1',
      'https://emulated.slack.com/archives/C1/p1700000000000100',
    ])
    expect(pings({ text: '', blocks })).toEqual([])
    expect(slack.user('bob').home()?.plain).not.toMatch(/recent|<!channel>/)
  })

  it("is in the visitor's Slack language", async () => {
    const carla = slack.addUser({ name: 'carla', locale: 'de-DE' })
    await listen()
    carla.openHome()
    carla.openMessages()
    await slack.waitFor(() => carla.home() !== undefined && carla.suggestedPrompts().length > 0)
    expect(carla.home()?.plain).toMatch(
      /Was ich tue.*So wird gefragt.*@clew wie viele.*\/lineage JOB warum.*Welche Tabellen gibt es\?/s,
    )
    expect(carla.home()?.plain).not.toMatch(/What|How to|Questions/)
    expect(carla.suggestedPrompts()[0]?.message).toBe('Welche Tabellen gibt es?')
  })

  it('to the home tab shows the rest if the store is away', async () => {
    await listen({ recentQuestions: { ...recentQuestions, of: down } })
    slack.user('alice').openHome()
    await slack.waitFor(() => slack.user('alice').home()?.plain.includes('What tables are there?'))
  })

  it('to the direct conversation suggests questions', async () => {
    const examples = Array.from({ length: 6 }, (_, index) => `Question ${index} ${'x'.repeat(90)}?`)
    await listen({ examples })
    slack.user('alice').openMessages()
    await slack.waitFor(() => slack.user('alice').suggestedPrompts().length > 0)
    expect(
      slack
        .user('alice')
        .suggestedPrompts()
        .map(({ message }) => message),
    ).toEqual(examples.slice(0, 4))
    expect(slack.user('alice').home()).toBeUndefined()
  })

  it('to a new thread of an app with assistant_view suggests questions, which stay in that thread', async () => {
    await listener.close()
    listener = await SlackListener.start({ messaging: 'assistant' })
    slack = listener.slack
    await listen()
    const alice = slack.user('alice')
    alice.openAssistantThread()
    await slack.waitFor(() => alice.suggestedPrompts().length > 0)
    const [root] = slack.transcript(alice.directChannel())
    const [offered] = alice.suggestedPrompts()
    const asked = alice.directMessage(offered?.message ?? '', { thread: root?.ts ?? '' })
    await slack.waitFor(() => asked.deliveries.every(({ state }) => state === 'acknowledged'))
    expect(listener.messages).toMatchObject([
      { text: offered?.message, addressed: true, place: { thread: root?.ts, isDirect: true } },
    ])
  })

  it('that cannot be shown is logged, and not retried', async () => {
    slack.faults.refuse('views.publish', 'internal_error')
    await listen()
    const delivery = slack.user('alice').openHome()
    await slack.waitFor(() => delivery?.state === 'acknowledged')
    expect(delivery?.attempts).toHaveLength(1)
    expect(listener.lines.some(line => line.includes('slack visit could not be answered'))).toBe(true)
  })
})
