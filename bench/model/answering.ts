import type { Chunks } from './chunks.ts'
import type { Clock } from './clock.ts'
import { firstTokenDelay, type ModelPreset, tokensWritten, writingTime } from './presets.ts'

/** The receiver of the model's answer. */
export interface AnswerSink {
  write(text: string): void
  end(text: string): void
}

export interface AnsweringOptions {
  readonly clock: Clock
  readonly preset: ModelPreset
  readonly chunks: Chunks
  readonly isStreamed: boolean
  readonly uncachedTokens: number
  /** The time at which the request arrived. All times are computed from it, so a late timer delays only a single token. */
  readonly startedAt: number
  readonly onProgress: (sentTokens: number, at: number) => void
}

/** Sends an answer as fast as a model writes it: each token when it is due, and late ones together. @returns a function that stops this */
export function sendAnswer(sink: AnswerSink, options: AnsweringOptions): () => void {
  const { clock, preset, chunks, isStreamed, startedAt, onProgress } = options
  const total = chunks.tokens.length
  const firstAt = startedAt + firstTokenDelay(preset, options.uncachedTokens)
  if (!isStreamed) {
    return clock.at(firstAt + writingTime(preset, total), () => {
      onProgress(total, clock.now())
      sink.end(chunks.whole)
    })
  }
  let sent = 0
  let cancel = clock.at(firstAt, writeDue)

  function writeDue(): void {
    const now = clock.now()
    const due = tokensWritten(preset, now - firstAt, total)
    const text = chunks.tokens
      .slice(sent, due)
      .map(({ event }) => event)
      .join('')
    const isNew = due > sent
    sent = due
    if (isNew) onProgress(sent, now)
    if (sent === total) {
      sink.end(text + chunks.tail)
      return
    }
    if (isNew) sink.write(text)
    cancel = clock.at(firstAt + writingTime(preset, sent + 1), writeDue)
  }

  return () => cancel()
}
