import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ProposalsJson } from '../../data-routes.ts'
import { call } from '../api.ts'
import { count, moment, nameInWords } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Empty, Failure, Load } from '../parts/states.tsx'

/** The queries that people propose as verified ones. */
export function Proposals() {
  const [said, say] = useState('')
  return (
    <Load<ProposalsJson> path="/console/api/data/proposals">
      {({ proposals, hidden, read_only: readOnly }, reload) => (
        <>
          {readOnly && <Failure problem={readOnly} />}
          <p role="status">{said}</p>
          {proposals.map(proposal => (
            <Proposal key={proposal.id} {...{ ...proposal, say, reload, isReadOnly: readOnly !== undefined }} />
          ))}
          {proposals.length === 0 && (
            <Empty>No query is proposed. People propose one by Helpful below an answer, or by Propose beside SQL.</Empty>
          )}
          {hidden > 0 && (
            <p class="small">
              {`You may not see ${count(hidden, 'more proposal')}: of private answers, or about tables that you may not read.`}
            </p>
          )}
        </>
      )}
    </Load>
  )
}

type ProposalProps = ProposalsJson['proposals'][number] & {
  readonly isReadOnly: boolean
  say(text: string): void
  reload(): void
}

function Proposal({ id, ofRun, question, yaml: proposed, person, at, isReadOnly, say, reload }: ProposalProps) {
  const [yaml, edit] = useState(proposed)
  const decide = async (how: 'accept' | 'decline', body?: object) => {
    const path = `/console/api/data/proposals/${encodeURIComponent(id)}/${how}`
    const done = await call<{ readonly path?: string }>(path, { method: 'POST', body })
    say(done.path === undefined ? 'It is declined.' : `It stands in ${done.path} now. Workers read it when they start.`)
    reload()
  }
  return (
    <article class="card">
      <h2>{question}</h2>
      <p class="small">
        {`${nameInWords(person)} found it helpful, ${moment(at)}. `}
        <Link href={`/runs/${ofRun}`}>See the run</Link>
      </p>
      <textarea
        {...{ class: 'sql', 'aria-label': 'The entry in verified-queries.yaml', rows: 12, spellcheck: false, value: yaml }}
        onInput={event => edit(event.currentTarget.value)}
      />
      <p class="row">
        <Action label="Accept" look="primary" isOff={isReadOnly} work={() => decide('accept', { yaml })} />
        <Action label="Decline" work={() => decide('decline')} />
      </p>
    </article>
  )
}
