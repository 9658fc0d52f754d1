import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ProposalsJson } from '../../data-routes.ts'
import { call, useApi } from '../api.ts'
import { count, moment } from '../format.ts'
import { Action } from '../parts/action.tsx'
import { SqlBox } from '../parts/sql-box.tsx'
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
      <SqlBox label="The entry in verified-queries.yaml" rows={proposed.split('\n').length + 1} text={yaml} change={edit} />
      <p class="row">
        <Action label="Accept" look="primary" isOff={isReadOnly} work={() => decide('accept', { yaml })} />
        <Action label="Decline" work={() => decide('decline')} />
      </p>
    </article>
  )
}
