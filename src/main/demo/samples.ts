import { appendFile, readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import { packageFile } from '../../base/package-files.ts'
import type { LanguageModel } from '../../llm/language-model.ts'
import { RecordedLanguageModel, readRecordings } from '../../llm/recorded-language-model.ts'
import { RecordingLanguageModel } from '../../llm/recording-language-model.ts'
import { wireModel } from '../parts.ts'
import type { WiringContext } from '../store.ts'

const RECORDINGS = packageFile('demo', 'recordings.jsonl')

const sampleSchema = z.object({ thread: z.string(), question: z.string(), tags: z.array(z.string()) })
/** A question that the demo asks or suggests. */
export type Sample = z.infer<typeof sampleSchema>

/** The tag of questions that are asked while the crm is switched off. Their recorded answers hold only then. */
export const CRM_AWAY = 'crm-away'

/**
 * Returns the sample questions. The questions about data come first, then those about pipelines, then those that need two data
 * sources.
 */
export async function readSamples({ hasCrm }: { readonly hasCrm: boolean }): Promise<readonly Sample[]> {
  const names = ['questions.jsonl', 'lineage.jsonl', ...(hasCrm ? ['sources.jsonl'] : [])]
  const files = await Promise.all(names.map(name => readFile(packageFile('demo', name), 'utf8')))
  const lines = files.flatMap(text => text.split('\n'))
  return lines.filter(line => line !== '').map(line => sampleSchema.parse(JSON.parse(line)))
}

/** Returns the first question of each conversation, which anybody may ask at any time. */
export function firstQuestions(samples: readonly Sample[]): readonly string[] {
  const asked = samples.filter(({ tags }) => !tags.includes(CRM_AWAY))
  return asked.flatMap(({ thread, question }, index) => (asked[index - 1]?.thread === thread ? [] : [question]))
}

/** Writes each question that a person may ask on a line. Follow-ups are indented. */
export function listed(samples: readonly Sample[]): string {
  return samples
    .filter(({ tags }) => !tags.includes(CRM_AWAY))
    .map(({ thread, question }, index, all) => `${all[index - 1]?.thread === thread ? '    ' : '  '}${question}`)
    .join('\n')
}

/**
 * Returns the configured model. If none is configured, returns a model that replays recorded answers.
 * @param questions the questions to offer to whoever asks one without a recorded answer
 * @throws ConfigurationError
 */
export async function chooseModel(
  context: WiringContext,
  questions: readonly string[],
  say: (text: string) => void,
): Promise<LanguageModel> {
  if (context.config.model !== undefined) {
    say(`Model: ${context.config.model.model}, live.`)
    return wireModel(context)
  }
  say(
    'No model is set, so what the model says is replayed from recordings; every query runs live. With OPENAI_API_KEY or OPENAI_BASE_URL set, all is live.',
  )
  return new RecordedLanguageModel(await readRecordings(RECORDINGS), questions)
}

/**
 * Returns the configured model, wrapped so that its answers are recorded. If `isAnew`, deletes the old recordings first.
 * @throws ConfigurationError
 */
export async function recordingModel(context: WiringContext, isAnew: boolean): Promise<LanguageModel> {
  const model = wireModel(context)
  if (isAnew) await rm(RECORDINGS, { force: true })
  return new RecordingLanguageModel(model, recording => appendFile(RECORDINGS, `${JSON.stringify(recording)}\n`))
}
