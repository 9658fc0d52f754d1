import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { CommandOptions } from '../bots/shared/command-text.ts'
import { type ChatInbound, chatMessageSchema, chatPressSchema } from './event.ts'
import type { ChatPlatformWorld, SaidMessage, SeenMessage } from './platform.contract.ts'

/** A platform for tests. Its people also press buttons, use commands and delete messages. */
export interface ChatInteractionsWorld extends ChatPlatformWorld {
  /** A person who asks no questions. */
  readonly other: { readonly id: string }
  /** The other person presses a button below a message of the bot. */
  press(place: SaidMessage['place'], id: string, label: string): void
  /**
   * Returns the messages of the bot that only the other person sees. They may be in the channel, in its threads or in the direct conversation.
   */
  alone(): readonly SeenMessage[]
  hasForm(): boolean
  sendForm(text: string): void
  command(name: 'ask' | 'lineage', options: CommandOptions): Promise<void>
}

/** Registers the tests for presses, commands and deletions that every platform must pass. */
export function describeChatInteractions(name: string, createWorld: () => Promise<ChatInteractionsWorld>): void {
  describe(`${name} beside messages`, () => {
    let world: ChatInteractionsWorld
    let heard: ChatInbound[]
    let look: () => void
    const signal = new AbortController().signal

    beforeEach(async () => {
      world = await createWorld()
      heard = []
      look = () => {}
      await world.surface.start(async event => {
        heard.push(event)
        look()
      }, signal)
    })
    afterEach(() => world.close())

    const until = (condition: () => boolean) =>
      new Promise<void>(resolve => {
        look = () => condition() && resolve()
        look()
      })
    const presses = () => heard.flatMap(event => (event.kind === 'press' ? [chatPressSchema.parse(event.press)] : []))
    const messages = () => heard.flatMap(event => (event.kind === 'message' ? [chatMessageSchema.parse(event.message)] : []))
    const answered = async (...labels: readonly ('sql' | 'unhelpful' | 'repeat')[]) => {
      const said = world.say('how many users?', { mentions: ['bot'] })
      const actions = labels.map(action => ({ action, runId: 'run_1', label: action }))
      const [part = {}] = await world.outbox.render({ kind: 'answer', markdown: '42', actions })
      return { said, posted: await world.outbox.post(said.place, part, 'run-1', signal) }
    }

    it('passes on who pressed what, and where', async () => {
      const { said, posted } = await answered('sql')
      world.press(said.place, posted.id, 'sql')
      world.press(said.place, posted.id, 'sql')
      await until(() => presses().length === 2)
      for (const press of presses()) {
        const pressed = { action: 'sql', runId: 'run_1' }
        expect(press).toMatchObject({ place: said.place, messageId: posted.id, user: world.other.id, pressed })
        expect(press).not.toHaveProperty('text')
      }
      const [one, again] = presses()
      expect(one?.pressId).not.toBe(again?.pressId)
      expect(one?.order).toBeLessThanOrEqual(again?.order ?? 0)
    })

    it('shows the result of a press only to that person, with files', async () => {
      const { said, posted } = await answered('sql')
      world.press(said.place, posted.id, 'sql')
      await until(() => presses().length === 1)
      const rows = { name: 'rows.csv', mediaType: 'text/csv', content: Buffer.from('a,b\r\n1,2\r\n') }
      const reply = { markdown: 'Here are **both**.', files: [rows, { ...rows, name: 'more.csv' }] }
      for (const press of presses()) await world.outbox.answerPress(press, reply, signal)
      expect(
        world
          .alone()
          .map(({ text }) => text)
          .join('\n'),
      ).toContain('Here are both.')
      expect(world.alone().flatMap(({ files }) => files)).toEqual(['a,b\r\n1,2\r\n', 'a,b\r\n1,2\r\n'])
      expect(world.seen(said.place)).toMatchObject([{ id: posted.id, text: expect.stringContaining('42') }])
    })

    it.each(['unhelpful', 'repeat'] as const)('takes "%s" at once, and again with the words of its form', async action => {
      const { said, posted } = await answered(action)
      world.press(said.place, posted.id, action)
      await until(() => presses().length === 1)
      await world.waitFor(() => world.hasForm())
      world.sendForm(' the wrong week ')
      await until(() => presses().length === 2)
      const [bare, reasoned] = presses()
      expect(bare).not.toHaveProperty('text')
      expect(reasoned).toMatchObject({
        place: bare?.place,
        messageId: posted.id,
        user: world.other.id,
        pressed: { action, runId: 'run_1' },
        text: 'the wrong week',
      })
      expect(reasoned?.order).toBeGreaterThan(bare?.order ?? Infinity)
    })

    it('reports deleted questions, answered or not', async () => {
      const bare = world.say('how many users?', { mentions: ['bot'] })
      const { said } = await answered()
      const whispered = world.whisper('and links?')
      for (const message of [bare, said, whispered]) world.deleteOwn(message)
      const deletions = () => heard.filter(event => event.kind === 'deletion')
      await until(() => deletions().length === 3)
      for (const { messageId, place } of [bare, said, whispered]) {
        const { platform, workspace, channel } = place
        expect(deletions()).toContainEqual(expect.objectContaining({ place: { platform, workspace, channel }, messageId }))
      }
    })

    it("shows a command's question to everybody, and accepts it as that message", async () => {
      await world.command('ask', { question: ' how many *users*? ' })
      await until(() => messages().length === 1)
      const [asked] = messages()
      expect(asked).toMatchObject({ author: world.asker.id, text: 'how many *users*?', addressed: true })
      expect(asked?.place.thread).toBe(asked?.messageId)
      expect(world.everything()).toEqual([asked?.messageId])
      if (asked === undefined) return
      const reply = world.say('and last week?', { replyTo: asked })
      await until(() => messages().length === 2)
      expect(messages()[1]).toMatchObject({ messageId: reply.messageId, place: asked.place, addressed: false })
    })

    it('treats a pipeline command like a mention', async () => {
      await world.command('lineage', { job: 'cve_enrichment' })
      await until(() => messages().length === 1)
      await world.command('lineage', { job: 'cve_enrichment', question: 'why is vendor empty?', deep: true })
      await until(() => messages().length === 2)
      expect(messages().map(({ text }) => text)).toEqual([
        'lineage cve_enrichment',
        'lineage cve_enrichment why is vendor empty? --deep',
      ])
    })
  })
}
