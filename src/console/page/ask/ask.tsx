import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { TurnSummary } from '../../../http/turn.ts'
import type { RunLine, RunsJson } from '../../runs-json.ts'
import { type Loaded, useApi } from '../api.ts'
import { count, moment } from '../format.ts'
import { Empty, Failure, Ready } from '../parts/states.tsx'
import { useSession } from '../session.ts'
import { Examples, useAsk } from './examples.tsx'
import { TurnView } from './turn.tsx'

/** Questions and their answers: the threads of the person, and one of them. */
export function Ask() {
  const { person, examples, tables } = useSession()
  const [location] = useLocation()
  const thread = location.slice(1)
  const runs = useApi<RunsJson>(`/console/api/runs?limit=500&person=${encodeURIComponent(person)}`)
  return (
    <div class="ask">
      <History thread={thread} runs={runs.data?.runs ?? []} />
      {thread === '' ? (
        <div class="beginning">
          <h1>What would you like to know?</h1>
          {tables !== null && (
            <p class="soft">You may ask about {count(tables, 'table')}. Every figure shows where it comes from.</p>
          )}
          <QuestionBox examples={examples} asked={runs.reload} />
        </div>
      ) : (
        <Thread key={thread} thread={thread} runs={runs} />
      )}
    </div>
  )
}

function Thread({ thread, runs }: { readonly thread: string; readonly runs: Loaded<RunsJson> }) {
  const loaded = useApi<{ readonly turns: readonly TurnSummary[] }>(`/v1/threads/${encodeURIComponent(thread)}`)
  const changed = () => {
    loaded.reload()
    runs.reload()
  }
  return (
    <div>
      <h1 class="unseen">A thread</h1>
      <Ready loaded={loaded}>
        {({ turns }) =>
          turns.length === 0 ? (
            <Empty>This thread has expired, or it is someone else's.</Empty>
          ) : (
            turns.map((turn, at) => <TurnView key={turn.id} summary={turn} isLast={at === turns.length - 1} changed={changed} />)
          )
        }
      </Ready>
      <QuestionBox thread={thread} asked={changed} />
    </div>
  )
}

interface QuestionBoxProps {
  /** The thread to go on with. Absent: a new one. */
  readonly thread?: string
  readonly examples?: readonly string[]
  asked(): void
}

function QuestionBox({ thread, examples = [], asked }: QuestionBoxProps) {
  // Other pages suggest a question in the address.
  const [text, setText] = useState(() => new URLSearchParams(window.location.search).get('text') ?? '')
  const { ask, isBusy, problem } = useAsk(() => {
    setText('')
    asked()
  }, thread)
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim() !== '' && !isBusy) ask(text)
  }
  return (
    <form class="question-box" onSubmit={submit}>
      {problem && <Failure problem={problem} />}
      <div class="field">
        <textarea
          aria-label="Your question"
          placeholder={thread === undefined ? 'Ask about your data' : 'Ask a follow-up'}
          rows={1}
          maxLength={8_000}
          value={text}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={event => event.key === 'Enter' && !event.shiftKey && !event.isComposing && submit(event)}
        />
        <button type="submit" class="primary" disabled={isBusy || text.trim() === ''}>
          Ask
        </button>
      </div>
      <Examples {...{ examples, isBusy, ask }} />
    </form>
  )
}

/** The person's threads, the latest first. */
function History({ thread, runs }: { readonly thread: string; readonly runs: readonly RunLine[] }) {
  const [isOpen, setOpen] = useState(false)
  // The first question of a thread names it, and its latest one gives it its place.
  const threads = new Map(runs.filter(({ platform }) => platform === 'http').map(run => [run.thread, run]))
  return (
    <aside class={isOpen ? 'history open' : 'history'} aria-label="Threads">
      <Link href="/" class="button">
        New question
      </Link>
      <button type="button" class="toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Earlier questions
      </button>
      <ul>
        {[...threads.values()].map(({ id, thread: name, question, at }) => (
          <li key={id}>
            <Link href={`/${name}`} aria-current={name === thread ? 'page' : undefined} onClick={() => setOpen(false)}>
              <span>{question}</span>
              <small>{moment(at)}</small>
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  )
}
