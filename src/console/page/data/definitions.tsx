import { useState } from 'preact/hooks'
import type { DefinitionJson, DomainJson, VerifiedRunJson } from '../../data-json.ts'
import { Rows } from '../answer/rows.tsx'
import { call, useAction, useApi } from '../api.ts'
import { count, duration, moment } from '../format.ts'
import { Markdown } from '../parts/markdown.tsx'
import { Badge, Empty, Failure, Ready } from '../parts/states.tsx'
import { useSession } from '../session.ts'

const KINDS = {
  verified: { title: 'Verified queries', file: 'verified-queries.yaml' },
  metric: { title: 'Metrics', file: 'metrics.yaml' },
  term: { title: 'Glossary', file: 'glossary.yaml' },
} as const

/** The domain pack: first what does not fit the data any more. */
export function Definitions() {
  const loaded = useApi<DomainJson>('/console/api/data/domain')
  return (
    <Ready loaded={loaded}>
      {({ folder, problem, overview, definitions }) => {
        const doubtful = definitions.filter(isDoubtful)
        const list = (title: string, of: readonly DefinitionJson[]) =>
          of.length > 0 && (
            <section>
              <h2>{`${title} (${of.length})`}</h2>
              {of.map(each => (
                <Definition key={each.id} definition={each} changed={loaded.reload} />
              ))}
            </section>
          )
        return (
          <>
            {problem && <Failure problem={problem} />}
            {folder && <p class="small">{`The files are in ${folder}. Workers read them when they start.`}</p>}
            {list('Stale or wrong', doubtful)}
            {doubtful.length === 0 && problem === null && <Empty>All definitions fit the data.</Empty>}
            {Object.entries(KINDS).map(([kind, { title }]) =>
              list(
                title,
                definitions.filter(each => each.kind === kind && !isDoubtful(each)),
              ),
            )}
            {overview && (
              <details class="definition">
                <summary>What the model reads of the catalog text and the glossary</summary>
                <Markdown text={overview} />
              </details>
            )}
          </>
        )
      }}
    </Ready>
  )
}

function isDoubtful({ faults, stale }: DefinitionJson): boolean {
  return faults.length > 0 || stale !== null
}

interface DefinitionProps {
  readonly definition: DefinitionJson
  changed(): void
}

function Definition({ definition, changed }: DefinitionProps) {
  const { kind, id, name, sql, faults, stale, example_because: example } = definition
  const { may } = useSession()
  const { act, isBusy, problem } = useAction()
  const confirm = () => call(`/console/api/data/definitions/${id}/confirm`, { method: 'POST' }).then(changed)
  return (
    <details class="definition" open={isDoubtful(definition)}>
      <summary>
        {name} {faults.length > 0 && <Badge tone="bad">Does not fit</Badge>} {stale && <Badge tone="fair">Stale</Badge>}{' '}
        <small>{KINDS[kind].file}</small>
      </summary>
      {faults.map(fault => (
        <p key={fault}>{fault}</p>
      ))}
      {stale && (
        <p>
          {`${stale.changes.join(' ')} This happened between ${moment(stale.seen_at)} and ${moment(stale.changed_at)}. `}
          {may.define && faults.length === 0 && (
            <button type="button" disabled={isBusy} onClick={() => act(confirm)}>
              It is still right
            </button>
          )}
        </p>
      )}
      {problem && <Failure problem={problem} />}
      <p class="soft">{meaningOf(definition)}</p>
      {example && <p class="soft">{`It is only an example for the model: ${example}.`}</p>}
      {sql && <pre>{sql}</pre>}
      {kind === 'verified' && <LastRun definition={definition} />}
    </details>
  )
}

function meaningOf({ kind, entry }: DefinitionJson): string {
  if (kind === 'term') return [entry.means, entry.also.length > 0 ? `Also: ${entry.also.join(', ')}.` : ''].join(' ')
  if (kind === 'metric') return `In ${entry.unit}. One row is ${entry.grain}. ${entry.description}`
  const parameters = entry.template?.parameters?.map(parameter => parameter.name).join(', ')
  return `${entry.verified_by} verified it on ${entry.verified_at}.${parameters ? ` Parameters: ${parameters}.` : ''}`
}

function LastRun({ definition: { id, last_run: before } }: Pick<DefinitionProps, 'definition'>) {
  const [ran, setRan] = useState<VerifiedRunJson>()
  const { act, isBusy, problem } = useAction()
  const last = ran?.last_run ?? before
  const run = async () => setRan(await call<VerifiedRunJson>(`/console/api/data/verified/${id}/run`, { method: 'POST' }))
  return (
    <>
      <p class="row">
        <button type="button" disabled={isBusy} onClick={() => act(run)}>
          {isBusy ? 'Running …' : 'Run'}
        </button>
        <span class="soft" role="status">
          {last
            ? `Last run ${moment(last.at)} by ${last.person}: ${last.error ?? `${count(last.rows ?? 0, 'row')} in ${duration(last.ms)}`}`
            : 'Nobody with your rights has run it here.'}
        </span>
      </p>
      {problem && <Failure problem={problem} />}
      {ran?.last_run.error === null && <Rows name="the verified query" columns={ran.columns} rows={ran.rows} />}
    </>
  )
}
