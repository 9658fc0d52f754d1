import { OpenQuestions } from '../../src/agent/ask-back/open-questions.ts'
import { Resources } from '../../src/base/lifecycle.ts'
import { createLogger } from '../../src/base/logger.ts'
import { answerChatMessage } from '../../src/bots/actions/answer-chat-message.ts'
import type { Answer } from '../../src/chat/reply.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { NO_DOMAIN } from '../../src/domain/pack.ts'
import { RecordedLanguageModel, readRecordings } from '../../src/llm/recorded-language-model.ts'
import { readConfig } from '../../src/main/config.ts'
import { DemoJobs } from '../../src/main/demo/jobs.ts'
import { wireThreadAnalyst } from '../../src/main/pipelines.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { startTestEngine } from '../support/engine.ts'
import { openRecordedAnalysts } from '../support/recorded-analyst.ts'
import { SAMPLE_QUESTIONS, SAMPLE_TABLES, type SampleQuestion } from './sample-questions.ts'

/** A question and Clew's answer, for a picture in the documents. */
export interface Sample extends Pick<SampleQuestion, 'name' | 'question'> {
  readonly reply: Answer
}

const ASKED_AT = Date.parse('2026-11-20T09:41:00Z')

/**
 * Asks Clew the sample questions. Only the model's words are given: the queries run, the check checks, and a chat's own code makes the
 * reply. So a picture shows nothing that Clew does not say.
 * @throws if the check of an answer marks a sentence
 */
export async function answerSamples(signal: AbortSignal): Promise<readonly Sample[]> {
  const logger = createLogger({ level: 'silent' })
  const now = () => ASKED_AT
  const engine = await startTestEngine()
  const { warehouse } = engine
  const resources = new Resources()
  try {
    for (const sql of SAMPLE_TABLES) await warehouse.write({ sql }, signal)
    const context = { config: readConfig({}), logger, resources }
    await (await DemoJobs.open(context, warehouse, signal)).run(['paid_orders'], signal)
    const said = [...(await readRecordings('demo/recordings.jsonl')), ...SAMPLE_QUESTIONS.flatMap(sample => sample.said)]
    const model = new RecordedLanguageModel(said)
    const analysts = await openRecordedAnalysts(warehouse, 'network')
    const { analyst } = analysts.open({ model, domain: NO_DOMAIN, speculation: false })
    const store = createMemoryStateStore({ now })
    const parts = { analyst, warehouse, guard: new EngineSqlGuard({ warehouse }), model, store }
    const deps = {
      analyst: await wireThreadAnalyst(context, parts, signal),
      questions: new OpenQuestions({ store, now }),
      records: { save: async () => {} },
      access: { mayPublish: async () => false },
      showClosed: async () => {},
      keepFor: () => ({ keep: async () => 0, revised: async () => undefined }),
      now,
    }
    const samples: Sample[] = []
    for (const { name, question } of SAMPLE_QUESTIONS) {
      const place = { platform: 'slack', workspace: 'T1', channel: 'C1', thread: name, isDirect: false } as const
      const message = { place, messageId: name, order: 1, author: 'U1', text: question, addressed: true }
      const run = { speak: () => {}, progress: () => {}, timeZone: async () => 'UTC', afterReply: () => {} }
      const reply = await answerChatMessage(deps, { runId: `run_${name}`, acceptedAt: ASKED_AT, message }, run, signal)
      if (reply.kind !== 'answer') throw new Error(`${name} has no answer: ${JSON.stringify(reply)}`)
      const marked = reply.result?.citations?.unsupported ?? []
      if (marked.length > 0) throw new Error(`${name} says what does not follow from its rows: ${marked.join('\n')}`)
      samples.push({ name, question, reply })
    }
    await analysts.close()
    return samples
  } finally {
    await resources.close(logger)
    await engine.close()
  }
}
