import { z } from 'zod'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { subjectAtHand } from '../base/watched-work.ts'
import { packJson, unpackJson } from '../history/packed-json.ts'
import type { RunLogEntry } from '../history/run-log-entry.ts'
import type { LanguageModel, ModelMessage } from '../llm/language-model.ts'
import { answerOf } from '../llm/recording-language-model.ts'
import type { StateStore } from '../store/state-store.ts'
import { CONSOLE_LIMITS } from './limits.ts'

const contentSchema = z.object({
  /** The step with its query, as `generate Q1`. */
  step: z.string(),
  /** When the call began, as Unix time in milliseconds. */
  at: z.number(),
  input: z.string(),
  output: z.string(),
})
type Content = z.infer<typeof contentSchema>

/** Wraps a model. The prompts and replies of each run are kept with it, in compressed form. A call does not wait for that. */
export function modelKeepingContent(
  model: LanguageModel,
  deps: { readonly store: StateStore; readonly retentionSeconds: number; readonly now: () => number; readonly logger: Logger },
): LanguageModel {
  const keep = async (run: string, content: Content) => {
    const packed = await packJson(content)
    if (packed === undefined) return
    await deps.store.append(keyOf(run), packed, deps.retentionSeconds, AbortSignal.timeout(CONSOLE_LIMITS.requestMs))
  }
  return {
    async *stream(request, signal) {
      const { run = '', step = '' } = subjectAtHand()
      const at = deps.now()
      let output = ''
      try {
        for await (const event of model.stream(request, signal)) {
          if (event.kind === 'text') output += event.text
          if (event.kind === 'restarted') output = ''
          if (event.kind === 'completed') output = answerOf(event.completion)
          yield event
        }
      } finally {
        const input = request.messages.map(messageText).join('\n\n')
        if (run !== '')
          keep(run, { step, at, input, output }).catch((error: unknown) =>
            deps.logger.warn({ run, error: errorMessage(error) }, 'a prompt was not kept'),
          )
      }
    },
  }
}

/**
 * Returns the prompts and replies of a run.
 * @returns finds those of a step; null if none are kept
 */
export async function readContent(runId: string, store: StateStore, signal: AbortSignal) {
  const packed = await store.list(keyOf(runId), signal)
  const all = await Promise.all(packed.map(each => unpackJson(each).catch(() => parseJson(''))))
  const contents = all.flatMap(each => contentSchema.safeParse(each).data ?? [])
  return ({ step, query, started_at, duration_ms: ms }: RunLogEntry): Pick<Content, 'input' | 'output'> | null => {
    const named = query === undefined ? step : `${step} ${query}`
    const started = Date.parse(started_at)
    // A step may ask once more if the first reply was of a wrong form. The last call has the reply that counts.
    const found = contents.findLast(content => content.step === named && content.at >= started && content.at <= started + ms)
    return found === undefined ? null : { input: found.input, output: found.output }
  }
}

function keyOf(runId: string): string {
  return `run:{${runId}}:content`
}

function messageText(message: ModelMessage): string {
  const text = message.role === 'assistant' ? answerOf({ ...message, text: message.content }) : message.content
  return `## ${message.role}\n${text}`
}
