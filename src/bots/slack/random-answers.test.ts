import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { pino } from 'pino'
import { parseBlocks } from '../../../test/emulators/slack/block-validation.ts'
import { unescapeText } from '../../../test/emulators/slack/message-payload.ts'
import { links, pings, plainText, type Renderable } from '../../../test/emulators/slack/rendered-message.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import { lostCharacters, RANDOM_ANSWER_HOST, randomAnswer } from '../../../test/support/random-answers.ts'
import { renderSlackReply } from '../../../test/support/render-at-once.ts'
import { runsOf } from '../../../test/support/whole.ts'
import type { ChatPlace } from '../../chat/event.ts'
import type { Answer } from '../../chat/reply.ts'
import { SLACK_LIMITS } from './limits.ts'
import { createSlackOutbox } from './outbox.ts'

const allowedLinkHosts = [RANDOM_ANSWER_HOST]

function checkHarmless(message: Renderable): void {
  const foreign = links(message).filter(link => !link.startsWith(`https://${RANDOM_ANSWER_HOST}/`))
  if (foreign.length > 0 || pings(message).length > 0) throw new Error(`links ${foreign}, pings ${pings(message)}`)
}

describe('a thousand answers', () => {
  it('are accepted by Slack and show all their text, with blocks and without', () => {
    fc.assert(
      fc.property(randomAnswer, ({ answer, text }) => {
        const parts = renderSlackReply(answer, { allowedLinkHosts, drawsCharts: true })
        for (const part of parts) {
          parseBlocks(part.blocks, () => 'id')
          checkHarmless(part)
          if (part.text.length > SLACK_LIMITS.text) throw new Error(`${part.text.length} characters`)
        }
        const files = parts.flatMap(({ file }) => (file !== undefined && 'text' in file ? [file.text] : []))
        const inBlocks = [...parts.map(({ blocks }) => plainText({ text: '', blocks })), ...files].join('\n')
        const inText = [...parts.map(part => unescapeText(part.text)), ...files].join('\n')
        expect({ inBlocks: lostCharacters(text, inBlocks), inText: lostCharacters(text, inText) }).toEqual({
          inBlocks: [],
          inText: [],
        })
      }),
      { numRuns: runsOf(1_000) },
    )
  }, 120_000)
})

describe('posted answers', () => {
  let slack: SlackEmulator
  beforeAll(async () => {
    slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  })
  afterAll(() => slack.close())

  /** Posts an answer. @returns all of its text that people can read */
  async function shown(answer: Answer): Promise<string> {
    const { botToken, apiUrl } = slack
    const drawChart = () => new Uint8Array([0x89, 0x50, 0x4e, 0x47])
    const outbox = createSlackOutbox({ apiUrl, botToken, allowedLinkHosts, drawChart, logger: pino({ level: 'silent' }) })
    const asked = slack.user('alice').post('general', 'how many?')
    const place: ChatPlace = {
      platform: 'slack',
      workspace: slack.teamId,
      channel: asked.channel,
      thread: asked.ts,
      isDirect: false,
    }
    for (const [index, part] of (await outbox.render(answer)).entries())
      await outbox.post(place, part, `run_1-${index + 1}`, new AbortController().signal)
    const messages = slack.transcript('general').filter(message => message.threadTs === asked.ts)
    for (const message of messages) checkHarmless(message)
    return messages.flatMap(({ plain, files }) => [plain, ...files.map(file => file.content.toString())]).join('\n')
  }

  it.each<[string, () => void]>([
    ['unchanged', () => {}],
    ['if Slack does not know its latest blocks', () => slack.faults.refuseBlocks(['data_table', 'data_visualization'])],
    ['if Slack refuses all blocks', () => slack.faults.refuseBlocks('all')],
  ])(
    'show all of their text %s',
    async (_, refuse) => {
      await fc.assert(
        fc.asyncProperty(randomAnswer, async ({ answer, text }) => {
          refuse()
          expect(lostCharacters(text, await shown(answer))).toEqual([])
        }),
        { numRuns: 25 },
      )
    },
    120_000,
  )
})
