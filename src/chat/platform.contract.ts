import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type ChatInbound, type ChatMessage, type ChatPlace, chatMessageSchema } from './event.ts'
import type { ChatOutbox, ChatSurface, PersonSettings, RenderedPart } from './platform.ts'
import type { Progress, Reply } from './reply.ts'

/** A person's message, as the platform knows it. */
export interface SaidMessage {
  readonly messageId: string
  readonly place: ChatPlace
}

/** A message of the bot, as the platform shows it now. */
export interface SeenMessage {
  readonly id: string
  /** The text that people see, without markup. */
  readonly text: string
  /** Whether the message has rich formatting. If not, it is plain text. */
  readonly isRich: boolean
  /** Mentions that would notify somebody, in the platform's own syntax, such as `<@U1>`. */
  readonly pings: readonly string[]
  /** Every address that the message links to or loads a picture from. */
  readonly links: readonly string[]
  /** The texts of the attached files. */
  readonly files: readonly string[]
}

/** A platform for tests, with a channel for the bot and two people, one of whom asks. Real clients talk to an emulator. */
export interface ChatPlatformWorld {
  readonly surface: ChatSurface
  readonly outbox: ChatOutbox
  readonly asker: { readonly id: string } & PersonSettings
  /** The asker writes in the channel. The text starts with the mentions. */
  say(text: string, options?: { readonly mentions?: readonly ('bot' | 'other')[]; readonly replyTo?: SaidMessage }): SaidMessage
  whisper(text: string): SaidMessage
  changeOwn(message: SaidMessage, text: string): void
  deleteOwn(message: SaidMessage): void
  otherBotSays(text: string): SaidMessage
  /**
   * Counts the events of a message: all of them, and the acknowledged ones. On a platform without acknowledgements, a handled event counts as
   * acknowledged.
   */
  taken(message: SaidMessage): { readonly acknowledged: number; readonly events: number }
  /** Makes the platform send unacknowledged events again. Does nothing if the surface itself keeps such events. */
  redeliver(): void
  /** Resolves when the condition holds. The condition is checked after each change of the platform. */
  waitFor(condition: () => boolean): Promise<void>
  /** Describes the visible messages and all requests so far. A failing test shows this text. */
  describe(): string
  /** Returns the bot's messages in a thread, in order. */
  seen(place: ChatPlace): readonly SeenMessage[]
  /** Returns the ids of all messages that the bot has posted in the channel and its threads. */
  everything(): readonly string[]
  readonly faults: {
    rateLimitNextPost(seconds: number): void
    rateLimitNextEdit(seconds: number): void
    loseNextPostAnswer(): void
    /** Makes the next post fail at once. The returned function stores the post after all, as a slow server would. */
    storeNextPostLate(): () => void
    refuseRichOnce(of: 'post' | 'edit'): void
    breakNextPost(): void
    revokeToken(): void
    restoreToken(): void
    removeThread(place: ChatPlace): void
    archive(place: ChatPlace): void
    removeMessage(place: ChatPlace, id: string): void
    removeBot(place: ChatPlace): void
  }
  close(): Promise<void>
}

const HOSTILE_ANSWER = [
  'Hi <!channel> <!here> <@U0000000001> <@&123456> @everyone @here @channel <#C0000000001>, see [the report](http://evil.example/?q=1)',
  'or <http://evil.example|this>, http://evil.example/bare, www.evil.example, evil.com/?q=1, bob@evil.com, evil.net:81 and ![chart](https://evil.example/pixel.png?data=secret). [Q1]',
].join('\n')

