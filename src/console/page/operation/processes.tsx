import type { OperationJson } from '../../operation-json.ts'
import { Badge } from '../parts/states.tsx'
import { agoOf } from './times.ts'

/** The health of each process, from its latest report. */
export function Processes({ now: { at, processes } }: { readonly now: OperationJson }) {
  return (
    <section>
      <h2>Processes</h2>
      <p class="small">Each process reports every 10 s. A process that died is shown for 15 min.</p>
      <ul class="processes">
        {processes.map(process => (
          <li key={process.id} class="card">
            <h3>
              {process.kind} <span class="small">{process.id}</span>
            </h3>
            <p class="row">
              {process.is_silent ? (
                <Badge tone="bad">silent for {agoOf(at - process.at)}</Badge>
              ) : (
                <Badge tone={Object.values(process.checks).includes(false) ? 'bad' : 'good'}>
                  {Object.values(process.checks).includes(false) ? 'not ready' : 'ready'}
                </Badge>
              )}
              {Object.entries(process.checks).map(([name, holds]) => (
                <Badge key={name} tone={holds === false ? 'bad' : 'quiet'}>
                  {name}: {holds === true ? 'ok' : holds === false ? 'fails' : holds}
                </Badge>
              ))}
              {process.breakers.map(({ name, state }) => (
                <Badge key={name} tone={state === 'closed' ? 'quiet' : 'bad'}>
                  {name}: {BREAKERS[state] ?? state}
                </Badge>
              ))}
              {process.model && (
                <Badge tone={process.model.outcome === 'answered' ? 'quiet' : 'bad'}>
                  {process.model.model}: {process.model.outcome.replaceAll('_', ' ')} {agoOf(at - process.model.at)} ago
                </Badge>
              )}
            </p>
            <p class="small">
              Version {process.version}, up for {agoOf(at - process.since)}, report of {agoOf(at - process.at)} ago
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** States of breakers in words. A breaker spares a part that does not answer. */
const BREAKERS: Readonly<Record<string, string>> = {
  closed: 'asked as usual',
  open: 'left alone, it does not answer',
  half_open: 'is tried again',
}
