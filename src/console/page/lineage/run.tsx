import { useState } from 'preact/hooks'
import { Link, useLocation, useSearchParams } from 'wouter-preact'
import type { GraphNodeJson, HoldersJson, JobRunJson, RunGraphJson } from '../../lineage-views.ts'
import type { RunJson } from '../../runs-json.ts'
import { useApi } from '../api.ts'
import { count, duration, moment, number } from '../format.ts'
import { Action } from '../parts/action.tsx'
import { Badge, Empty, Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Graph } from './graph.tsx'
import { Investigation } from './investigation.tsx'
import { Status } from './lineage.tsx'
import { TablePanel } from './table-panel.tsx'

/** What the parts of the page share. */
export interface RunView {
  readonly graph: RunGraphJson
  /** The selected table, the followed value, and the column whose NULLs are shown. They are parts of the page's address. */
  readonly selected: string | undefined
  readonly value: string | undefined
  readonly column: string | undefined
  /** By table: words above its box, and words in place of its number of rows. If any are lit, the others are dimmed. */
  readonly marks: {
    readonly lit: ReadonlySet<string>
    readonly tags: ReadonlyMap<string, string>
    readonly counts: ReadonlyMap<string, string>
  }
  /** Changes parts of the address. Null removes a part. */
  choose(parts: Readonly<Record<string, string | null>>): void
  /** Lights up tables, given by name or label. */
  light(tables: readonly string[]): void
}

/** A run: its tables as a graph or as a list, the selected one, and the steps of an investigation. */
export function JobRun({ id }: { readonly id: string }) {
  const graph = useApi<RunGraphJson>(`/console/api/lineage/runs/${encodeURIComponent(id)}/graph`)
  return <Ready loaded={graph}>{data => <Run key={data.run.id} graph={data} />}</Ready>
}

const VIEWS = [
  { id: 'graph', label: 'Graph' },
  { id: 'tables', label: 'Tables' },
]

function Run({ graph }: { readonly graph: RunGraphJson }) {
  const { run, nodes } = graph
  const [params, setParams] = useSearchParams()
  const [selected, value, column, answer] = ['table', 'value', 'column', 'answer'].map(name => params.get(name) ?? undefined)
  const [view, setView] = useState('graph')
  const [lit, light] = useState<readonly string[]>([])
  const base = `/console/api/lineage/runs/${encodeURIComponent(run.id)}`
  const holders = useApi<HoldersJson>(value === undefined ? undefined : `${base}/holders?${new URLSearchParams({ value })}`)
  const asked = useApi<RunJson>(answer && `/console/api/runs/${encodeURIComponent(answer)}`)
  const report = answer === undefined ? undefined : asked.data?.result?.investigation
  const found = Object.entries((value !== undefined && holders.data) || {})
  const choose: RunView['choose'] = parts => {
    const all = { ...Object.fromEntries(params), ...parts }
    setParams(Object.entries(all).flatMap(([name, part]) => (part === null ? [] : [[name, part]])))
  }
  const tagOf = ({ label, failed, drift }: GraphNodeJson) => {
    const steps = report?.tool_calls.flatMap(({ tables }, at) => (tables.includes(label) ? [at + 1] : [])) ?? []
    const isSuspected = report?.suspected_table === label
    const words = [failed && 'failed', isSuspected && 'suspected', drift.length > 0 && 'drifted']
    return [...words, steps.length > 0 && `step ${steps.join(', ')}`].filter(word => word !== false).join(' · ')
  }
  const holding = found.flatMap(([table, rows]) => (rows ? [table] : []))
  const marks = {
    lit: new Set(
      lit.length === 0
        ? holding
        : nodes.flatMap(({ table, label }) => (lit.includes(label) || lit.includes(table) ? [table] : [])),
    ),
    tags: new Map(nodes.map(node => [node.table, tagOf(node)])),
    counts: new Map(found.map(([table, rows]) => [table, holdingText(rows)])),
  }
  const shared: RunView = { graph, selected, value, column, marks, choose, light }
  const find = (text: string) => {
    const wanted = nodes.find(({ label, table }) => label === text || table === text)
    choose(wanted === undefined ? { value: text || null, column: null } : { table: wanted.table, column: null })
  }
  const node = nodes.find(({ table }) => table === selected)
  return (
    <div class="job">
      <Head {...graph} />
      <label>
        Find a table, or follow a value through them{' '}
        <input
          type="search"
          list="tables"
          key={value}
          defaultValue={value ?? ''}
          onChange={event => find(event.currentTarget.value.trim())}
        />
        <datalist id="tables">
          {nodes.map(({ table, label }) => (
            <option key={table} value={label} />
          ))}
        </datalist>
      </label>
      {value !== undefined && (
        <p class="followed" role="status">
          Rows with <strong>{value}</strong>:{' '}
          {nodes.flatMap(({ table, label }) => (marks.counts.has(table) ? `${label} ${marks.counts.get(table)}` : [])).join(', ')}
          . <Action label="Stop following" look="link" work={() => choose({ value: null })} />
        </p>
      )}
      {holders.problem && <Failure problem={holders.problem} />}
      <div class={node === undefined && answer === undefined ? 'halves alone' : 'halves'}>
        <div>
          <Tabs label="Views of the run" tabs={VIEWS} chosen={view} choose={setView}>
            {view === 'graph' ? <Graph {...shared} /> : <TableList {...shared} />}
          </Tabs>
        </div>
        <aside aria-label="Details">
          {answer !== undefined && <Investigation {...shared} loaded={asked} />}
          {node === undefined ? (
            <Empty>Select a table to see its rows, columns and SQL.</Empty>
          ) : (
            <TablePanel key={node.table} {...shared} node={node} base={base} />
          )}
        </aside>
      </div>
    </div>
  )
}

