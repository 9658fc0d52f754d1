import { Link } from 'wouter-preact'
import type { AuditJson } from '../../operation-routes.ts'
import { count, duration, facts, money, number, withQuery, words } from '../format.ts'
import { Filters, NextPage, optionsOf, useAddress } from '../parts/controls.tsx'
import { Load } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

const KINDS = ['model_call', 'query', 'answer', 'press', 'access', 'token', 'replay', 'draft']

const COLUMNS: readonly Column<AuditJson['lines'][number]>[] = [
  { head: 'Time', cell: ({ at }) => new Date(at).toLocaleString('en-GB') },
  { head: 'Kind', cell: ({ kind }) => words(kind) },
  { head: 'Person', cell: ({ person }) => person && <Link href={withQuery('/runs', { person })}>{person}</Link> },
  { head: 'Outcome', cell: ({ outcome }) => words(outcome) },
  { head: 'Run', kind: 'aside', cell: ({ run }) => (run.startsWith('run_') ? <Link href={`/runs/${run}`}>{run}</Link> : run) },
  { head: 'What', kind: 'wide', cell: ({ step, source, subject, role }) => facts(step, source, subject, role) },
  { head: 'Rows', kind: 'number aside', cell: ({ rows }) => number(rows || null) },
  { head: 'Tokens', kind: 'number aside', cell: line => number(line.tokens_in + line.tokens_out || null) },
  { head: 'Cost', kind: 'number aside', cell: ({ cost }) => money(cost) },
  { head: 'Took', kind: 'number aside', cell: line => duration(line.duration_ms || null) },
]

/** The audit log, the newest line first. */
export function Audit() {
  const [{ from, to, before: cursor, ...asked }] = useAddress()
  const times = { from: from && `${Date.parse(from)}`, to: to && `${Date.parse(to)}` }
  const path = withQuery('/console/api/operation/audit', { ...asked, ...times, cursor })
  return (
    <>
      <Filters
        filters={[
          { name: 'person', label: 'person', type: 'text' },
          { name: 'kind', label: 'Kind', options: [['', 'every kind'], ...optionsOf(KINDS, words)] },
          { name: 'from', label: 'from', type: 'datetime-local' },
          { name: 'to', label: 'to', type: 'datetime-local' },
        ]}
      />
      <Load<AuditJson> key={path} path={path}>
        {({ lines, next, stores }) => (
          <>
            <Table label="Lines of the audit log" columns={COLUMNS} rows={lines} />
            <NextPage before={next} />
            <p class="small">{count(lines.length, 'line')}, the newest first, in your time zone</p>
            <Filters
              filters={[{ name: 'store', label: 'Store', options: stores.map((name, at) => [`${at}`, name]), usual: '0' }]}
            />
          </>
        )}
      </Load>
    </>
  )
}
