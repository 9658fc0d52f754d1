import { Link } from 'wouter-preact'
import type { OperationJson } from '../../operation-routes.ts'
import { count, number } from '../format.ts'
import { Badge, Empty } from '../parts/states.tsx'
import { agoOf } from './ago.ts'

/** States of a readiness check or a breaker, in words. Other states are words already. */
const STATES: Readonly<Record<string, string>> = {
  true: 'ok',
  false: 'fails',
  closed: 'ok',
  open: 'does not answer, is left alone',
  half_open: 'is tried again',
}
const TROUBLES = ['false', 'open', 'half_open']

/** Tells how many processes work as they should. */
export function Health({ now: { processes } }: { readonly now: OperationJson }) {
  const well = processes.filter(
    each => !each.is_silent && !Object.values(each.checks).some(state => TROUBLES.includes(`${state}`)),
  )
  return (
    <Badge tone={well.length === processes.length ? 'good' : 'bad'}>
      {well.length} of {count(processes.length, 'process', 'processes')} ready
    </Badge>
  )
}

/** The health of each process, from its latest report. */
export function Processes({ now: { at, processes } }: { readonly now: OperationJson }) {
  return (
    <section>
      <h2>Processes</h2>
      <p class="small">Each reports every 10 s. One that has died is shown for 15 min.</p>
      <ul class="processes">
        {processes.map(({ id, kind, version, since, checks, ...report }) => (
          <li key={id} class="card">
            <h3>
              {kind} <span class="small">{id}</span>
            </h3>
            <p class="row">
              {report.is_silent && <Badge tone="bad">silent for {agoOf(at - report.at)}</Badge>}
              {Object.entries(checks).map(([name, state]) => (
                <Badge key={name} tone={TROUBLES.includes(`${state}`) ? 'bad' : 'good'}>
                  {name}: {STATES[`${state}`] ?? state}
                </Badge>
              ))}
            </p>
            <p class="small">
              Version {version}, up for {agoOf(at - since)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The errors that the processes have reported, by what failed and how. */
export function Errors({ now: { processes, error_minutes: minutes } }: { readonly now: OperationJson }) {
  const counts = new Map<string, number>()
  for (const [kind, times] of processes.flatMap(({ errors }) => Object.entries(errors)))
    counts.set(kind, times + (counts.get(kind) ?? 0))
  return (
    <section>
      <h2>Errors of the last {minutes} min</h2>
      {counts.size === 0 && <Empty>No process reports an error.</Empty>}
      <ul class="row">
        {[...counts].map(([kind, times]) => (
          <li key={kind} class="badge bad">
            {kind.replaceAll('_', ' ')}: {number(times)} ×
          </li>
        ))}
      </ul>
      <Link href="~/runs?outcome=failed">All failed runs</Link>
    </section>
  )
}
