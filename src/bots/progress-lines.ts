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
  state: string
}

/** Turns a run's events into what a person sees of it: one status line, then a line for each query. */
export class ProgressLines {
  #status = 'Thinking'
  readonly #queries = new Map<string, QueryProgress>()

  /** Takes an event; tells whether the lines have changed. */
  observe(event: RunEvent): boolean {
    const before = this.lines().join('\n')
    this.#apply(event)
    return this.lines().join('\n') !== before
  }

  lines(): string[] {
    const queries = [...this.#queries].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    return [`${this.#status} …`, ...queries.map(([id, query]) => `${id} ${shortened(query.question)} (${query.state})`)]
  }

  #apply(event: RunEvent): void {
    switch (event.kind) {
      case 'step_started': {
        this.#status = STATUS[event.step] ?? this.#status
        const query = event.query === undefined ? undefined : this.#queries.get(event.query)
        if (query) query.state = stateOf(event.step, event.attempt)
        return
      }
      case 'data_question_planned':
        this.#queries.set(event.id, { question: event.question, state: 'writing SQL' })
        return
      case 'data_question_dropped':
        this.#queries.delete(event.id)
        return
      case 'query_narrowed': {
        const query = this.#queries.get(event.id)
        if (query) query.state = 'too expensive: asking for less'
        return
      }
      case 'query_finished': {
        const rows = `${event.rowCount} ${event.rowCount === 1 ? 'row' : 'rows'} in ${Math.round(event.elapsedMs)} ms`
        this.#queries.set(event.id, { question: event.question, state: event.ok ? rows : 'failed' })
        return
      }
      case 'replay_progressed':
        this.#status = `${STATUS.replay} (${shortened(event.line)})`
        return
      case 'answer_grown':
        this.#status = STATUS.synthesize ?? this.#status
    }
  }
}

function stateOf(step: string, attempt: number): string {
  if (step === 'review_empty') return 'nothing found, checking whether that can be'
  const doing = STATES[step] ?? 'writing SQL'
  return attempt === 1 || step === 'confirm' ? doing : `${doing}, attempt ${attempt}`
}

function shortened(text: string): string {
  return cutCharacters(text.replace(/\s+/g, ' '), MOST_CHARACTERS)
}