/** Registers the tests that every platform must pass. Each test creates and closes its own world. */
export function describeChatPlatform(name: string, createWorld: () => Promise<ChatPlatformWorld>): void {
  describe(`${name} as a chat platform`, () => {
    let world: ChatPlatformWorld
    let accepted: ChatMessage[]
    let heard: Set<() => void>
    const signal = new AbortController().signal

    beforeEach(async () => {
      world = await createWorld()
      accepted = []
      heard = new Set()
    })
    afterEach(() => world.close())

    /** Adds a call to the list. @returns whether enough calls have arrived */
    const called = (calls: ChatMessage[], message: ChatMessage) => {
      calls.push(message)
      for (const look of [...heard]) look()
    }
    const untilCalled = (calls: readonly ChatMessage[], count: () => number) =>
      new Promise<void>(resolve => {
        const look = () => {
          if (calls.length === 0 || calls.length < count()) return
          heard.delete(look)
          resolve()
        }
        heard.add(look)
        look()
      })
    const start = () =>
      world.surface.start(async event => {
        if (event.kind !== 'deletion') accepted.push(chatMessageSchema.parse(messageOf(event)))
      }, signal)
    const isTaken = (said: SaidMessage) => {
      const { acknowledged, events } = world.taken(said)
      return events > 0 && acknowledged === events
    }
    const acceptedOf = (said: SaidMessage) => accepted.filter(message => message.messageId === said.messageId)
    const show = async (place: ChatPlace, part: RenderedPart, marker: string) => world.outbox.post(place, part, marker, signal)
    const onlyPart = async (reply: Reply) => {
      const parts = await world.outbox.render(reply)
      expect(parts).toHaveLength(1)
      return parts[0] ?? {}
    }

    describe('incoming', () => {
      it('is connected from start to stop', async () => {
        expect(world.surface.connected()).toBe(false)
        await start()
        expect(world.surface.connected()).toBe(true)
        await world.surface.stop()
        expect(world.surface.connected()).toBe(false)
      })

      it('fault 2: passes on a mention without its markup, the same at each delivery', async () => {
        await start()
        const said = world.say('how many users?', { mentions: ['bot'] })
        await world.waitFor(() => isTaken(said))
        expect(acceptedOf(said).length).toBeGreaterThan(0)
        for (const message of acceptedOf(said)) {
          expect(message).toEqual({
            ...message,
            place: said.place,
            author: world.asker.id,
            text: 'how many users?',
            addressed: true,
          })
          expect(message).toEqual(acceptedOf(said)[0])
        }
      })

      it('orders messages by the time of writing', async () => {
        await start()
        const first = world.say('first', { mentions: ['bot'] })
        const second = world.say('second', { mentions: ['bot'] })
        await world.waitFor(() => isTaken(first) && isTaken(second))
        const [one, other] = [acceptedOf(first)[0], acceptedOf(second)[0]]
        expect(one?.order).toBeLessThanOrEqual(other?.order ?? 0)
        // If two messages have the same microsecond, the queue orders them by id.
        if (one?.order === other?.order) expect(first.messageId < second.messageId).toBe(true)
      })

      it('passes on a direct message', async () => {
        await start()
        const said = world.whisper('how many users?')
        await world.waitFor(() => isTaken(said))
        expect(acceptedOf(said)).toMatchObject([{ text: 'how many users?', addressed: true, place: { isDirect: true } }])
      })

      it("passes on a reply in a thread as not addressed, in the thread's place", async () => {
        await start()
        const question = world.say('how many users?', { mentions: ['bot'] })
        const reply = world.say('and last week?', { replyTo: question })
        await world.waitFor(() => isTaken(reply))
        expect(acceptedOf(reply)).toMatchObject([{ text: 'and last week?', addressed: false, place: question.place }])
      })

      it('fault 10, 11: ignores messages for others, and acknowledges them', async () => {
        await start()
        const question = world.say('how many users?', { mentions: ['bot'] })
        await world.waitFor(() => isTaken(question))
        const before = accepted.length
        const ignored = [
          world.say('good morning'),
          world.say('what do you think?', { mentions: ['other'], replyTo: question }),
          world.otherBotSays('how many users?'),
        ]
        world.changeOwn(question, 'how many users today?')
        world.deleteOwn(question)
        await show(question.place, await onlyPart({ kind: 'progress', lines: ['Reading'] }), 'own')
        const last = world.say('done?', { mentions: ['bot'] })
        await world.waitFor(() => isTaken(last) && ignored.every(isTaken))
        expect(accepted.slice(before).every(message => message.messageId === last.messageId)).toBe(true)
      })

      it('acknowledges nothing before it is accepted', async () => {
        const releases: (() => void)[] = []
        await world.surface.start(event => {
          called(accepted, messageOf(event))
          return new Promise<void>(resolve => releases.push(resolve))
        }, signal)
        const said = world.say('how many users?', { mentions: ['bot'] })
        await untilCalled(accepted, () => world.taken(said).events)
        expect(world.taken(said).acknowledged).toBe(0)
        for (const release of releases) release()
        await world.waitFor(() => isTaken(said))
      })

      it('fault 1: leaves unaccepted messages to be sent again', async () => {
        let isDown = true
        const refused: ChatMessage[] = []
        await world.surface.start(async event => {
          const message = messageOf(event)
          if (isDown) {
            called(refused, message)
            throw new Error('the store is away')
          }
          accepted.push(message)
        }, signal)
        const said = world.say('how many users?', { mentions: ['bot'] })
        await untilCalled(refused, () => world.taken(said).events)
        expect(world.taken(said).acknowledged).toBe(0)
        isDown = false
        world.redeliver()
        await world.waitFor(() => isTaken(said))
        expect(acceptedOf(said).length).toBeGreaterThan(0)
        expect(world.surface.connected()).toBe(true)
      })
    })

    describe('outgoing', () => {
      it('posts progress into the thread, and turns it into the answer', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        const posted = await show(place, await onlyPart({ kind: 'progress', lines: ['Reading the schema'] }), 'run-1')
        expect(world.seen(place)).toMatchObject([{ id: posted.id, text: expect.stringContaining('Reading the schema') }])

        const answer = await onlyPart({ kind: 'answer', markdown: '## Users\n\nThere are **42** users. [Q1]' })
        await world.outbox.edit(place, posted, answer, signal)
        await world.outbox.edit(place, posted, answer, signal)
        expect(world.seen(place)).toHaveLength(1)
        expect(world.seen(place)[0]).toMatchObject({ id: posted.id, isRich: true })
        expect(world.seen(place)[0]?.text).toMatch(/Users\s+There are 42 users\. \[Q1\]/)
      })

      it('shows the plan, the first rows and the growing answer, each within one message', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        const lines = ['Writing the answer …', 'Q1 count them (1 row in 3 ms)']
        const posted = await show(place, await onlyPart({ kind: 'progress', lines }), 'run-1')
        const shows = async (progress: Partial<Progress>) => {
          await world.outbox.edit(place, posted, await onlyPart({ kind: 'progress', lines, ...progress }), signal)
          expect(world.seen(place)).toHaveLength(1)
          return world.seen(place)[0]?.text
        }
        const table = '| city | users |\n| --- | --- |\n| <@U1> Oslo | 42 |'
        expect(await shows({ table })).toMatch(/^Writing.*count them.*city.*users.*Oslo.*42/s)
        expect(await shows({ table, answer: 'There are **42** users [Q1].' })).toMatch(
          /^There are 42 users \[Q1\]\.\s+Writing the answer …$/,
        )
        const long = await shows({ answer: 'There are **many** users [Q1]. '.repeat(2_000) })
        expect(long).toMatch(/^There are many users \[Q1\]\./)
        expect(world.seen(place)[0]?.pings).toEqual([])
      })

      it('shows an error as an error', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        await show(place, await onlyPart({ kind: 'error', code: 'fault', sentence: 'The warehouse is away.' }), 'run-1')
        expect(world.seen(place)[0]?.text).toMatch(/^\S.*The warehouse is away\.$/s)
        expect(world.seen(place)[0]?.text).not.toBe('The warehouse is away.')
      })

      it('finds a post by its marker after any edit, and nothing else', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        expect(await world.outbox.find(place, 'run-1', signal)).toEqual([])
        const posted = await show(place, await onlyPart({ kind: 'progress', lines: ['Reading'] }), 'run-1')
        await show(place, await onlyPart({ kind: 'progress', lines: ['Reading'] }), 'run-2')
        await world.outbox.edit(place, posted, await onlyPart({ kind: 'answer', markdown: '42' }), signal)
        expect(await world.outbox.find(place, 'run-1', signal)).toEqual([posted])
        expect(await world.outbox.find(place, 'run-3', signal)).toEqual([])
      })

      it('fault 5: finds a post whose response was lost', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        world.faults.loseNextPostAnswer()
        await expect(show(place, await onlyPart({ kind: 'answer', markdown: '42' }), 'run-1')).rejects.toMatchObject({
          kind: 'unavailable',
          retryable: true,
        })
        const found = await world.outbox.find(place, 'run-1', signal)
        expect(world.seen(place)).toMatchObject([{ id: found[0]?.id, text: '42' }])
      })

      it('removes a post, once or twice', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        const posted = await show(place, await onlyPart({ kind: 'answer', markdown: '42' }), 'run-1')
        await world.outbox.remove(place, posted, signal)
        await world.outbox.remove(place, posted, signal)
        expect(world.seen(place)).toEqual([])
      })

      it('shows a long answer completely, in parts that the platform accepts', async () => {
        const { place } = world.say('tell me everything', { mentions: ['bot'] })
        const words = Array.from({ length: 4_000 }, (_, index) => `word${index}`)
        const parts = await world.outbox.render({ kind: 'answer', markdown: `${words.join(' ')}\n\n\`\`\`sql\nSELECT 1\n\`\`\`` })
        expect(parts.length).toBeGreaterThan(1)
        for (const [index, part] of parts.entries()) await show(place, part, `run-1-${index}`)
        const shown = world
          .seen(place)
          .map(message => message.text)
          .join(' ')
        expect(shown.match(/word\d+/g)).toEqual(words)
        expect(shown).toContain('SELECT 1')
      })

      it('shows a refused rich message as plain text, when posting or editing', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        const answer = await onlyPart({ kind: 'answer', markdown: '# Users\n\n**42** of them' })
        world.faults.refuseRichOnce('post')
        const posted = await show(place, answer, 'run-1')
        expect(world.seen(place)).toMatchObject([
          { id: posted.id, isRich: false, text: expect.stringMatching(/Users\s+42 of them/) },
        ])
        await world.outbox.edit(place, posted, answer, signal)
        expect(world.seen(place)).toMatchObject([{ isRich: true }])
        world.faults.refuseRichOnce('edit')
        await world.outbox.edit(place, posted, answer, signal)
        expect(world.seen(place)).toMatchObject([{ isRich: false, text: expect.stringMatching(/Users\s+42 of them/) }])
      })

      for (const form of ['rich', 'plain'] as const) {
        it(`fault 49, 50: pings nobody and links nowhere in ${form} form, and still shows the text`, async () => {
          const { place } = world.say('how many users?', { mentions: ['bot'] })
          if (form === 'plain') world.faults.refuseRichOnce('post')
          await show(place, await onlyPart({ kind: 'answer', markdown: HOSTILE_ANSWER }), 'run-1')
          const [message] = world.seen(place)
          expect(message).toMatchObject({ pings: [], links: [], isRich: form === 'rich' })
          for (const word of ['channel', 'everyone', 'the report', 'evil.example', 'secret', 'chart', '[Q1]'])
            expect(message?.text).toContain(word)
          expect(message?.text.replace(/[[\]]/g, '')).toContain('evil.com/?q=1, bob@evil.com, evil.net:81')
        })
      }

      it('notifies only the asker', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        await show(place, await onlyPart({ kind: 'notification', author: world.asker.id }), 'run-1')
        await show(place, await onlyPart({ kind: 'notification', author: 'channel> <!here' }), 'run-2')
        expect(world.seen(place)).toMatchObject([{ pings: [world.asker.id] }, { pings: [] }])
      })

      it('fault 4: says how long to wait at a rate limit', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        world.faults.rateLimitNextPost(7)
        await expect(show(place, await onlyPart({ kind: 'answer', markdown: '42' }), 'run-1')).rejects.toMatchObject({
          kind: 'rate_limited',
          retryAfterMs: 7_000,
        })
        expect(world.seen(place)).toEqual([])
      })

      it('fault 7, 8, 9: distinguishes an outage, a revoked token, a missing message and a missing membership', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        const part = await onlyPart({ kind: 'answer', markdown: '42' })
        world.faults.breakNextPost()
        await expect(show(place, part, 'run-1')).rejects.toMatchObject({ kind: 'unavailable', retryable: true })

        const posted = await show(place, part, 'run-1')
        world.faults.removeMessage(place, posted.id)
        await expect(world.outbox.edit(place, posted, part, signal)).rejects.toMatchObject({ kind: 'removed', retryable: false })

        world.faults.removeBot(place)
        await expect(show(place, part, 'run-2')).rejects.toMatchObject({ kind: 'forbidden', retryable: false })

        world.faults.revokeToken()
        await expect(show(place, part, 'run-3')).rejects.toMatchObject({ kind: 'authentication', retryable: false })
      })

      it('stops a call on abort', async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        const cancelled = AbortSignal.abort()
        const part = await onlyPart({ kind: 'answer', markdown: '42' })
        await expect(world.outbox.post(place, part, 'run-1', cancelled)).rejects.toMatchObject({ kind: 'cancelled' })
        expect(world.seen(place)).toEqual([])
      })

      it("knows the asker's time zone and language if the platform does, and none for a stranger", async () => {
        const { place } = world.say('how many users?', { mentions: ['bot'] })
        const { id, ...known } = world.asker
        expect(await world.outbox.personOf(place, id, signal)).toEqual(known)
        expect(await world.outbox.personOf(place, 'U0NOBODY', signal)).toEqual({})
      })
    })
  })
}

function messageOf(event: ChatInbound): ChatMessage {
  if (event.kind !== 'message') throw new Error(`not a message but a ${event.kind}`)
  return event.message
}
