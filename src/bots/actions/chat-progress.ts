import type { RunEvent } from '../../agent/run/event.ts'
import type { Progress } from '../../chat/reply.ts'
import type { Language } from '../../words/language.ts'
import { ProgressLines } from '../shared/progress-lines.ts'

type QueryFinished = Extract<RunEvent, { kind: 'query_finished' }>

/** Turns a run's events into progress for a chat: the plan, then the first rows of a result, then the growing answer. */
export class ChatProgress {
  readonly #lines: ProgressLines
  /** Finished queries by id, in order of arrival. Each event holds the first rows of its query. */
  readonly #results = new Map<string, QueryFinished>()
  #grown: Extract<RunEvent, { kind: 'answer_grown' }> | undefined

  /** @param language the language to use until the question is understood */
  constructor(language: Language = 'en') {
    this.#lines = new ProgressLines(language)
  }

  /**
   * Reads an event of the run.
   * @returns whether the progress may have changed
   */
  observe(event: RunEvent): boolean {
    const isNewLine = this.#lines.observe(event)
    if (event.kind === 'query_finished') this.#noteResult(event)
    if (event.kind === 'data_question_dropped') this.#results.delete(event.id)
    if (event.kind === 'answer_grown') this.#grown = event
    return isNewLine || event.kind === 'query_finished' || event.kind === 'answer_grown'
  }

  progress(): Progress {
    const [result] = this.#results.values()
    const table = result?.table
    const answer = withoutBareHead(this.#grown?.markdown ?? '')
    return {
      lines: this.#lines.lines(),
      ...(table === undefined ? {} : { table }),
      ...(answer.trim() === '' ? {} : { answer }),
    }
  }

  #noteResult(event: QueryFinished): void {
    if ('table' in event) this.#results.set(event.id, event)
    else this.#results.delete(event.id)
  }
}

/** Removes a table's header if no rows have arrived yet. A header without rows would appear as plain text with "|" signs. */
function withoutBareHead(markdown: string): string {
  const lines = markdown.trimEnd().split('\n')
  const above = lines.findLastIndex(line => !/^\s*\|/.test(line)) + 1
  return lines.length - above > 2 ? markdown : lines.slice(0, above).join('\n')
}
