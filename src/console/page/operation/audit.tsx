import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { AuditJson } from '../../operation-json.ts'
import { call, sentenceOf, useApi } from '../api.ts'
import { duration, money, number } from '../format.ts'
import { Empty, Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { dayAndClock } from './times.ts'

type Line = AuditJson['lines'][number]

const KINDS = ['model_call', 'query', 'answer', 'press', 'access', 'token', 'replay', 'draft']

const COLUMNS: readonly Column<Line>[] = [
  { head: 'Time', cell: line => dayAndClock(line.at) },
  { head: 'Kind', cell: line => line.kind.replaceAll('_', ' ') },
  {
    head: 'Person',
    cell: line => line.person && <Link href={`~/runs?person=${encodeURIComponent(line.person)}`}>{line.person}</Link>,
  },
  { head: 'Outcome', cell: line => line.outcome },
  {
    head: 'Run',
    kind: 'aside',
    cell: line => line.run.startsWith('run_') && <Link href={`~/runs/${line.run}`}>{line.run}</Link>,
  },
  { head: 'What', kind: 'wide', cell: line => [line.step, line.source, line.subject, line.role].filter(Boolean).join(' · ') },
  { head: 'Rows', kind: 'number aside', cell: line => number(line.rows || null) },
  { head: 'Tokens', kind: 'number aside', cell: line => number(line.tokens_in + line.tokens_out || null) },
  { head: 'Cost', kind: 'number aside', cell: line => money(line.cost) },
  { head: 'Took', kind: 'number aside', cell: line => duration(line.duration_ms || null) },
]

/** The audit log, the newest line first. */
export function Audit() {
  const [filter, setFilter] = useState({ person: '', kind: '', from: '', to: '' })
  const set = (name: keyof typeof filter) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setFilter({ ...filter, [name]: event.currentTarget.value })
  const { person, kind, from, to } = filter
  const asked = new URLSearchParams({
    ...(person && { person }),
    ...(kind && { kind }),
    ...(from && { from: `${Date.parse(`${from}T00:00`)}` }),
    ...(to && { to: `${Date.parse(`${to}T23:59:59.999`)}` }),
  })
  const path = `/console/api/operation/audit?${asked}`
  return (
    <>
      <form class="row" onSubmit={event => event.preventDefault()}>
        <input aria-label="Person" placeholder="Person, as slack/U1" value={person} onChange={set('person')} />
        <select aria-label="Kind" value={kind} onChange={set('kind')}>
          <option value="">every kind</option>
          {KINDS.map(each => (
            <option key={each} value={each}>
              {each.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
        <label>
          from <input type="date" value={from} onChange={set('from')} />
        </label>
        <label>
          to <input type="date" value={to} onChange={set('to')} />
        </label>
      </form>
      <Lines key={path} path={path} />
    </>
  )
}

function Lines({ path }: { readonly path: string }) {
  const first = useApi<AuditJson>(path)
  const [more, setMore] = useState<readonly AuditJson[]>([])
  const [problem, setProblem] = useState<string>()
  return (
    <Ready loaded={first}>
      {data => {
        const pages = [data, ...more]
        const lines = pages.flatMap(page => page.lines)
        const next = pages.at(-1)?.next ?? null
        const readOn = () =>
          call<AuditJson>(`${path}&cursor=${encodeURIComponent(next ?? '')}`).then(
            page => setMore([...more, page]),
            (error: unknown) => setProblem(sentenceOf(error)),
          )
        return (
          <>
            {lines.length === 0 && (
              <Empty>{next === null ? 'No line is like that.' : 'None of the latest lines is like that.'}</Empty>
            )}
            {lines.length > 0 && <Table label="Lines of the audit log" columns={COLUMNS} rows={lines} keyOf={line => line.id} />}
            {problem && <Failure problem={problem} />}
            <p class="row">
              {next !== null && (
                <button type="button" onClick={readOn}>
                  Look further back
                </button>
              )}
              <span class="small">
                {number(lines.length)} lines, the newest first, in your time zone. Kept in: {data.kept_in.join('; ')}.
              </span>
            </p>
          </>
        )
      }}
    </Ready>
  )
}
