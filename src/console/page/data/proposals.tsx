import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ProposalsJson } from '../../domain-routes.ts'
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
            <Proposal key={proposal.id} {...{ ...proposal, decided, isReadOnly: readOnly !== undefined }} />
          ))}
          {proposals.length === 0 && (
            <Empty>Nobody proposes a query. Helpful below an answer does, and Propose beside SQL.</Empty>
          )}
          {hidden > 0 && (
            <p class="small">
              {`You may not see ${count(hidden, 'more proposal')}: of private answers, or about tables that you may not read.`}
            </p>
          )}
        </>
      )}
    </Ready>
  )
}

type ProposalProps = ProposalsJson['proposals'][number] & { readonly isReadOnly: boolean; decided(sentence: string): void }

function Proposal({ id, ofRun, question, sql, person, at, isReadOnly, decided }: ProposalProps) {
  const session = useSession()
  const [entry, setEntry] = useState({ question, sql, parameters: '', verified_by: session.person })
  const { act, isBusy, problem } = useAction()
  const decide = async (how: 'accept' | 'decline', body?: object) => {
    const path = `/console/api/data/proposals/${encodeURIComponent(id)}/${how}`
    const done = await call<{ readonly path?: string }>(path, { method: 'POST', body })
    decided(done.path === undefined ? 'It is declined.' : `It stands in ${done.path} now. Workers read it when they start.`)
  }
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
        <Link href={`~/runs/${ofRun}`}>See the run</Link>
      </p>
      {field('question', 'Question', 1)}
      {field('sql', 'SQL', Math.min(16, sql.split('\n').length + 1))}
      {field('parameters', 'Parameters as YAML, if it has any', 2)}
      {field('verified_by', 'Verified by', 1)}
      {problem && <Failure problem={problem} />}
      <p class="row">
        <button type="button" class="primary" disabled={isBusy || isReadOnly} onClick={() => act(() => decide('accept', entry))}>
          Accept
        </button>
        <button type="button" disabled={isBusy} onClick={() => act(() => decide('decline'))}>
          Decline
        </button>
      </p>
    </article>
  )
}
