import { useEffect } from 'preact/hooks'
import { Route, Switch, useLocation } from 'wouter-preact'
import type { OperationJson } from '../../operation-routes.ts'
import { type Loaded, useApi } from '../api.ts'
import { count } from '../format.ts'
import { Ready } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { agoOf } from './ago.ts'
import { Audit } from './audit.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Errors, Health, Processes } from './processes.tsx'
import { Use } from './use.tsx'

const TABS = [
  { id: '/', label: 'Now and use' },
  { id: '/audit', label: 'Audit' },
]

/** The page of an operator: who uses what, the queue, processes, errors, and the audit log. */
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

/** Reads a path again and again while the page is in sight. The last data stay meanwhile. */
export function useLive<Data>(path: string, everyMs: number): Loaded<Data> {
  const loaded = useApi<Data>(path)
  const { reload } = loaded
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), everyMs)
    return () => clearInterval(timer)
  }, [reload, everyMs])
  return loaded
}

function Now() {
  const state = useLive<OperationJson>('/console/api/operation', 5_000)
  return (
    <>
      <Ready loaded={state}>{now => <Queue now={now} />}</Ready>
      <Use />
      {state.data && <Processes now={state.data} />}
      {state.data && state.data.queue.deadLetters > 0 && <DeadLetters count={state.data.queue.deadLetters} />}
      {state.data && <Errors now={state.data} />}
    </>
  )
}

function Queue({ now }: { readonly now: OperationJson }) {
  const { at, queue } = now
  const figures = [
    ['No reply yet', count(queue.messages, 'message'), `in ${count(queue.threads, 'thread')}`],
    ['Oldest of them', agoOf(queue.oldestSeconds * 1_000), 'since it was written'],
    ['Running', count(queue.running, 'thread'), 'workers answer them'],
    ['Delayed', count(queue.delayed, 'thread'), 'tried again later'],
    ['Given up', count(queue.deadLetters, 'message'), 'in the last 30 days'],
  ]
  return (
    <>
      <dl class="figures">
        {figures.map(([name, value, more]) => (
          <div key={name} class="card">
            <dt class="small">{name}</dt>
            <dd>
              <strong>{value}</strong> <span class="small">{more}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p class="small">
        <Health now={now} /> Read at {new Date(at).toLocaleTimeString('en-GB')}, and again every 5 s.
      </p>
    </>
  )
}
