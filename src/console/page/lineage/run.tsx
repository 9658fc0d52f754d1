import { useMemo, useState } from 'preact/hooks'
import { Link, useLocation, useSearchParams } from 'wouter-preact'
import type { HoldersJson, JobRunJson, RunGraphJson } from '../../lineage-json.ts'
import { useApi } from '../api.ts'
import { count, duration, moment, number } from '../format.ts'
import { Badge, Empty, Failure, Ready } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Graph, type Marks } from './graph.tsx'
import { Investigation, useInvestigation } from './investigation.tsx'
import { Status } from './lineage.tsx'
import { TablePanel } from './table-panel.tsx'

/** Changes parts of the page's address. Null removes a part. */
export type Choose = (parts: Readonly<Record<string, string | null>>) => void

/** A run: its tables as a graph or as a list, the selected one, and the steps of an investigation. */
export function JobRun({ id }: { readonly id: string }) {
  const graph = useApi<RunGraphJson>(`/console/api/lineage/runs/${encodeURIComponent(id)}/graph`)
  return (
    <div class="job">
      <Link href="/">All jobs</Link>
      <Ready loaded={graph}>{data => <Run key={data.run.id} graph={data} />}</Ready>
    </div>
  )
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
  const [step, setStep] = useState<readonly string[]>([])
  const [path, setPath] = useState<readonly string[]>([])
  const base = `/console/api/lineage/runs/${encodeURIComponent(run.id)}`
  const holders = useApi<HoldersJson>(value === undefined ? undefined : `${base}/holders?${new URLSearchParams({ value })}`)
  const investigation = useInvestigation(answer)
  const found = value === undefined ? undefined : holders.data
  const report = investigation?.data?.result?.investigation
  const choose: Choose = parts => {
    const next = new URLSearchParams(params)
    for (const [name, part] of Object.entries(parts)) part === null ? next.delete(name) : next.set(name, part)
    setParams(next, { replace: true })
  }
  const select = (table: string) => choose({ table, column: null, ...(value === undefined && { value: null }) })
  const marks = useMemo((): Marks => {
    const ofLabel = (labels: readonly string[]) => nodes.filter(({ label }) => labels.includes(label)).map(({ table }) => table)
    const holding = Object.entries(found ?? {}).flatMap(([table, rows]) => (rows ? [table] : []))
    const lit = step.length > 0 ? ofLabel(step) : [...holding, ...path]
    const tags = nodes.map(({ table, label, failed, drift }): [string, string] => {
      const steps = report?.tool_calls.flatMap(({ tables }, at) => (tables.includes(label) ? [at + 1] : [])) ?? []
      const words = [
        failed ? 'failed' : '',
        report?.suspected_table === label ? 'suspected' : '',
        drift.length > 0 ? 'drifted' : '',
        steps.length === 0 ? '' : `step ${steps.join(', ')}`,
      ]
      return [table, words.filter(word => word !== '').join(' · ')]
    })
    const counts = Object.entries(found ?? {}).map(([table, rows]): [string, string] => [table, holdingText(rows)])
    return { selected, lit: new Set(lit), tags: new Map(tags), counts: new Map(counts) }
  }, [nodes, selected, step, path, found, report])
  const node = nodes.find(({ table }) => table === selected)
  return (
    <>
      <Head graph={graph} />
      <Finder graph={graph} value={value} select={select} choose={choose} />
      {value !== undefined && <Followed value={value} found={found} graph={graph} stop={() => choose({ value: null })} />}
      {holders.problem && <Failure problem={holders.problem} />}
      <div class="run">
        <div>
          <Tabs label="Views of the run" tabs={VIEWS} chosen={view} choose={setView}>
            {view === 'graph' ? (
              <Graph graph={graph} marks={marks} select={select} />
            ) : (
              <TableList graph={graph} marks={marks} select={select} />
            )}
          </Tabs>
        </div>
        <aside aria-label="Details">
          {investigation && <Investigation loaded={investigation} light={setStep} select={select} graph={graph} />}
          {node === undefined ? (
            <Empty>Select a table to see its rows, columns and SQL.</Empty>
          ) : (
            <TablePanel
              key={node.table}
              {...{ base, node, value, column, choose }}
              job={run.job}
              compared={graph.compared}
              light={setPath}
            />
          )}
        </aside>
      </div>
    </>
  )
}

