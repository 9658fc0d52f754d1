import { describe, expect, it, jest } from '@jest/globals'
import { createLogger } from '../base/logger.ts'
import { createDiscordOutbox } from '../bots/discord/outbox.ts'
import { createSlackOutbox } from '../bots/slack/outbox.ts'
import { warmUp } from './warm-up.ts'

const logger = createLogger({ level: 'silent' })
const { signal } = new AbortController()

describe('the questions that a process answers before it accepts any', () => {
  it('go through every step: plan, two queries, all claims checked and supported, and display', async () => {
    const outboxes = [
      createSlackOutbox({ botToken: 'xoxb-none', logger }),
      createDiscordOutbox({ token: 'none', applicationId: '1', logger }),
    ]
    const rendered = outboxes.map(outbox => jest.spyOn(outbox, 'render'))

    const results = await warmUp({ logger, outboxes, signal })

    const all = {
      intent: 'data_analysis',
      queries: [
        { error: null, row_count: 3 },
        { error: null, row_count: 3 },
      ],
    }
    expect(results).toMatchObject([all, all])
    expect(results.map(({ citations }) => citations)).toEqual([
      { checked: 7, unsupported: [] },
      { checked: 7, unsupported: [] },
    ])
    for (const { mock } of rendered) {
      const shown = mock.results.map(({ value }) => JSON.stringify(value)).join()
      expect(shown).toContain('The best day was 3 March 2026')
    }
    // V8 compiles a regular expression twice: for strings with one byte per character, and for strings with two. So the two answers must be of both
    // kinds.
    expect(results.map(({ answer }) => /[^\0-\xff]/.test(answer))).toEqual([false, true])
  })

  it('stop at a failure, which is logged, and the process continues', async () => {
    const warn = jest.spyOn(logger, 'warn')
    const render = () => {
      throw new Error('cannot be shown')
    }

    await expect(warmUp({ logger, outboxes: [{ render }], signal })).resolves.toHaveLength(1)

    expect(warn).toHaveBeenCalledWith({ error: 'cannot be shown' }, 'not warmed up')
  })

  it('are not asked of a process that is stopped, without a log line', async () => {
    const warn = jest.spyOn(logger, 'warn')
    warn.mockClear()

    await expect(warmUp({ logger, outboxes: [], signal: AbortSignal.abort() })).resolves.toEqual([])

    expect(warn).not.toHaveBeenCalled()
  })
})
