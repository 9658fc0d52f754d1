import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseBlocks } from '../../../test/emulators/slack/block-validation.ts'
import { unescapeText } from '../../../test/emulators/slack/message-payload.ts'
import { links, pings, plainText } from '../../../test/emulators/slack/rendered-message.ts'
import { lostCharacters, RANDOM_ANSWER_HOST, randomAnswer } from '../../../test/support/random-answers.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { renderSlackReply, slackPartSchema } from './slack-render.ts'

describe('a thousand answers', () => {
  it('are taken by Slack, and show all of their text, in their blocks as well as without them', () => {
    fc.assert(
      fc.property(randomAnswer, ({ answer, text }) => {
        const whole = { ...answer, markdown: `${answer.markdown}\n\n${answer.footer ?? ''}` }
        const parts = renderSlackReply(whole, { allowedLinkHosts: [RANDOM_ANSWER_HOST] }).map(part => slackPartSchema.parse(part))
        for (const part of parts) {
          parseBlocks(part.blocks, () => 'id')
          expect(part.text.length).toBeLessThanOrEqual(SLACK_LIMITS.text)
          expect(pings(part)).toEqual([])
          expect(links(part).filter(link => !link.startsWith(`https://${RANDOM_ANSWER_HOST}/`))).toEqual([])
        }
        const inBlocks = parts.map(({ blocks }) => plainText({ text: '', blocks })).join('\n')
        const inText = parts.map(part => unescapeText(part.text)).join('\n')
        expect({ inBlocks: lostCharacters(text, inBlocks), inText: lostCharacters(text, inText) }).toEqual({
          inBlocks: [],
          inText: [],
        })
      }),
      { numRuns: 1_000 },
    )
  }, 60_000)
})
