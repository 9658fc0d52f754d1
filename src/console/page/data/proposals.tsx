import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ProposalJson, ProposalsJson } from '../../data-json.ts'
import { call, useAction, useApi } from '../api.ts'
import { count, moment } from '../format.ts'
import { Empty, Failure, Ready } from '../parts/states.tsx'
import { useSession } from '../session.ts'

/** The queries that people propose as verified ones. */
export function Proposals() {
  const loaded = useApi<ProposalsJson>('/console/api/data/proposals')
  const [said, setSaid] = useState('')
  const decided = (sentence: string) => {
    setSaid(sentence)
    loaded.reload()
  }
  return (
    <Ready loaded={loaded}>
      {({ proposals, hidden, read_only: readOnly }) => (
        <>
          {readOnly && <Failure problem={readOnly} />}
          <p role="status">{said}</p>
          {proposals.map(proposal => (
            <Proposal key={proposal.id} {...{ proposal, decided, readOnly }} />
          ))}
          {proposals.length === 0 && (
            <Empty>Nobody proposes a query. Helpful below an answer does, and Propose beside SQL.</Empty>
          )}
          {hidden > 0 && (
            <p class="small">
              {`You may not see ${count(hidden, 'more proposal')}: of private answers, or about tables that you may not read. `}
              <code>clew domain proposals</code> lists them.
            </p>
          )}
        </>
      )}
    </Ready>
  )
}

interface ProposalProps {
  readonly proposal: ProposalJson
  readonly readOnly: string | null
  decided(sentence: string): void
}

function Proposal({ proposal: { id, run_id, question, sql, person, at }, readOnly, decided }: ProposalProps) {
  const session = useSession()
  const [entry, setEntry] = useState({ question, sql, parameters: '', verified_by: session.person })
  const { act, isBusy, problem } = useAction()
  const decide = <Body,>(how: string, body?: object) =>
    call<Body>(`/console/api/data/proposals/${encodeURIComponent(id)}/${how}`, { method: 'POST', body })
  const accept = () =>
    decide<{ readonly path: string }>('accept', entry).then(({ path }) =>
      decided(`“${entry.question}” stands in ${path} now. Workers read it when they start.`),
    )
  const decline = () => decide('decline').then(() => decided(`“${question}” is declined.`))
  const field = (name: keyof typeof entry, label: string, rows: number) => (
    <label>
      {label}
      <textarea
        class={rows > 1 ? 'sql' : undefined}
        rows={rows}
        value={entry[name]}
        onInput={event => setEntry({ ...entry, [name]: event.currentTarget.value })}
      />
    </label>
  )
  return (
    <article class="card fields" aria-label={question}>
      <p class="small">
        {`${person} found it helpful, ${moment(at)}. `}
        <Link href={`~/runs/${run_id}`}>See the run</Link>
      </p>
      {field('question', 'Question', 1)}
      {field('sql', 'SQL', Math.min(16, sql.split('\n').length + 1))}
      {field('parameters', 'Parameters as YAML, if it has any', 2)}
      {field('verified_by', 'Verified by', 1)}
      {problem && <Failure problem={problem} />}
      <p class="row">
        <button type="button" class="primary" disabled={isBusy || readOnly !== null} onClick={() => act(accept)}>
          Accept
        </button>
        <button type="button" disabled={isBusy} onClick={() => act(decline)}>
          Decline
        </button>
      </p>
    </article>
  )
}
