import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { RecordedLanguageModel, readRecordings } from '../../src/llm/recorded-language-model.ts'

const DEMO = new URL('../../demo/', import.meta.url)
const sampleSchema = z.object({ thread: z.string(), question: z.string() })
const classifiedSchema = z.object({ standalone_question: z.string().nullable() })

describe("the demo's recordings", () => {
  it.each(['questions.jsonl', 'sources.jsonl'])('contain the interpretation of each question of %s in its thread', async file => {
    const model = new RecordedLanguageModel(await readRecordings(new URL('recordings.jsonl', DEMO).pathname))
    const lines = (await readFile(new URL(file, DEMO), 'utf8')).split('\n').filter(line => line !== '')
    const before = new Map<string, string>()
    for (const { thread, question } of lines.map(line => sampleSchema.parse(JSON.parse(line)))) {
      const earlier = before.get(thread)
      const subject = earlier === undefined ? question : `${earlier}\n${question}`
      // A null value means that the message needs no rewriting, because it makes sense without the conversation.
      const { standalone_question: rewritten } = classifiedSchema.parse(JSON.parse(await said(model, subject)))
      before.set(thread, rewritten ?? question)
    }
    expect(before.size).toBeGreaterThan(1)
  })

  it('count no measurements back from now, since the data end some minutes before', async () => {
    const recordings = await readRecordings(new URL('recordings.jsonl', DEMO).pathname)
    const counted = recordings.filter(({ answer }) => /measured_at\W{1,8}now\(\)/.test(answer))
    expect(counted.map(({ subject }) => subject)).toEqual([])
  })
})

async function said(model: RecordedLanguageModel, subject: string): Promise<string> {
  for await (const event of model.stream({ step: 'classify', subject, messages: [] }, new AbortController().signal)) {
    if (event.kind === 'completed') return event.completion.text
  }
  throw new Error('the recording has no end')
}
