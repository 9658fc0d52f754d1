import { useState } from 'preact/hooks'
import type { DomainJson, VerifiedRunJson } from '../../data-routes.ts'
import { Rows } from '../answer/rows.tsx'
import { call, useApi } from '../api.ts'
import { count, duration, moment } from '../format.ts'
import { Action } from '../parts/action.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Badge, Failure, Ready } from '../parts/states.tsx'
import { useSession } from '../session.ts'

type Definition = DomainJson['definitions'][number]

const FILES = { verified: 'verified-queries.yaml', metric: 'metrics.yaml', term: 'glossary.yaml' } as const
const GROUPS: readonly (readonly [string, (definition: Definition) => boolean])[] = [
  ['Stale or wrong', isDoubtful],
  ['Verified queries', each => each.kind === 'verified' && !isDoubtful(each)],
  ['Metrics', each => each.kind === 'metric' && !isDoubtful(each)],
  ['Glossary', each => each.kind === 'term' && !isDoubtful(each)],
]

function isDoubtful({ faults, stale }: Definition): boolean {
  return faults.length > 0 || stale !== null
}

/** The domain pack: first what does not fit the data any more. */
export function Definitions() {
  const loaded = useApi<DomainJson>('/console/api/data/domain')
  return (
    <Ready loaded={loaded}>
      {({ folder, problem, overview, definitions }) => (
        <>
          {problem && <Failure problem={problem} />}
          {folder && <p class="small">{`The files are in ${folder}. Workers read them when they start.`}</p>}
          {GROUPS.map(([title, isIn]) => (
            <section key={title}>
              <h2>{`${title}: ${definitions.filter(isIn).length}`}</h2>
              {definitions.filter(isIn).map(each => (
                <Details key={each.id} definition={each} changed={loaded.reload} />
              ))}
            </section>
          ))}
          <details class="definition">
            <summary>What the model reads of the catalog text and the glossary</summary>
            <Markdown text={overview} />
          </details>
        </>
      )}
    </Ready>
  )
}

function Details({ definition, changed }: { readonly definition: Definition; changed(): void }) {
  const { kind, id, name, sql, faults, stale, example_because: example } = definition
  const { may } = useSession()
  const confirm = () => call(`/console/api/data/definitions/${id}/confirm`, { method: 'POST' }).then(changed)
  const since = stale && `Between ${moment(stale.seen_at)} and ${moment(stale.changed_at)}: ${stale.changes.join(' ')}`
  return (
    <details class="definition" open={isDoubtful(definition)}>
      <summary>
        {name} {faults.length > 0 && <Badge tone="bad">Does not fit</Badge>} {stale && <Badge tone="fair">Stale</Badge>}{' '}
        <small>{FILES[kind]}</small>
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
  return (
    <>
      <p class="row">
        <Action label="Run" work={run} />
        <span class="soft" role="status">
          {last
            ? `Last run ${moment(last.at)} by ${last.person}: ${last.error ?? `${count(last.rows, 'row')} in ${duration(last.ms)}`}`
            : 'Nobody with your rights has run it here.'}
        </span>
      </p>
      {ran?.last_run.error === null && <Rows name="the verified query" {...ran} />}
    </>
  )
}
