import { useState } from 'preact/hooks'
import { type DefaultParams, Link, useLocation } from 'wouter-preact'
import type { GraphNodeJson, HoldersJson, JobRunJson, RunGraphJson } from '../../lineage-views.ts'
import type { RunJson } from '../../runs-json.ts'
import { useApi } from '../api.ts'
import { count, duration, facts, moment, number, withQuery, words } from '../format.ts'
import { Action, Choice, useAddress } from '../parts/controls.tsx'
import { Badge, Empty, Failure, Load, State } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Graph } from './graph.tsx'
import { Investigation } from './investigation.tsx'
import { TablePanel } from './table-panel.tsx'

/** Parts of the address: the selected table, the followed value, the column whose NULLs are shown, an investigation and its step. */
type Chosen = Readonly<Partial<Record<'table' | 'value' | 'column' | 'answer' | 'step', string | undefined>>>

/** The parts of the page share this. */
export interface RunView {
  readonly graph: RunGraphJson
  /** The tables of the graph with words above its box, and words in place of its number of rows. If any are lit, others are dimmed. */
  readonly nodes: readonly (GraphNodeJson & {
    readonly tag: string
    readonly held: string | undefined
    readonly isLit: boolean
  })[]
  /** The path of the run in the API. */
  readonly base: string
  readonly chosen: Chosen
  /** Changes parts of the address. Undefined removes a part. */
  choose(parts: Chosen): void
}

const EMPTY = 'No job has run that you may see. Whoever runs Clew starts one with `clew jobs run NAME`.'
const JOBS: readonly Column<JobRunJson>[] = [
  { head: 'Job', kind: 'wide', cell: ({ job, id }) => <Link href={pathOf(id)}>{job}</Link> },
  { head: 'Latest run', cell: ({ started_at: at }) => moment(at) },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Took', kind: 'number aside', cell: ({ ms }) => duration(ms) },
  { head: 'Run by', kind: 'aside', cell: run => (run.by_clew ? 'Clew' : 'another runner') },
]

function pathOf(run: string): string {
  return `/lineage/runs/${encodeURIComponent(run)}`
}

/** The jobs, which lead to the graph of their latest run. */
export function Jobs() {
  return (
    <>
      <h1>Lineage</h1>
      <p class="soft">How did a row get here, and why is one missing? Open a job to see the tables of its latest run.</p>
      <Load<readonly JobRunJson[]> path="/console/api/lineage/jobs">
        {runs => <Table label="Jobs" rows={runs} columns={JOBS} empty={EMPTY} />}
      </Load>
    </>
  )
}

/** A run: its tables as a graph or as a list, the selected one, and the steps of an investigation. */
export function JobRun({ id = '' }: DefaultParams) {
  const base = `/console/api/lineage/runs/${encodeURIComponent(id)}`
  return <Load<RunGraphJson> path={`${base}/graph`}>{graph => <Shown key={graph.run.id} graph={graph} base={base} />}</Load>
}

const VIEWS = ['Graph', 'Tables'].map(label => ({ id: label, label }))

