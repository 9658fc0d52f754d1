import type { RunEvent } from '../agent/run-event.ts'
import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'

const STATUS: Readonly<Record<string, string>> = {
  classify: 'Reading the question',
  decompose: 'Planning what to look up',
  generate: 'Writing SQL',
  execute: 'Running queries',
  review_empty: 'No rows; checking whether that can be',
  confirm: 'Waiting for your decision',
  synthesize: 'Writing the answer',
  respond: 'Writing the answer',
  lineage: 'Following the rows',
  tool: 'Looking at tables',
  confirm_replay: 'Waiting for your decision',
  replay: 'Running the job again',
}
const STATES: Readonly<Record<string, string>> = { execute: 'running', confirm: 'waiting for your decision' }
const MOST_CHARACTERS = 120

interface QueryProgress {
  readonly question: string
  readonly state: string
}

/** Q2 before Q10. */
const BY_NUMBER = new Intl.Collator('en', { numeric: true })

/** Turns a run's events into what a person sees of it: one status line, then a line for each query. There are many more events than looks at the lines. */
export class ProgressLines {
  #status = 'Thinking'
  readonly #queries = new Map<string, QueryProgress>()

  /** Takes an event; tells whether the lines have changed. */
  observe(event: RunEvent): boolean {
    switch (event.kind) {
      case 'step_started': {
        const isNewStatus = this.#setStatus(STATUS[event.step])
        return this.#setState(event.query, stateOf(event.step, event.attempt)) || isNewStatus
      }
      case 'data_question_planned':
        return this.#setQuery(event.id, { question: event.question, state: 'writing SQL' })
      case 'data_question_dropped':
        return this.#queries.delete(event.id)
      case 'query_narrowed':
        return this.#setState(event.id, 'too expensive: asking for less')
      case 'query_finished': {
        const rows = `${event.rowCount} ${event.rowCount === 1 ? 'row' : 'rows'} in ${Math.round(event.elapsedMs)} ms`
        return this.#setQuery(event.id, { question: event.question, state: event.ok ? rows : 'failed' })
      }
      case 'replay_progressed':
        return this.#setStatus(`${STATUS.replay} (${shortened(event.line)})`)
      case 'answer_grown':
        return this.#setStatus(STATUS.synthesize)
      case 'question_understood':
        return false
    }
  }

  /** @param shorten cuts a question to what fits on its line, beside what else stands there */
  lines(shorten: (question: string, beside: string) => string = shortened): string[] {
    const queries = [...this.#queries].sort(([a], [b]) => BY_NUMBER.compare(a, b))
    const lines = queries.map(
      ([id, { question, state }]) => `${id} ${shorten(onOneLine(question), `${id}  (${state})`)} (${state})`,
    )
    return [`${this.#status} …`, ...lines]
  }

  #setStatus(status: string | undefined): boolean {
    if (status === undefined || status === this.#status) return false
    this.#status = status
    return true
  }

  /** Of a query that is shown. */
  #setState(id: string | undefined, state: string): boolean {
    const query = id === undefined ? undefined : this.#queries.get(id)
    return id !== undefined && query !== undefined && this.#setQuery(id, { ...query, state })
  }

  #setQuery(id: string, query: QueryProgress): boolean {
    const before = this.#queries.get(id)
    this.#queries.set(id, query)
    return before?.question !== query.question || before.state !== query.state
  }
}

function stateOf(step: string, attempt: number): string {
  if (step === 'review_empty') return 'nothing found, checking whether that can be'
  const doing = STATES[step] ?? 'writing SQL'
  return attempt === 1 || step === 'confirm' ? doing : `${doing}, attempt ${attempt}`
}

function shortened(text: string): string {
  return cutCharacters(onOneLine(text), MOST_CHARACTERS)
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
