import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { AuditJson } from '../../operation-routes.ts'
import { call, useApi } from '../api.ts'
import { duration, money, number } from '../format.ts'
import { Action } from '../parts/action.tsx'
import { Choice } from '../parts/choice.tsx'
import { Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

const KINDS = ['model_call', 'query', 'answer', 'press', 'access', 'token', 'replay', 'draft']
const OPTIONS = { '': 'every kind', ...Object.fromEntries(KINDS.map(kind => [kind, kind.replaceAll('_', ' ')])) }

const COLUMNS: readonly Column<AuditJson['lines'][number]>[] = [
  { head: 'Time', cell: ({ at }) => new Date(at).toLocaleString('en-GB') },
  { head: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { head: 'Person', cell: ({ person }) => person && <Link href={`~/runs?person=${encodeURIComponent(person)}`}>{person}</Link> },
  { head: 'Outcome', cell: ({ outcome }) => outcome.replaceAll('_', ' ') },
  { head: 'Run', kind: 'aside', cell: ({ run }) => (run.startsWith('run_') ? <Link href={`~/runs/${run}`}>{run}</Link> : run) },
  { head: 'What', kind: 'wide', cell: line => [line.step, line.source, line.subject, line.role].filter(Boolean).join(' · ') },
  { head: 'Rows', kind: 'number aside', cell: ({ rows }) => number(rows || null) },
  { head: 'Tokens', kind: 'number aside', cell: line => number(line.tokens_in + line.tokens_out || null) },
  { head: 'Cost', kind: 'number aside', cell: ({ cost }) => money(cost) },
  { head: 'Took', kind: 'number aside', cell: line => duration(line.duration_ms || null) },
]

/** The audit log, the newest line first. */
export function Audit() {
  const [asked, setAsked] = useState({ person: '', kind: '', from: '', to: '', store: '0' })
  const field = (name: keyof typeof asked, type: string) => (
    <label class="row">
      {name}{' '}
      <input
        type={type}
        value={asked[name]}
        // A change comes when the field is left or Enter is pressed, so that not each letter asks the server.
        onChange={event => setAsked({ ...asked, [name]: event.currentTarget.value })}
      />
    </label>
  )
  const times = { from: asked.from && `${Date.parse(asked.from)}`, to: asked.to && `${Date.parse(asked.to)}` }
  const given = Object.entries({ ...asked, ...times }).filter(([, value]) => value !== '')
  const path = `/console/api/operation/audit?${new URLSearchParams(given)}`
  return (
    <>
      <div class="row">
        {field('person', 'text')}
        <Choice label="Kind" options={OPTIONS} chosen={asked.kind} choose={kind => setAsked({ ...asked, kind })} />
        {field('from', 'datetime-local')}
        {field('to', 'datetime-local')}
      </div>
      <Lines key={path} path={path} choose={store => setAsked({ ...asked, store })} chosen={asked.store} />
    </>
  )
}

function Lines({ path, ...store }: { readonly path: string; readonly chosen: string; choose(store: string): void }) {
  const first = useApi<AuditJson>(path)
  const [more, setMore] = useState<readonly AuditJson[]>([])
  return (
    <Ready loaded={first}>
      {data => {
        const pages = [data, ...more]
        const lines = pages.flatMap(page => page.lines)
        const next = pages.at(-1)?.next
        const readOn = async () =>
          setMore([...more, await call<AuditJson>(`${path}&${new URLSearchParams({ cursor: next ?? '' })}`)])
        return (
          <>
            <Table label="Lines of the audit log" columns={COLUMNS} rows={lines} keyOf={line => line.id} />
            <p class="row">
              {next !== undefined && <Action label="Show older ones" work={readOn} />}
              <span class="small">{number(lines.length)} lines, the newest first, in your time zone, of</span>
              <Choice label="Store" options={Object.fromEntries(data.stores.entries())} {...store} />
            </p>
          </>
        )
      }}
    </Ready>
  )
}
