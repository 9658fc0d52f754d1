import { Link } from 'wouter-preact'
import type { LetterJson, OperationJson } from '../../operation-routes.ts'
import { call } from '../api.ts'
import { ago, count, errorInWords, nameInWords, number } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Badge, Empty, Figures, Load } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Use } from './use.tsx'

/** The queue, who uses what, processes, dead letters and errors, as they are now. */
export function Now() {
  return (
    <Load<OperationJson> path="/console/api/operation" everyMs={5_000}>
      {now => (
        <>
          <Queue {...now} />
          <Use />
          <Processes {...now} />
          {now.queue.deadLetters > 0 && <DeadLetters count={now.queue.deadLetters} />}
          <Errors {...now} />
        </>
      )}
    </Load>
  )
}

function Queue({ at, queue, processes }: OperationJson) {
  const ready = processes.filter(isReady).length
  const all = count(processes.length, 'process', 'processes')
  return (
    <>
      <Figures
        of={[
          ['No reply yet', count(queue.messages, 'message'), `in ${count(queue.threads, 'thread')}`],
          ['Oldest of them', ago(queue.oldestSeconds * 1_000), 'since it was written'],
          ['Running', count(queue.running, 'thread'), 'workers answer them'],
          ['Delayed', count(queue.delayed, 'thread'), 'tried again later'],
          ['Given up', count(queue.deadLetters, 'message'), 'in the last 30 days'],
        ]}
      />
      <p class="small">
        <Badge tone={ready === processes.length ? 'good' : 'bad'} text={`${ready} of ${all} ready`} /> Read at{' '}
        {new Date(at).toLocaleTimeString('en-GB')}, and again every 5 s.
      </p>
    </>
  )
}

/** States of a readiness check or a breaker, in words. Other states are words already. */
const STATES: Readonly<Record<string, string>> = {
  true: 'ok',
  false: 'fails',
  closed: 'ok',
  open: 'does not answer, is left alone',
  half_open: 'is tried again',
}

function toneOf(state: unknown): 'good' | 'bad' {
  return ['false', 'open', 'half_open'].includes(`${state}`) ? 'bad' : 'good'
}

/** Whether a process works as it should. */
function isReady({ is_silent: isSilent, checks }: OperationJson['processes'][number]): boolean {
  return !isSilent && !Object.values(checks).some(state => toneOf(state) === 'bad')
}

/** The health of each process, from its latest report. */
function Processes({ at, processes }: OperationJson) {
  return (
    <section>
      <h2>Processes</h2>
      <p class="small">Each reports every 10 s. One that has died is shown for 15 min.</p>
      <ul class="processes">
        {processes.map(({ id, kind, version, since, checks, ...report }) => (
          <li key={id} class="card">
            <h3>
              {kind} <small>{id}</small>
            </h3>
            <p class="row">
              {report.is_silent && <Badge tone="bad" text={`silent for ${ago(at - report.at)}`} />}
              {Object.entries(checks).map(([name, state]) => (
                <Badge key={name} tone={toneOf(state)} text={`${name}: ${STATES[`${state}`] ?? state}`} />
              ))}
            </p>
            <p class="small">{`Version ${version}, up for ${ago(at - since)}`}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The errors that the processes have reported, by what failed and how. */
function Errors({ processes, error_minutes: minutes }: OperationJson) {
  const counts = new Map<string, number>()
  for (const [kind, times] of processes.flatMap(({ errors }) => Object.entries(errors)))
    counts.set(kind, times + (counts.get(kind) ?? 0))
  return (
    <section>
      <h2>Errors of the last {minutes} min</h2>
      {counts.size === 0 && <Empty>No process reports an error.</Empty>}
      <p class="row">
        {[...counts].map(([kind, times]) => (
          <Badge key={kind} tone="bad" text={`${kind.split(' ').map(errorInWords).join(': ')}, ${number(times)} ×`} />
        ))}
      </p>
      <Link href="/runs?outcome=failed">All failed runs</Link>
    </section>
  )
}

const LETTERS = '/console/api/operation/dead-letters'

/** The messages that were given up. An operator has them answered again, or drops them. */
function DeadLetters({ count }: { readonly count: number }) {
  return (
    <section>
      <h2>Dead letters of the last 30 days</h2>
      <p class="small">Clew could neither answer these messages nor tell their authors.</p>
      <Load<readonly LetterJson[]> path={`${LETTERS}?count=${count}`}>
        {(letters, reload) => <Table label="Dead letters" columns={letterColumns(reload)} rows={letters} />}
      </Load>
    </section>
  )
}

function letterColumns(changed: () => void): readonly Column<LetterJson>[] {
  const settle = async ({ id, person, reason }: LetterJson, question: string, path: string, method: 'POST' | 'DELETE') => {
    if (!confirm(`${question}\n\n${id} of ${person === null ? 'somebody unknown' : nameInWords(person)}: ${reason}`)) return
    await call(`${LETTERS}/${id}${path}`, { method })
    changed()
  }
  const retry = (letter: LetterJson) => settle(letter, 'Answer this message again, in its thread?', '/retry', 'POST')
  const drop = (letter: LetterJson) => settle(letter, 'Drop this message for good?', '', 'DELETE')
  return [
    { head: 'Run', cell: ({ id }) => <Link href={`/runs/${id}`}>{id}</Link> },
    { head: 'Given up', cell: ({ at }) => `${ago(Date.now() - at)} ago` },
    { head: 'Person', cell: ({ person }) => (person === null ? 'cannot be read' : nameInWords(person)) },
    { head: 'Reason', kind: 'wide', cell: ({ reason }) => reason },
    { head: 'Answer', cell: each => <Action label="Retry" look="link" isOff={each.person === null} work={() => retry(each)} /> },
    { head: 'Give up', cell: each => <Action label="Drop" look="link" work={() => drop(each)} /> },
  ]
}
