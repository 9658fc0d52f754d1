import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import { toolCallsInText } from './endpoint/tool-calls-in-text.ts'
import { cancelledModelError } from './error.ts'
import type { LanguageModel, ModelEvent, ModelRequest } from './language-model.ts'
import { nearestQuestions } from './nearest-questions.ts'
import { NoRecordingError } from './no-recording-error.ts'

const recordingSchema = z.object({ step: z.string(), subject: z.string(), answer: z.string() })
export type Recording = z.infer<typeof recordingSchema>

/**
 * Replays a model's recorded answers, so that people can try Clew without a model. The step and the subject of a request select
 * the answer. Only the model's text is replayed: the queries really run.
 */
export class RecordedLanguageModel implements LanguageModel {
  readonly #answers: ReadonlyMap<string, string>
  readonly #questions: readonly string[]

  /** @param questions the questions to offer to whoever asks one without a recording */
  constructor(recordings: readonly Recording[], questions: readonly string[] = []) {
    this.#answers = new Map(recordings.map(recording => [keyOf(recording.step, recording.subject), recording.answer]))
    this.#questions = questions
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    if (signal.aborted) throw cancelledModelError(signal)
    const { step, subject = '' } = request
    // The subject of a follow-up question has the previous question on the line before it. If this pair has no recording, the
    // last line alone is looked up, because the question may also be recorded as a first question.
    const asked = subject.split('\n').at(-1) ?? ''
    const text = this.#answers.get(keyOf(step, subject)) ?? this.#answers.get(keyOf(step, asked))
    if (text === undefined) throw new NoRecordingError(nearestQuestions(asked, this.#questions))
    const { text: words, toolCalls } =
      request.tools === undefined
        ? { text, toolCalls: [] }
        : toolCallsInText(text, new Set(request.tools.map(({ name }) => name)))
    for (const piece of words.match(/\s+\S*|\S+/g) ?? []) {
      yield { kind: 'text', text: piece }
      if (signal.aborted) throw cancelledModelError(signal)
    }
    request.budget?.add({ model: 'recorded', temperature: undefined, inputTokens: 0, outputTokens: 0, estimated: true })
    yield {
      kind: 'completed',
      completion: { text: words, toolCalls },
    }
  }
}

/**
 * Reads recordings, one JSON object per line.
 * @throws ConfigurationError that names the invalid line
 */
export async function readRecordings(path: string): Promise<Recording[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [recordingSchema.parse(JSON.parse(line))]
    } catch (cause) {
      throw new ConfigurationError(`${path}, line ${index + 1}: must be {"step", "subject", "answer"}.`, { cause })
    }
  })
}

function keyOf(step: string, subject: string): string {
  return `${step}\n${subject
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?<![?.!])[?.!]+(?= |$)/g, '')
    .trim()}`
}
