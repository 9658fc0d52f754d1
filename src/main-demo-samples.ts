import { appendFile, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { LanguageModel } from './llm/language-model.ts'
import { RecordedLanguageModel, readRecordings } from './llm/recorded-language-model.ts'
import { RecordingLanguageModel } from './llm/recording-language-model.ts'
import { wireModel } from './main-parts.ts'
import type { WiringContext } from './main-store.ts'

/** Beside `src/` and `dist/` alike. */
const DEMO = fileURLToPath(new URL('../demo/', import.meta.url))
const RECORDINGS = `${DEMO}recordings.jsonl`

const sampleSchema = z.object({ thread: z.string(), question: z.string(), tags: z.array(z.string()) })
/** A question that the demo asks, or offers to be asked. */
export type Sample = z.infer<typeof sampleSchema>

/** The questions about data, then those about pipelines, in their order. */
export async function readSamples(): Promise<readonly Sample[]> {
  const files = await Promise.all(['questions.jsonl', 'lineage.jsonl'].map(name => readFile(`${DEMO}${name}`, 'utf8')))
  const lines = files.flatMap(text => text.split('\n'))
  return lines.filter(line => line !== '').map(line => sampleSchema.parse(JSON.parse(line)))
}

/** One question a line, those that go on with a conversation further in. */
export function listed(samples: readonly Sample[]): string {
  return samples
    .map(({ thread, question }, index) => `${samples[index - 1]?.thread === thread ? '    ' : '  '}${question}`)
    .join('\n')
}

/** The model that is configured or, without one, what one has said to the samples. @throws ConfigurationError */
export async function chooseModel(
  context: WiringContext,
  samples: readonly Sample[],
  say: (text: string) => void,
): Promise<LanguageModel> {
  if (context.config.model !== undefined) {
    say(`Model: ${context.config.model.model}, live.`)
    return wireModel(context)
  }
  say(
    'No model is set, so what the model says is replayed from recordings; every query runs live. With OPENAI_API_KEY or OPENAI_BASE_URL set, all is live.',
  )
  return new RecordedLanguageModel(
    await readRecordings(RECORDINGS),
    `There is no recorded answer to that in this conversation; /new begins another. Recorded are, an indented one only after the one above it:\n${listed(samples)}\nTo ask anything, set OPENAI_API_KEY and OPENAI_MODEL (or OPENAI_BASE_URL) and start again.`,
  )
}

/**
 * The model that is configured, with what it says kept: beside earlier recordings, of which it takes the place where it was asked the same, or instead of all of them.
 * @throws ConfigurationError
 */
export async function recordingModel(context: WiringContext, isAnew: boolean): Promise<LanguageModel> {
  const model = wireModel(context)
  if (isAnew) await rm(RECORDINGS, { force: true })
  return new RecordingLanguageModel(model, recording => appendFile(RECORDINGS, `${JSON.stringify(recording)}\n`))
}
