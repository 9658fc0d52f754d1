import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ProposalsJson } from '../../data-routes.ts'
import { call, useAction, useApi } from '../api.ts'
import { count, moment } from '../format.ts'
import { Empty, Failure, Ready } from '../parts/states.tsx'

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

function Proposal({ id, ofRun, question, yaml: proposed, person, at, isReadOnly, decided }: ProposalProps) {
  const [yaml, edit] = useState(proposed)
  const { act, isBusy, problem } = useAction()
  const decide = async (how: 'accept' | 'decline', body?: object) => {
    const path = `/console/api/data/proposals/${encodeURIComponent(id)}/${how}`
    const done = await call<{ readonly path?: string }>(path, { method: 'POST', body })
    decided(done.path === undefined ? 'It is declined.' : `It stands in ${done.path} now. Workers read it when they start.`)
  }
  return (
    <article class="card proposal">
      <h2>{question}</h2>
      <p class="small">
        {`${person} found it helpful, ${moment(at)}. `}
        <Link href={`~/runs/${ofRun}`}>See the run</Link>
      </p>
      <textarea
        class="sql"
        aria-label="The entry in verified-queries.yaml"
        rows={proposed.split('\n').length + 1}
        spellcheck={false}
        value={yaml}
        onInput={event => edit(event.currentTarget.value)}
      />
      {problem && <Failure problem={problem} />}
      <p class="row">
        <button
          type="button"
          class="primary"
          disabled={isBusy || isReadOnly}
          onClick={() => act(() => decide('accept', { yaml }))}
        >
          Accept
        </button>
        <button type="button" disabled={isBusy} onClick={() => act(() => decide('decline'))}>
          Decline
        </button>
      </p>
    </article>
  )
}
