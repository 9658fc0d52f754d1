import { type DefaultParams, Link, useLocation } from 'wouter-preact'
import type { ShownSubscription, SubscriptionWithRuns } from '../../../subscriptions/shown-subscriptions.ts'
import type { Steering } from '../../../subscriptions/steer.ts'
import { call } from '../api.ts'
import { facts, moment, money, nameInWords, number } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Empty, Load, State } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

const PATH = '/console/api/subscriptions'
const HIDDEN = 'Hidden'
const EMPTY = 'Nothing comes by itself yet. In Slack or Discord, “Repeat this…” below an answer sets it up.'

const COLUMNS: readonly Column<ShownSubscription>[] = [
  { head: 'Question', kind: 'wide', cell: ({ id, question }) => <Link href={`/subscriptions/${id}`}>{question ?? HIDDEN}</Link> },
  { head: 'Owner', kind: 'aside', cell: ({ owner }) => nameInWords(owner) },
  { head: 'Comes', kind: 'aside', cell: ({ kind, schedule }) => `${kind}, ${schedule}` },
  { head: 'Next', kind: 'aside', cell: ({ next }) => moment(next) },
  { head: 'State', cell: stateOf },
  { head: 'Last run', cell: ({ last }) => <State of={last} /> },
]

/** The reports and alerts that come by themselves. */
export function Subscriptions() {
  return (
    <>
      <h1>Subscriptions</h1>
      <Load<readonly ShownSubscription[]> path={PATH}>
        {all => <Table label="Subscriptions" columns={COLUMNS} rows={all} empty={EMPTY} />}
      </Load>
    </>
  )
}

const RUN_COLUMNS: readonly Column<SubscriptionWithRuns['runs'][number]>[] = [
  { head: 'Due', cell: ({ due, run_id: run }) => (run ? <Link href={`/runs/${run}`}>{moment(due)}</Link> : moment(due)) },
  { head: 'Outcome', cell: ({ outcome }) => <State of={outcome} /> },
  { head: 'New data', cell: ({ gate }) => (gate === null ? '–' : gate === 'open' ? 'yes' : 'no') },
  { head: 'Condition', cell: ({ firing }) => (firing ? `yes, ${number(firing)} of the rows` : firing === 0 ? 'no' : '–') },
  { head: 'Rows', kind: 'number', cell: ({ rows }) => number(rows) },
  { head: 'Cost', kind: 'number', cell: ({ cost }) => money(cost) },
  { head: 'Late', cell: ({ is_late: isLate, missed }) => `${isLate ? 'yes' : ''}${missed > 0 ? ` after ${missed} missed` : ''}` },
]

/** One of them, with its latest runs. */
export function Subscription({ id = '' }: DefaultParams) {
  const [, go] = useLocation()
  const path = `${PATH}/${encodeURIComponent(id)}`
  const steer = (steering: Steering) => call(`${path}/${steering}`, { method: 'POST' })
  const remove = () => confirm('Delete it with its history?') && steer('delete').then(() => go('/subscriptions'))
  return (
    <Load<SubscriptionWithRuns> path={path} everyMs={5_000}>
      {(one, reload) => {
        const press = (label: string, steering: Steering) => <Action label={label} work={() => steer(steering).then(reload)} />
        return (
          <article>
            <h1>{one.question ?? HIDDEN}</h1>
            <p class="small">
              {facts(`${one.kind}, ${one.schedule}`, `of ${nameInWords(one.owner)}`, one.condition ?? 'each time')}
            </p>
            <p role="status">{`${stateOf(one)}${one.next === null ? '' : `; next ${moment(one.next)}`}`}</p>
            <p class="row">
              {one.status === 'active' ? press('Pause', 'pause') : press('Resume', 'resume')}
              {one.status === 'active' && press('Run now', 'run')}
              <Action label="Delete" work={remove} />
            </p>
            <h2>Runs</h2>
            <Table label="Runs" columns={RUN_COLUMNS} rows={one.runs} />
            <h2>SQL</h2>
            {one.sql === null ? <Empty>{HIDDEN}</Empty> : one.sql.map(sql => <pre key={sql}>{sql}</pre>)}
          </article>
        )
      }}
    </Load>
  )
}

function stateOf({ status, alert }: ShownSubscription): string {
  return alert === null ? status : `${status}, ${alert}`
}
