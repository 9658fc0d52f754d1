import { Link, Route, Switch, useLocation, useParams } from 'wouter-preact'
import type { ShownSubscription, SubscriptionWithRuns } from '../../../subscriptions/shown-subscriptions.ts'
import type { Steering } from '../../../subscriptions/steer.ts'
import { call, useAction, useApi } from '../api.ts'
import { moment, money, number } from '../format.ts'
import { useLive } from '../operation/operation.tsx'
import { Badge, Empty, Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

const PATH = '/console/api/subscriptions'
const HIDDEN = 'Hidden'
const OUTCOMES = {
  told: ['good', 'Told'],
  quiet: ['quiet', 'Quiet'],
  no_new_data: ['quiet', 'No new data'],
  failed: ['bad', 'Failed'],
  stopped: ['bad', 'Stopped'],
  paused: ['fair', 'Paused'],
  lost: ['bad', 'Lost'],
} as const satisfies Record<NonNullable<ShownSubscription['last']>, readonly [string, string]>

/** The reports and alerts that come by themselves: all, and one. */
export function Subscriptions() {
  return (
    <Switch>
      <Route path="/" component={All} />
      <Route path="/:id" component={One} />
    </Switch>
  )
}

const COLUMNS: readonly Column<ShownSubscription>[] = [
  { head: 'Question', kind: 'wide', cell: ({ id, question }) => <Link href={`/${id}`}>{question ?? HIDDEN}</Link> },
  { head: 'Owner', kind: 'aside', cell: ({ owner }) => owner },
  { head: 'Comes', kind: 'aside', cell: ({ kind, schedule }) => `${kind}, ${schedule}` },
  { head: 'Next', kind: 'aside', cell: ({ next }) => (next === null ? '–' : moment(next)) },
  { head: 'State', cell: stateOf },
  { head: 'Last run', cell: ({ last }) => <Outcome outcome={last} /> },
]

function All() {
  return (
    <>
      <h1>Subscriptions</h1>
      <Ready loaded={useApi<readonly ShownSubscription[]>(PATH)}>
        {all =>
          all.length === 0 ? (
            <Empty>Nothing comes by itself yet. In a chat, “Repeat this…” below an answer sets it up.</Empty>
          ) : (
            <Table label="Subscriptions" columns={COLUMNS} rows={all} keyOf={({ id }) => id} />
          )
        }
      </Ready>
    </>
  )
}

const RUN_COLUMNS: readonly Column<SubscriptionWithRuns['runs'][number]>[] = [
  {
    head: 'Due',
    cell: ({ due, run_id: run }) => (run === null ? moment(due) : <Link href={`~/runs/${run}`}>{moment(due)}</Link>),
  },
  { head: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { head: 'New data', cell: ({ gate }) => (gate === null ? '–' : gate === 'open' ? 'yes' : 'no') },
  {
    head: 'Condition',
    cell: ({ firing }) => (firing === null ? '–' : firing === 0 ? 'no' : `yes, ${number(firing)} of the rows`),
  },
  { head: 'Rows', kind: 'number', cell: ({ rows }) => number(rows) },
  { head: 'Cost', kind: 'number', cell: ({ cost }) => money(cost) },
  { head: 'Late', cell: ({ is_late: isLate, missed }) => `${isLate ? 'yes' : ''}${missed > 0 ? ` after ${missed} missed` : ''}` },
]

function One() {
  const { id = '' } = useParams()
  const [, go] = useLocation()
  const loaded = useLive<SubscriptionWithRuns>(`${PATH}/${encodeURIComponent(id)}`, 5_000)
  const { act, isBusy, problem } = useAction()
  const steer = (steering: Steering, then: () => void = loaded.reload) =>
    act(() => call(`${PATH}/${encodeURIComponent(id)}/${steering}`, { method: 'POST' }).then(then))
  const button = (label: string, press: () => void) => (
    <button type="button" disabled={isBusy} onClick={press}>
      {label}
    </button>
  )
  return (
    <Ready loaded={loaded}>
      {one => (
        <article>
          <h1>{one.question ?? HIDDEN}</h1>
          <p class="small">{[`${one.kind}, ${one.schedule}`, `of ${one.owner}`, one.condition ?? 'each time'].join(' · ')}</p>
          <p role="status">{`${stateOf(one)}${one.next === null ? '' : `; next ${moment(one.next)}`}`}</p>
          <p class="row">
            {one.status === 'active' ? button('Pause', () => steer('pause')) : button('Resume', () => steer('resume'))}
            {one.status === 'active' && button('Run now', () => steer('run'))}
            {button('Delete', () => confirm('Delete it with its history?') && steer('delete', () => go('/')))}
          </p>
          {problem && <Failure problem={problem} />}
          <h2>Runs</h2>
          <Table label="Runs" columns={RUN_COLUMNS} rows={one.runs} keyOf={({ due }) => due} />
          <h2>SQL</h2>
          {one.sql === null ? <Empty>{HIDDEN}</Empty> : one.sql.map(sql => <pre key={sql}>{sql}</pre>)}
        </article>
      )}
    </Ready>
  )
}

function stateOf({ status, alert }: ShownSubscription): string {
  return alert === null ? status : `${status}, ${alert}`
}

function Outcome({ outcome }: { readonly outcome: ShownSubscription['last'] }) {
  if (outcome === null) return <>–</>
  const [tone, label] = OUTCOMES[outcome]
  return <Badge tone={tone}>{label}</Badge>
}