function Head({ run, compared }: RunGraphJson) {
  const runs = useApi<readonly JobRunJson[]>(`/console/api/lineage/jobs/${encodeURIComponent(run.job)}/runs`)
  const [, navigate] = useLocation()
  const known = runs.data?.some(({ id }) => id === run.id) === true ? runs.data : [run]
  return (
    <>
      <Link href="/">All jobs</Link>
      <h1>{run.job}</h1>
      <p class="row">
        <select
          aria-label="Run"
          value={run.id}
          onChange={event => navigate(`/runs/${encodeURIComponent(event.currentTarget.value)}`)}
        >
          {known.map(({ id, started_at: at, status, replay_of: replayOf }) => (
            <option key={id} value={id}>
              {`${at === null ? 'not started' : moment(at)}${replayOf === null ? '' : ', replay'}, ${status.toLowerCase()}`}
            </option>
          ))}
        </select>
        <Status status={run.status} />
        <span class="soft">{`${duration(run.ms)} · ${run.id}`}</span>
        {compared.map(({ role, run: other }) => (
          <Link key={role} href={`/runs/${encodeURIComponent(other.id)}`}>
            {ROLES[role]}
          </Link>
        ))}
      </p>
      {run.error !== '' && <Failure problem={run.error} />}
      {run.hidden && <p class="soft">Some of this run reads sources that you may not see. Their SQL and numbers are hidden.</p>}
    </>
  )
}

export const ROLES = { before: 'Run before', replay: 'Replay', original: 'Original run' } as const
export const STATES = { live: 'still there', replaced: "holds a later run's rows", gone: 'dropped after the run' } as const

function holdingText(rows: number | null): string {
  return rows === null ? 'not searched' : rows === 0 ? 'no row' : count(rows, 'row')
}

/** The graph as a table, for the keyboard and screen readers. */
function TableList({ graph: { nodes, lines, compared }, marks, selected, choose }: RunView) {
  const madeFrom = (index: number) => lines.flatMap(({ from, to }) => (to === index ? (nodes[from]?.label ?? []) : [])).join(', ')
  const columns: readonly Column<GraphNodeJson>[] = [
    {
      head: 'Table',
      cell: ({ table, label }) => <Action label={label} look="link" work={() => choose({ table, column: null })} />,
    },
    { head: 'State', cell: ({ kind, state }) => `${kind}, ${STATES[state]}` },
    { head: 'Rows', kind: 'number', cell: ({ rows }) => number(rows) },
    ...compared.map(({ role }, at): Column<GraphNodeJson> => {
      return { head: ROLES[role], kind: 'number', cell: node => number(node.rows_compared[at]) }
    }),
    { head: 'Now', kind: 'number', cell: ({ rows_now: rows }) => number(rows) },
    { head: 'Marks', cell: ({ table }) => marks.tags.get(table) && <Badge tone="fair">{marks.tags.get(table)}</Badge> },
    { head: 'Made from', kind: 'aside', cell: (_, index) => madeFrom(index) },
  ]
  const marked = new Set(nodes.flatMap(({ table }, index) => (table === selected ? [index] : [])))
  return <Table label="Tables of the run" rows={nodes} marked={marked} columns={columns} />
}
