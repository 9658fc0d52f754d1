import type { RunEvent } from '../../agent/run/event.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { type ChatWords, chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'
import { SHARED_LIMITS } from './limits.ts'

/** Returns a progress line in the language of `words`. That language is known only after the question is understood. */
type ProgressWording = (words: ChatWords) => string

interface QueryProgress {
  readonly question: string
  readonly state: ProgressWording
}

/** Sorts Q2 before Q10. */
const BY_NUMBER = new Intl.Collator('en', { numeric: true })

/**
 * Turns a run's events into progress lines: a status, then one line per query. Lines are made only when they are read, because
 * they are read far less often than events arrive.
 */
export class ProgressLines {
  #status: ProgressWording = ({ thinking }) => thinking
  /** Whether a notice that the model is busy stands in place of the status. */
  #isModelBusy = false
  #language: Language
  readonly #queries = new Map<string, QueryProgress>()

  /** @param language the language to use until the question is understood */
  constructor(language: Language = 'en') {
    this.#language = language
  }

  get language(): Language {
    return this.#language
  }

  /**
   * Reads an event of the run.
   * @returns whether the lines have changed
   */
  observe(event: RunEvent): boolean {
    switch (event.kind) {
      case 'step_started': {
        const isNewStatus = this.#setStatus(statusOf(event.step))
        return this.#setState(event.query, stateOf(event.step, event.attempt)) || isNewStatus
      }
      case 'data_question_planned':
        return this.#setQuery(event.id, { question: event.question, state: ({ writingSql }) => writingSql })
      case 'data_question_dropped':
        return this.#queries.delete(event.id)
      case 'query_narrowed':
        return this.#setState(event.id, ({ tooExpensive }) => tooExpensive)
      case 'query_finished': {
        const { ok, rowCount, elapsedMs } = event
        const state: ProgressWording = words => (ok ? words.rowsIn(rowCount, Math.round(elapsedMs)) : words.failed)
        return this.#setQuery(event.id, { question: event.question, state })
      }
      case 'model_busy': {
        const isOther = event.isBusy !== this.#isModelBusy
        this.#isModelBusy = event.isBusy
        return isOther
      }
      case 'replay_progressed':
        return this.#setStatus(({ statuses }) => `${statuses.replay} (${shortened(event.line)})`)
      case 'answer_grown':
        return this.#setStatus(({ statuses }) => statuses.synthesize)
      case 'question_understood': {
        const isOther = event.language !== this.#language
        this.#language = event.language
        return isOther
      }
    }
  }

  /**
   * Returns the current lines.
   * @param shorten cuts a question so that it fits on a line next to the text `beside`
   */
  lines(shorten: (question: string, beside: string) => string = shortened): string[] {
    const queries = [...this.#queries].sort(([a], [b]) => BY_NUMBER.compare(a, b))
    const lines = queries.map(([id, { question, state }]) => {
      const said = state(this.#words())
      return `${id} ${shorten(onOneLine(question), `${id}  (${said})`)} (${said})`
    })
    const words = this.#words()
    return [`${this.#isModelBusy ? words.modelBusy : this.#status(words)} …`, ...lines]
  }

  #setStatus(status: ProgressWording | undefined): boolean {
    if (status === undefined || this.#isSame(status, this.#status)) return false
    this.#status = status
    return true
  }

  #words(): ChatWords {
    return chatWords(this.#language)
  }

  #isSame(one: ProgressWording, other: ProgressWording): boolean {
    return one(this.#words()) === other(this.#words())
  }

  /** Sets a query's state. Ignores a query that is not shown. */
  #setState(id: string | undefined, state: ProgressWording): boolean {
    const query = id === undefined ? undefined : this.#queries.get(id)
    return id !== undefined && query !== undefined && this.#setQuery(id, { ...query, state })
  }

  #setQuery(id: string, query: QueryProgress): boolean {
    const before = this.#queries.get(id)
    this.#queries.set(id, query)
    return before?.question !== query.question || !this.#isSame(before.state, query.state)
  }
}

/** Returns the text for a step of the run. Undefined for a step that people do not see. */
function statusOf(step: string): ProgressWording | undefined {
  return isTold(step) ? ({ statuses }) => statuses[step] : undefined
}

function isTold(step: string): step is keyof ChatWords['statuses'] {
  return Object.hasOwn(chatWords('en').statuses, step)
}

function stateOf(step: string, attempt: number): ProgressWording {
  if (step === 'review_empty') return ({ checking }) => checking
  if (step === 'confirm') return ({ decision }) => decision
  const doing: ProgressWording = ({ running, writingSql }) => (step === 'execute' ? running : writingSql)
  return attempt === 1 ? doing : words => words.attempt(doing(words), attempt)
}

function shortened(text: string): string {
  return cutCharacters(onOneLine(text), SHARED_LIMITS.progressQuestionCharacters)
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
