import { expect, it } from '@jest/globals'
import { runResult } from '../../test/support/run-result.ts'
import { createLogger } from '../base/logger.ts'
import { ConversationStore } from '../history/conversation-store.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import type { Language } from '../words/language.ts'
import { Analyst, type AnalystDeps, type Question } from './analyst.ts'
import { ThreadAnalyst } from './thread-analyst.ts'

const signal = new AbortController().signal
const thread = 'slack/T/C/1'

it.each([
  ['a job alone', { thread, language: 'en' }, '', 'de'],
  ['a job outside of the thread', { language: 'en' }, '', 'en'],
  ['a job of an asker whose platform is German', { language: 'de' }, '', 'de'],
  ['a question in another language', { thread, language: 'de' }, 'why is a row missing?', 'en'],
  ['a German question', { language: 'en' }, 'warum fehlt eine Zeile?', 'de'],
] as const)(
  '/lineage with %s is answered in the language of the question, else of the thread, else of the platform',
  async (_, given, asked, language) => {
    const store = createMemoryStateStore({ now: Date.now })
    const conversations = new ConversationStore({ store, newId: () => 'id', logger: createLogger({ level: 'silent' }) })
    const analyst = new Analyst({ conversations, validatorOn: () => ({}) } as unknown as AnalystDeps)
    const question: Question = { runId: 'run_1', text: `lineage die_orders ${asked}`, askedAt: 0, ...given }
    await analyst.remember({ ...question, thread }, runResult({ run_id: 'run_0', language: 'de' }), signal)
    const asking: (Language | undefined)[] = []
    const request = { job: 'die_orders', question: asked, isDeep: false, conversation: '', askedAt: '', access: null }
    const lineage = {
      understand: async () => request,
      underWay: async () => undefined,
      ask: async (investigated: Question) => {
        asking.push(investigated.language)
        return { result: runResult({}), waiting: [], afterwards: async () => {} }
      },
    }
    await new ThreadAnalyst({ analyst, lineage }).ask(question, signal)
    expect(asking).toEqual([language])
  },
)
