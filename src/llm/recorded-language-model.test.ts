import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { collect, describeLanguageModel } from './language-model.contract.ts'
import type { LanguageModel } from './language-model.ts'
import { RecordedLanguageModel, type Recording, readRecordings } from './recorded-language-model.ts'
import { RecordingLanguageModel } from './recording-language-model.ts'
import type { ModelStep } from './step.ts'

function recorded(answers: Readonly<Record<string, string>>): RecordedLanguageModel {
  return new RecordedLanguageModel(Object.entries(answers).map(([step, answer]) => ({ step, subject: '', answer })))
}

describeLanguageModel(
  'RecordedLanguageModel',
  async answers => ({ model: recorded(answers), close: async () => {} }),
  // A replay asks no model, so no tokens are counted.
  { countsTokens: false },
)
describeLanguageModel(
  'RecordingLanguageModel',
  async answers => ({ model: new RecordingLanguageModel(recorded(answers), async () => {}), close: async () => {} }),
  { countsTokens: false },
)

async function ask(model: RecordedLanguageModel | RecordingLanguageModel, step: ModelStep, subject: string): Promise<string> {
  const events = await collect(model.stream({ step, subject, messages: [] }, new AbortController().signal))
  const last = events.at(-1)
  return last?.kind === 'completed' ? last.completion.text : ''
}

describe('RecordedLanguageModel', () => {
  const model = new RecordedLanguageModel(
    [
      { step: 'classify', subject: 'How many links?', answer: 'first' },
      { step: 'classify', subject: 'How many links?\nAnd last week?', answer: 'follow-up' },
      { step: 'decompose', subject: 'How many links?', answer: 'plan' },
    ],
    ['How many links?'],
  )

  it('finds an answer by step and subject, ignoring case, spaces and the final stop', async () => {
    expect(await ask(model, 'classify', 'how  many LINKS')).toBe('first')
    expect(await ask(model, 'decompose', ' How many links?! ')).toBe('plan')
  })

  it('finds a first question even if it comes later in a thread', async () => {
    expect(await ask(model, 'classify', 'Anything else\nHow many links?')).toBe('first')
  })

  it('finds a follow-up only after the question before it', async () => {
    expect(await ask(model, 'classify', 'How many links?\nAnd last week?')).toBe('follow-up')
    await expect(ask(model, 'classify', 'And last week?')).rejects.toMatchObject({
      kind: 'no_recording',
      message: expect.stringContaining('Ask for example "How many links?".'),
    })
    await expect(ask(model, 'classify', 'Which metro?\nAnd last week?')).rejects.toMatchObject({ kind: 'no_recording' })
  })

  it('knows no answer of another step', async () => {
    await expect(ask(model, 'generate', 'How many links?')).rejects.toMatchObject({ kind: 'no_recording', retryable: false })
  })
})

describe('RecordingLanguageModel', () => {
  it('returns the answers for later replay', async () => {
    const recordings: Recording[] = []
    const original = new RecordedLanguageModel([{ step: 'respond', subject: 'Hi', answer: 'Hello  there.\n' }])
    const recording = new RecordingLanguageModel(original, async each => void recordings.push(each))
    await ask(recording, 'respond', 'Hi')
    expect(recordings).toEqual([{ step: 'respond', subject: 'Hi', answer: 'Hello  there.\n' }])
    expect(await ask(new RecordedLanguageModel(recordings), 'respond', 'hi')).toBe('Hello  there.\n')
  })

  it('gives a request that is asked twice its first answer, as the replay will', async () => {
    const recordings: Recording[] = []
    const answers = ['first', 'second'].map(answer => new RecordedLanguageModel([{ step: 'respond', subject: 'Hi', answer }]))
    const original: LanguageModel = { stream: (request, signal) => (answers.shift() ?? recorded({})).stream(request, signal) }
    const recording = new RecordingLanguageModel(original, async each => void recordings.push(each))
    expect([await ask(recording, 'respond', 'Hi'), await ask(recording, 'respond', 'Hi')]).toEqual(['first', 'first'])
    expect(recordings).toHaveLength(1)
  })

  it('does not record a failed call', async () => {
    const recordings: Recording[] = []
    const recording = new RecordingLanguageModel(recorded({}), async each => void recordings.push(each))
    await expect(ask(recording, 'respond', 'Hi')).rejects.toMatchObject({ kind: 'no_recording' })
    expect(recordings).toEqual([])
  })
})

describe('readRecordings', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-recordings-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('reads one per line, skips empty lines, and names an invalid one', async () => {
    const path = join(folder, 'recordings.jsonl')
    const line = '{"step":"respond","subject":"a","answer":"b"}'
    await writeFile(path, `${line}\n\n${line}\n`)
    expect(await readRecordings(path)).toHaveLength(2)
    await writeFile(path, `${line}\n{"step":"respond"}\n`)
    await expect(readRecordings(path)).rejects.toThrow(`${path}, line 2: must be`)
    await writeFile(path, 'nonsense')
    await expect(readRecordings(path)).rejects.toMatchObject({ name: 'ConfigurationError' })
  })
})
