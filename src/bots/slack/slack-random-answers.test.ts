import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseBlocks } from '../../../test/emulators/slack/block-validation.ts'
import { unescapeText } from '../../../test/emulators/slack/message-payload.ts'
import { links, pings, plainText } from '../../../test/emulators/slack/rendered-message.ts'
import { lostCharacters, RANDOM_ANSWER_HOST, randomAnswer } from '../../../test/support/random-answers.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { slackPartSchema } from './slack-part.ts'
import { renderSlackReply } from './slack-render.ts'

describe('a thousand answers', () => {
  it('are taken by Slack, and show all of their text, in their blocks as well as without them', () => {
    fc.assert(
      fc.property(randomAnswer, ({ answer, text }) => {
        const parts = renderSlackReply(answer, { allowedLinkHosts: [RANDOM_ANSWER_HOST], drawsCharts: true }).map(part =>
          slackPartSchema.parse(part),
        )
        for (const part of parts) {
          parseBlocks(part.blocks, () => 'id')
          const foreign = links(part).filter(link => !link.startsWith(`https://${RANDOM_ANSWER_HOST}/`))
          if (foreign.length > 0 || pings(part).length > 0) throw new Error(`links ${foreign}, pings ${pings(part)}`)
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
      { numRuns: 1_000 },
    )
  }, 60_000)
})
