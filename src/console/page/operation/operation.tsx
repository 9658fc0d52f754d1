import { useEffect } from 'preact/hooks'
import { Route, Switch, useLocation } from 'wouter-preact'
import type { OperationJson } from '../../operation-json.ts'
import { useApi } from '../api.ts'
import { count } from '../format.ts'
import { Badge, Ready } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Audit } from './audit.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Errors } from './errors.tsx'
import { Processes } from './processes.tsx'
import { agoOf, clock } from './times.ts'
import { Use } from './use.tsx'

const TABS = [
  { id: '/', label: 'Now and use' },
  { id: '/audit', label: 'Audit' },
]

/** What an operator looks at: processes, the queue, who uses what, errors, and the audit log. */
export function Operation() {
  const [path, go] = useLocation()
  return (
    <div class="operation">
      <h1>Operation</h1>
      <Tabs label="Parts of this page" tabs={TABS} chosen={path === '/audit' ? path : '/'} choose={go}>
        <Switch>
          <Route path="/audit" component={Audit} />
          <Route component={Now} />
        </Switch>
      </Tabs>
    </div>
  )
}

const REFRESH_MS = 5_000

function Now() {
  const state = useApi<OperationJson>('/console/api/operation')
  const { reload } = state
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [reload])
  return (
    <>
      <Ready loaded={state}>{now => <Figures now={now} />}</Ready>
      <Use />
      <Ready loaded={state}>
        {now => (
          <>
            <Processes now={now} />
            <DeadLetters count={now.queue.deadLetters} />
            <Errors now={now} />
          </>
        )}
      </Ready>
    </>
  )
}

function Figures({ now }: { readonly now: OperationJson }) {
  const { queue, at } = now
  const troubles = troublesOf(now)
  return (
    <>
      <p class="row">
        {troubles.length === 0 ? <Badge tone="good">All is well</Badge> : troubles.map(each => <Badge tone="bad">{each}</Badge>)}
        <span class="small">
          Read at {clock(at)}, again every {REFRESH_MS / 1_000} s.
        </span>
      </p>
      <dl class="figures">
        <Figure name="No reply yet" value={count(queue.messages, 'message')} more={`in ${count(queue.threads, 'thread')}`} />
        <Figure name="Oldest of them" value={agoOf(queue.oldestSeconds * 1_000)} more="since it was written" />
        <Figure name="Running" value={count(queue.running, 'thread')} more="a worker answers them" />
        <Figure name="Delayed" value={count(queue.delayed, 'thread')} more="tried again later" />
        <Figure name="Given up" value={count(queue.deadLetters, 'message')} more="of the last 30 days" />
      </dl>
    </>
  )
}

function Figure({ name, value, more }: { readonly name: string; readonly value: string; readonly more: string }) {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong> <span class="small">{more}</span>
      </dd>
    </div>
  )
}

function troublesOf({ processes, queue }: OperationJson): readonly string[] {
  const alive = processes.filter(each => !each.is_silent)
  return [
    ...(['worker', 'serve'] as const).filter(kind => !alive.some(each => each.kind === kind)).map(kind => `no ${kind} reports`),
    ...processes.filter(each => each.is_silent).map(({ id }) => `${id} is silent`),
    ...alive.flatMap(({ id, checks }) =>
      Object.entries(checks).flatMap(([check, holds]) => (holds === false ? `${id}: ${check} fails` : [])),
    ),
    ...alive.flatMap(({ id, breakers }) =>
      breakers.flatMap(({ name, state }) => (state === 'closed' ? [] : `${id}: ${name} is left alone`)),
    ),
    ...(queue.deadLetters > 0 ? [count(queue.deadLetters, 'dead letter')] : []),
  ]
}