function Head({ graph: { run, compared } }: { readonly graph: RunGraphJson }) {
  const runs = useApi<readonly JobRunJson[]>(`/console/api/lineage/jobs/${encodeURIComponent(run.job)}/runs`)
  const [, navigate] = useLocation()
  const name = ({ started_at: at, status, replay_of: replayOf }: JobRunJson) =>
    `${at === null ? 'not started' : moment(at)}${replayOf === null ? '' : ', replay'}, ${status.toLowerCase()}`
  const known = runs.data?.some(({ id }) => id === run.id) === true ? runs.data : [run]
  return (
    <>
      <h1>{run.job}</h1>
      <div class="row">
        <label>
          Run{' '}
          <select value={run.id} onChange={event => navigate(`/runs/${encodeURIComponent(event.currentTarget.value)}`)}>
            {known.map(each => (
              <option key={each.id} value={each.id}>
                {name(each)}
              </option>
            ))}
          </select>
        </label>
        <Status status={run.status} />
        <span class="soft">
          {duration(run.ms)} · {run.id}
        </span>
        {compared.map(({ role, run: other }) => (
          <Link key={role} href={`/runs/${encodeURIComponent(other.id)}`}>
            {ROLES[role]}
          </Link>
        ))}
      </div>
      {run.error !== '' && <Failure problem={run.error} />}
      {run.hidden && <p class="soft">Some of this run reads sources that you may not see. Their SQL and numbers are hidden.</p>}
    </>
  )
}

export const ROLES = { before: 'Run before', replay: 'Replay', original: 'Original run' } as const

/** Finds a table by its name, and all tables that hold a value. */
function Finder({
  graph,
  value,
  select,
  choose,
}: {
  readonly graph: RunGraphJson
  readonly value: string | undefined
  select(table: string): void
  readonly choose: Choose
}) {
  const find = (text: string) => {
    const wanted = text.trim().toLowerCase()
    const names = graph.nodes.filter(({ label, table }) => `${label} ${table}`.toLowerCase().includes(wanted))
    const best = names.find(({ label }) => label.toLowerCase() === wanted) ?? names[0]
    if (wanted !== '' && best !== undefined) select(best.table)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('value')).trim()
    choose({ value: text === '' ? null : text, column: null })
  }
  return (
    <div class="row finder">
      <label>
        Table <input type="search" list="tables" placeholder="name" onChange={event => find(event.currentTarget.value)} />
        <datalist id="tables">
          {graph.nodes.map(({ table, label }) => (
            <option key={table} value={label} />
          ))}
        </datalist>
      </label>
      <form onSubmit={submit}>
        <label>
          Follow a value <input key={value} type="search" name="value" defaultValue={value ?? ''} placeholder="such as an id" />
        </label>{' '}
        <button type="submit">Follow</button>
      </form>
    </div>
  )
}

/** Says in words which tables hold the followed value. */
function Followed({
  value,
  found,
  graph,
  stop,
}: {
  readonly value: string
  readonly found: HoldersJson | undefined
  readonly graph: RunGraphJson
  stop(): void
}) {
  const parts = graph.nodes.flatMap(({ table, label }) =>
    found?.[table] === undefined ? [] : [`${label}: ${holdingText(found[table])}`],
  )
  return (
    <p class="followed" role="status">
      <span>
        Rows with <strong>{value}</strong>
        {found === undefined ? ' …' : ` · ${parts.join(' · ')}. Tables that are gone cannot be searched.`}
      </span>{' '}
      <button type="button" class="link" onClick={stop}>
        Stop following
      </button>
    </p>
  )
}

function holdingText(rows: number | null | undefined): string {
  if (rows === null || rows === undefined) return 'not searched'
  return rows === 0 ? 'no row' : count(rows, 'row')
}

/** The graph as a table, for the keyboard and screen readers. */
function TableList({
  graph: { nodes, lines, compared },
  marks,
  select,
}: {
  readonly graph: RunGraphJson
  readonly marks: Marks
  select(table: string): void
}) {
  const rows = nodes.map((node, index) => ({
    node,
    from: lines.flatMap(({ from, to }) => (to === index ? (nodes[from]?.label ?? []) : [])).join(', '),
  }))
  return (
    <Table
      label="Tables of the run"
      rows={rows}
      keyOf={({ node }) => node.table}
      marked={new Set(nodes.flatMap(({ table }, index) => (table === marks.selected ? [index] : [])))}
      columns={[
        {
          head: 'Table',
          cell: ({ node }) => (
            <button type="button" class="link" onClick={() => select(node.table)}>
              {node.label}
            </button>
          ),
        },
        { head: 'Kind', kind: 'aside', cell: ({ node }) => KINDS[node.kind] },
        { head: 'State', cell: ({ node }) => STATES[node.state] },
        { head: 'Rows', kind: 'number', cell: ({ node }) => number(node.rows) },
        ...compared.map(({ role }, at) => ({
          head: ROLES[role],
          kind: 'number' as const,
          cell: ({ node }: (typeof rows)[number]) => number(node.rows_compared[at]),
        })),
        { head: 'Now', kind: 'number', cell: ({ node }) => number(node.rows_now) },
        {
          head: 'Marks',
          cell: ({ node }) => {
            const tag = marks.tags.get(node.table)
            return tag ? <Badge tone={node.failed ? 'bad' : 'fair'}>{tag}</Badge> : ''
          },
        },
        { head: 'Made from', kind: 'aside', cell: ({ from }) => from },
      ]}
    />
  )
}

export const KINDS = { outside: 'filled by others', input: 'input', intermediate: 'made on the way', target: 'target' } as const
export const STATES = { live: 'still there', replaced: "holds a later run's rows", gone: 'dropped after the run' } as const