function Shown({ graph, base }: Pick<RunView, 'graph' | 'base'>) {
  const [chosen, choose] = useAddress()
  const { value, answer, step } = chosen
  const [view, setView] = useState('Graph')
  const holders = useApi<HoldersJson>(value && withQuery(`${base}/holders`, { value }))
  const asked = useApi<RunJson>(answer && `/console/api/runs/${encodeURIComponent(answer)}`)
  const report = answer === undefined ? undefined : asked.data?.result?.investigation
  const lighting = report?.tool_calls[Number(step)]?.tables
  const nodes = graph.nodes.map(each => {
    const { table, label, failed, drift } = each
    const isSuspected = report?.suspected_table === label
    const steps = report?.tool_calls.flatMap(({ tables }, at) => (tables.includes(label) ? [at + 1] : [])) ?? []
    const marks = [failed && 'failed', isSuspected && 'suspected', drift.length > 0 && 'drifted']
    const rows = value === undefined ? undefined : holders.data?.[table]
    const held = rows === null ? 'not searched' : rows === 0 ? 'no row' : rows === undefined ? undefined : count(rows, 'row')
    const isLit = lighting ? lighting.includes(label) : Boolean(rows)
    return { ...each, tag: facts(...marks, steps.length > 0 && `step ${steps.join(', ')}`), held, isLit }
  })
  const shared: RunView = { graph, nodes, base, chosen, choose }
  const find = (text: string) => {
    const wanted = nodes.find(({ label, table }) => label === text || table === text)
    choose(wanted ? { table: wanted.table, column: undefined } : { value: text, column: undefined })
  }
  const node = nodes.find(({ table }) => table === chosen.table)
  return (
    <div class="job">
      <Head {...graph} />
      <label>
        Find a table, or follow a value through them{' '}
        <input
          {...{ type: 'search', list: 'tables', defaultValue: value ?? '' }}
          key={value}
          onChange={event => find(event.currentTarget.value.trim())}
        />
        <datalist id="tables">
          {nodes.map(({ table, label }) => (
            <option key={table} value={label} />
          ))}
        </datalist>
      </label>
      {value !== undefined && (
        <p class="note" role="status">
          Rows with <strong>{value}</strong>: {nodes.flatMap(({ label, held }) => (held ? `${label} ${held}` : [])).join(', ')}.{' '}
          <Action label="Stop following" look="link" work={() => choose({ value: undefined })} />
        </p>
      )}
      {holders.problem && <Failure problem={holders.problem.message} />}
      <div class={node === undefined && answer === undefined ? 'halves alone' : 'halves'}>
        <div>
          <Tabs label="Views of the run" tabs={VIEWS} chosen={view} choose={setView}>
            {view === 'Graph' ? <Graph {...shared} /> : <TableList {...shared} />}
          </Tabs>
        </div>
        <aside aria-label="Details">
          {answer !== undefined && <Investigation {...shared} loaded={asked} />}
          {!node && <Empty>Select a table to see its rows, columns and SQL.</Empty>}
          {node && <TablePanel key={node.table} {...shared} node={node} />}
        </aside>
      </div>
    </div>
  )
}

function Head({ run }: RunGraphJson) {
  const runs = useApi<readonly JobRunJson[]>(`/console/api/lineage/jobs/${encodeURIComponent(run.job)}/runs`).data ?? []
  const [, navigate] = useLocation()
  const known = runs.some(({ id }) => id === run.id) ? runs : [run]
  const options = known.map(({ id, started_at: at, status, replay_of: replayed }) => {
    return [id, facts(at === null ? 'not started' : moment(at), replayed !== null && 'replay', words(status))] as const
  })
  return (
    <>
      <Link href="/lineage">All jobs</Link>
      <h1>{run.job}</h1>
      <p class="row">
        <Choice label="Run" options={options} chosen={run.id} choose={id => navigate(pathOf(id))} />
        <State of={run.status} />
        <span class="soft">{facts(duration(run.ms), run.id)}</span>
      </p>
      {run.error !== '' && <Failure problem={run.error} />}
      {run.hidden && <Empty>Some of this run reads sources that you may not see. Their SQL and numbers are hidden.</Empty>}
    </>
  )
}

export const ROLES = { before: 'Run before', replay: 'Replay', original: 'Original run' } as const
export const STATES = { live: 'still there', replaced: "holds a later run's rows", gone: 'dropped after the run' } as const

/** The graph as a table, for the keyboard and screen readers. */
function TableList({ graph: { lines, compared }, nodes, chosen, choose }: RunView) {
  const madeFrom = (index: number) => lines.flatMap(({ from, to }) => (to === index ? (nodes[from]?.label ?? []) : [])).join(', ')
  const select = (table: string) => choose({ table, column: undefined })
  const columns: readonly Column<RunView['nodes'][number]>[] = [
    { head: 'Table', cell: ({ table, label }) => <Action label={label} look="link" work={() => select(table)} /> },
    { head: 'State', cell: ({ kind, state }) => `${kind}, ${STATES[state]}` },
    { head: 'Rows', kind: 'number', cell: ({ rows }) => number(rows) },
    ...compared.map(({ role }, at): Column<GraphNodeJson> => {
      return { head: ROLES[role], kind: 'number', cell: node => number(node.rows_compared[at]) }
    }),
    { head: 'Now', kind: 'number', cell: ({ rows_now: rows }) => number(rows) },
    { head: 'Marks', cell: ({ tag }) => tag && <Badge tone="fair" text={tag} /> },
    { head: 'Made from', kind: 'aside', cell: (_, index) => madeFrom(index) },
  ]
  const marked = new Set(nodes.flatMap(({ table }, index) => (table === chosen.table ? [index] : [])))
  return <Table label="Tables of the run" rows={nodes} marked={marked} columns={columns} />
}
