import { useState } from 'preact/hooks'
import type { RerunJson } from '../../runs-json.ts'
import { call, useAction } from '../api.ts'
import { count, duration } from '../format.ts'
import { Failure } from '../parts/states.tsx'
import { Rows } from './rows.tsx'

interface SqlProps {
  readonly run: string
  readonly query: string
  readonly sql: string
  readonly question: string
}

/** The SQL of a query, which the viewer can edit, run as a guarded query of their own, and propose as a verified one. */
export function SqlEditor({ run, query, sql: original, question }: SqlProps) {
  const [sql, change] = useState(original)
  const [outcome, setOutcome] = useState<RerunJson>()
  const [proposed, setProposed] = useState('')
  const { act, isBusy, problem } = useAction()
  const post = <Body,>(path: string, body: unknown) => call<Body>(`/console/api/runs/${run}/${path}`, { method: 'POST', body })
  const runIt = async () => setOutcome(await post<RerunJson>(`queries/${query}/run`, { sql }))
  const propose = async () => {
    await post('propose', { sql, question })
    setProposed(sql)
  }
  const isRead = outcome?.kind === 'read'
  return (
    <>
      <textarea
        class="sql"
        aria-label={`SQL of ${query}`}
        rows={10}
        spellcheck={false}
        value={sql}
        onInput={event => change(event.currentTarget.value)}
      />
      <p class="row">
        <button type="button" disabled={isBusy} onClick={() => act(runIt)}>
          {isBusy ? 'Running …' : 'Run'}
        </button>
        <button type="button" disabled={isBusy || !isRead || proposed === sql} onClick={() => act(propose)}>
          Propose as a verified query
        </button>
        <span role="status">{proposed === sql && 'Proposed. Who may define accepts it on the page Data.'}</span>
      </p>
      {problem && <Failure problem={problem} />}
      {outcome?.kind === 'refused' && <Failure problem={outcome.message} />}
      {isRead && (
        <>
          <Rows name="the SQL as edited" {...outcome} />
          <p class="small">
            {`${outcome.truncated ? 'The first ' : ''}${count(outcome.rows.length, 'row')} · ${duration(outcome.elapsed_ms)} `}
            {outcome.doubt}
          </p>
        </>
      )}
    </>
  )
}
