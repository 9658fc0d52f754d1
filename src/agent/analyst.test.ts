import { describe, expect, it } from '@jest/globals'
import { schemaOf, tableOf } from '../../test/support/schema-fixture.ts'
import { createLogger } from '../base/logger.ts'
import { NO_DOMAIN } from '../domain/pack.ts'
import { ConversationStore } from '../history/conversation-store.ts'
import { ModelError } from '../llm/error.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { Prompts } from '../llm/prompts.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { Analyst } from './analyst.ts'

const HISTORY_TURNS = 2
const { signal } = new AbortController()
const logger = createLogger({ level: 'silent' })

/** A model that answers "Fine." to everything, but fails when it should summarise. */
const model = {
  async *stream({ step }) {
    if (step === 'summarize') throw new ModelError('The model is away.', { kind: 'unavailable' })
    const text = JSON.stringify({
      intent: 'conversational',
      standalone_question: 'Fine?',
      catalog_request: null,
      table: null,
      reply: 'Fine.',
    })
    yield {
      kind: 'completed' as const,
      completion: { text, model: 'm', usage: { inputTokens: 1, outputTokens: 1, estimated: true } },
    }
  },
} satisfies LanguageModel

async function openAnalyst() {
  const store = createMemoryStateStore({ now: Date.now })
  const conversations = new ConversationStore({ store, newId: () => 'new', logger })
  const unused = () => Promise.reject(new Error('not used here'))
  const schema = async () => schemaOf(tableOf('orders'))
  const analyst = new Analyst({
    model,
    store,
    conversations,
    logger,
    warehouse: { read: unused },
    guard: { check: unused },
    validatorOn: () => ({ check: unused, explain: () => ({ message: '', suggestions: [] }) }),
    schemaSource: { load: schema, refresh: schema },
    prompts: await Prompts.load(new URL('../../prompts', import.meta.url).pathname),
    dialect: 'clickhouse',
    domain: NO_DOMAIN,
    historyTurns: HISTORY_TURNS,
    timeZone: 'UTC',
    databases: ['shop'],
    maxRows: 10,
    budget: { maxRows: 0, maxBytes: 0 },
    runTimeoutMs: 10_000,
    speculation: true,
    linkHosts: [],
    now: Date.now,
  })
  return { analyst, conversations }
}

describe('Analyst', () => {
  it('keeps answering while summaries fail, with a bounded memory', async () => {
    const { analyst, conversations } = await openAnalyst()
    for (let turn = 0; turn < 7; turn++) {
      const { result, afterwards } = await analyst.ask({ runId: `run_${turn}`, thread: 't', text: 'Hm?', askedAt: turn }, signal)
      expect(result.answer).toBe('Fine.')
      await afterwards(signal)
    }
    const kept = (await conversations.load('t', signal)).turns.map(turn => turn.run_id)
    expect(kept).toEqual(['run_3', 'run_4', 'run_5', 'run_6'])
  })
})
