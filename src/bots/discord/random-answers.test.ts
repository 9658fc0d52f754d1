import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type DiscordReader, startDiscordReader } from '../../../test/support/discord-reader.ts'
import { lostCharacters, RANDOM_ANSWER_HOST, randomAnswer } from '../../../test/support/random-answers.ts'
import { renderDiscordReply } from '../../../test/support/render-at-once.ts'
import { runsOf } from '../../../test/support/whole.ts'
import { type DiscordPayload, markerAddress, plainPayload, richPayload } from './post/payload.ts'
import type { DiscordPart } from './render/part.ts'

const png = Buffer.from('89504e470d0a1a0a', 'hex')

let reader: DiscordReader

beforeAll(async () => {
  reader = await startDiscordReader()
})
afterAll(() => reader.close())

function shown(payload: DiscordPayload) {
  const { text, pings, links, unfolded } = reader.read(payload)
  return { text, harm: [...pings, ...unfolded, ...links.filter(link => !link.startsWith(`https://${RANDOM_ANSWER_HOST}/`))] }
}

describe('a thousand answers', () => {
  it('are accepted by Discord and show all their text, as embeds and as plain text', () => {
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
      { numRuns: runsOf(1_000) },
    )
  })
})
