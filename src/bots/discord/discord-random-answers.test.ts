import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type DiscordEmulator, startDiscordEmulator } from '../../../test/emulators/discord/discord-emulator.ts'
import { readMessageForm } from '../../../test/emulators/discord/message-form.ts'
import { Transcript } from '../../../test/emulators/discord/transcript.ts'
import { lostCharacters, RANDOM_ANSWER_HOST, randomAnswer } from '../../../test/support/random-answers.ts'
import type { DiscordPart } from './discord-part.ts'
import { type DiscordPayload, isMarkerAddress, markerAddress, plainPayload, richPayload } from './discord-payload.ts'
import { renderDiscordReply } from './discord-render.ts'

const UPLOADS = 'https://cdn.discordapp.com/'
const png = Buffer.from('89504e470d0a1a0a', 'hex')

let discord: DiscordEmulator
let transcript: Transcript

beforeAll(async () => {
  discord = await startDiscordEmulator()
  transcript = new Transcript({ world: discord.world, ownUploads: UPLOADS })
})
afterAll(() => discord.close())

/** What Discord shows of a request, files included. @throws ApiRefusal for what it refuses */
function shown({ body, files }: DiscordPayload) {
  const uploaded = files.map(({ name, data, contentType }, index) => ({
    index: String(index),
    filename: name,
    contentType,
    content: Buffer.from(data as Uint8Array),
  }))
  const form = readMessageForm({ ...body }, uploaded, {
    world: discord.world,
    channel: discord.channel('general'),
    authorId: discord.botUserId,
    attachmentUrl: (id, filename) => `${UPLOADS}${id}/${filename}`,
    defaultMentions: { parse: ['users', 'roles', 'everyone'], users: [], roles: [], repliedUser: true },
    settableFlags: body.flags,
  })
  const { plain, pings, links, unfolded } = transcript.render(form.body)
  const texts = uploaded.filter(file => file.contentType === 'text/markdown').map(file => file.content.toString())
  return {
    text: [plain, ...texts].join('\n'),
    harm: [
      ...pings,
      ...unfolded,
      ...links.filter(link => !isMarkerAddress(link) && !link.startsWith(`https://${RANDOM_ANSWER_HOST}/`)),
    ],
  }
}

describe('a thousand answers', () => {
  it('are taken by Discord, and show all of their text, as embeds as well as plain', () => {
    const drawn = (part: DiscordPart) => (part.chart === undefined ? undefined : png)
    fc.assert(
      fc.property(randomAnswer, ({ answer, text }) => {
        const parts = renderDiscordReply(answer, { allowedLinkHosts: [RANDOM_ANSWER_HOST] })
        const rich = parts.map((part, index) => shown(richPayload(part, markerAddress(`run_1-${index}`), drawn(part))))
        const plain = parts.map(part => shown(plainPayload(part, drawn(part))))
        const lostOf = (messages: typeof rich) => lostCharacters(text, messages.map(message => message.text).join('\n'))
        expect({ rich: lostOf(rich), plain: lostOf(plain), harm: [...rich, ...plain].flatMap(message => message.harm) }).toEqual({
          rich: [],
          plain: [],
          harm: [],
        })
      }),
      { numRuns: 1_000 },
    )
  }, 60_000)
})
