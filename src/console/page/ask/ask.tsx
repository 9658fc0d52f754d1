import { type DefaultParams, Link } from 'wouter-preact'
import type { TurnSummary } from '../../../http/turn.ts'
import type { RunLine, RunsJson } from '../../runs-json.ts'
import { useAsk } from '../answer/answer.tsx'
import { useAction, useApi, useSession } from '../api.ts'
import { count, moment, withQuery } from '../format.ts'
import { Empty, Failure, Ready } from '../parts/states.tsx'
import { Examples, TurnView } from './turn.tsx'

/** Questions and their answers: the threads of the person, and one of them. */
export function Ask({ thread }: DefaultParams) {
  const { person, tables } = useSession()
  const runs = useApi<RunsJson>(withQuery('/console/api/runs', { limit: '500', person }))
  return (
    <div class="ask">
      <History thread={thread} runs={runs.data?.runs ?? []} />
      {thread === undefined ? (
        <div class="beginning">
          <h1>What would you like to know?</h1>
          {tables !== null && (
            <p class="soft">You may ask about {count(tables, 'table')}. Every figure shows where it comes from.</p>
          )}
          <QuestionBox asked={runs.reload} />
          <Examples asked={runs.reload} />
        </div>
      ) : (
        <Thread key={thread} thread={thread} changed={runs.reload} />
      )}
    </div>
  )
}

function Thread({ thread, changed }: { readonly thread: string; changed(): void }) {
  const loaded = useApi<{ readonly turns: readonly TurnSummary[] }>(`/v1/threads/${encodeURIComponent(thread)}`)
  const both = () => {
    loaded.reload()
    changed()
  }
  return (
    <div>
      <h1 class="unseen">A thread</h1>
      <Ready loaded={loaded}>
        {({ turns }) =>
          turns.map((turn, at) => (
            <TurnView key={turn.id} {...{ summary: turn, isLast: at === turns.length - 1, changed: both }} />
          ))
        }
      </Ready>
      {loaded.data?.turns.length === 0 && <Empty>This thread has expired, or it is someone else's.</Empty>}
      <QuestionBox thread={thread} asked={both} />
    </div>
  )
}

/** @param thread the one to go on with; absent: a new one */
function QuestionBox({ thread, asked }: { readonly thread?: string; asked(): void }) {
  const { act, isBusy, problem } = useAction()
  const ask = useAsk('/v1/turns', asked)
  const submit = (event: Event & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const { currentTarget: form } = event
    act(() => ask({ thread, text: new FormData(form).get('text') }).then(() => form.reset()))
  }
  const look = { 'aria-label': 'Your question', placeholder: thread ? 'Ask a follow-up' : 'Ask about your data', rows: 1 }
  // Other pages suggest a question in the address.
  const suggested = new URLSearchParams(location.search).get('text') ?? ''
  return (
    <form class="question-box" onSubmit={submit}>
      {problem && <Failure problem={problem} />}
      <div class="field">
        <textarea
          {...{ ...look, name: 'text', required: true, maxLength: 8_000, defaultValue: suggested }}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            if (!isBusy) event.currentTarget.form?.requestSubmit()
          }}
        />
        <button type="submit" class="primary" disabled={isBusy}>
          Ask
        </button>
      </div>
    </form>
  )
}

/** The person's threads, the latest first. */
function History({ thread, runs }: { readonly thread: string | undefined; readonly runs: readonly RunLine[] }) {
  // The first question of a thread names it, and its latest one gives it its place.
  const threads = new Map(runs.filter(({ platform }) => platform === 'http').map(run => [run.thread, run]))
  return (
    <aside class="history" aria-label="Threads">
      <Link href="/ask">New question</Link>
      <details key={thread} open={innerWidth > 800}>
        <summary>Earlier questions</summary>
        {[...threads.values()].map(({ id, thread: name, question, at }) => (
          <Link key={id} class="entry" href={`/ask/${name}`} aria-current={name === thread ? 'page' : undefined}>
            <span class="name">{question}</span>
            <small>{moment(at)}</small>
          </Link>
        ))}
      </details>
    </aside>
  )
}
