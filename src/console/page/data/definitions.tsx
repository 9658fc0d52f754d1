import { useState } from 'preact/hooks'
import type { DomainJson, VerifiedRunJson } from '../../data-routes.ts'
import { call, useSession } from '../api.ts'
import { count, duration, moment, nameInWords } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Badge, Failure, Load } from '../parts/states.tsx'
import { Rows } from '../parts/table.tsx'

type Definition = DomainJson['definitions'][number]

const DOUBTFUL = 'Stale or wrong'
const KINDS = {
  verified: { title: 'Verified queries', file: 'verified-queries.yaml' },
  metric: { title: 'Metrics', file: 'metrics.yaml' },
  term: { title: 'Glossary', file: 'glossary.yaml' },
} as const

function titleOf({ kind, faults, stale }: Definition): string {
  return faults.length > 0 || stale !== null ? DOUBTFUL : KINDS[kind].title
}

/** The domain pack: first what does not fit the data any more. */
export function Definitions() {
  return (
    <Load<DomainJson> path="/console/api/data/domain">
      {({ folder, problem, overview, definitions }, reload) => (
        <>
          {problem && <Failure problem={problem} />}
          {folder && <p class="small">{`The files are in ${folder}. Workers read them when they start.`}</p>}
          {[DOUBTFUL, ...Object.values(KINDS).map(({ title }) => title)].map(title => {
            const group = definitions.filter(each => titleOf(each) === title)
            return (
              <section key={title}>
                <h2>{`${title}: ${group.length}`}</h2>
                {group.map(each => (
                  <Details key={each.id} definition={each} changed={reload} />
                ))}
              </section>
            )
          })}
          <details class="card">
            <summary>What the model reads of the catalog text and the glossary</summary>
            <Markdown text={overview} />
          </details>
        </>
      )}
    </Load>
  )
}

function Details({ definition, changed }: { readonly definition: Definition; changed(): void }) {
  const { kind, id, name, sql, faults, stale, example_because: example } = definition
  const { may } = useSession()
  const confirm = () => call(`/console/api/data/definitions/${id}/confirm`, { method: 'POST' }).then(changed)
  const since = stale && `Between ${moment(stale.seen_at)} and ${moment(stale.changed_at)}: ${stale.changes.join(' ')}`
  return (
    <details class="card" open={titleOf(definition) === DOUBTFUL}>
      <summary>
        {name} {faults.length > 0 && <Badge tone="bad" text="Does not fit" />} {stale && <Badge tone="fair" text="Stale" />}{' '}
        <small>{KINDS[kind].file}</small>
      </summary>
      {[...faults, since].map(sentence => sentence && <p key={sentence}>{sentence}</p>)}
      {stale && faults.length === 0 && may.define && <Action label="It is still right" work={confirm} />}
      <p class="soft">{meaningOf(definition)}</p>
      {example && <p class="soft">{`It is only an example for the model: ${example}.`}</p>}
      {sql && <pre>{sql}</pre>}
      {kind === 'verified' && <LastRun {...definition} />}
    </details>
  )
}

function meaningOf({ kind, entry }: Definition): string {
  if (kind === 'term') return `${entry.means}${entry.also.length > 0 ? ` Also: ${entry.also.join(', ')}.` : ''}`
  if (kind === 'metric') return `In ${entry.unit}. One row is ${entry.grain}. ${entry.description}`
  const names = entry.template?.parameters?.map(parameter => parameter.name) ?? []
  return `${entry.verified_by} verified it on ${entry.verified_at}.${names.length > 0 ? ` Parameters: ${names.join(', ')}.` : ''}`
}

function LastRun({ id, last_run: before }: Definition) {
  const [ran, setRan] = useState<VerifiedRunJson>()
  const last = ran?.last_run ?? before
  const run = async () => setRan(await call<VerifiedRunJson>(`/console/api/data/verified/${id}/run`, { method: 'POST' }))
  const outcome = last && (last.error ?? `${count(last.rows, 'row')} in ${duration(last.ms)}`)
  return (
    <>
      <p class="row">
        <Action label="Run" work={run} />
        <span class="soft" role="status">
          {last
            ? `Last run ${moment(last.at)} by ${nameInWords(last.person)}: ${outcome}`
            : 'Nobody with your rights has run it here.'}
        </span>
      </p>
      {ran?.last_run.error === null && <Rows name="the verified query" {...ran} />}
    </>
  )
}
