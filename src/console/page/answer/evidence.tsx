import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FigureSource } from '../../../answer-check/workings/figure-source.ts'
import type { RerunJson, ShownResult } from '../../runs-json.ts'
import { call, useApi } from '../api.ts'
import { count, duration, facts, number } from '../format.ts'
import { CellText } from '../parts/cell-text.tsx'
import { Action } from '../parts/controls.tsx'
import type { Target } from '../parts/markdown.tsx'
import { Failure } from '../parts/states.tsx'
import { Rows } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'

type QueryProps = Pick<EvidenceProps, 'run' | 'mayRun'> & { readonly query: ShownResult['queries'][number] }

interface EvidenceProps extends Pick<ShownResult, 'answer' | 'queries' | 'figures'> {
  readonly run: string
  /** The reader points at this in the answer. */
  readonly target: Target | undefined
  close(): void
  readonly mayRun: boolean
}

/** What the reader points at: a figure with its cells in a query, or a query. */
function pointedAt(target: Target | undefined, figures: EvidenceProps['figures']) {
  if (target === undefined || 'query' in target) return { wanted: target?.query, figure: undefined, cellsIn: () => [] }
  const figure = figures[target.figure]
  const cellsIn = (query: string | undefined) =>
    figure?.cells.filter((each, at) => each.query === query && at === (target.cell ?? at)) ?? []
  return { wanted: figure?.query, figure, cellsIn }
}

type SourceProps = Pick<EvidenceProps, 'queries' | 'figures' | 'target'> & { readonly place: JSX.CSSProperties }

/** Tells beside a figure or a citation where it comes from. */
export function Source({ queries, figures, target, place }: SourceProps) {
  const { wanted, figure, cellsIn } = pointedAt(target, figures)
  const query = queries.find(({ id }) => id === wanted)
  return (
    <div class="source card" style={place}>
      {figure && <FigureNote figure={figure} cells={cellsIn(wanted)} />}
      {query && <small>{`${query.id}: ${query.question}`}</small>}
    </div>
  )
}

/** The queries of an answer: rows, SQL and assumptions. It turns to what the reader points at. */
export function Evidence({ run, answer, queries, figures, target, close, mayRun }: EvidenceProps) {
  const { wanted, figure, cellsIn } = useMemo(() => pointedAt(target, figures), [target, figures])
  const [chosen, choose] = useState(wanted ?? /\[([QE]\d+)/.exec(answer)?.[1])
  useEffect(() => {
    if (wanted !== undefined) choose(wanted)
  }, [wanted])
  const query = queries.find(({ id }) => id === chosen) ?? queries[0]
  const cells = useMemo(() => cellsIn(query?.id), [cellsIn, query?.id])
  const tabs = queries.map(({ id, error }) => ({ id, label: error === null ? id : `${id} failed` }))
  return (
    <div class="evidence card">
      <Action label="Close" look="link close" work={close} />
      <Tabs label="Queries" tabs={tabs} chosen={query?.id ?? ''} choose={choose}>
        {figure && <FigureNote figure={figure} cells={cells} />}
        {query && <QueryEvidence key={query.id} {...{ run, query, cells, mayRun }} />}
      </Tabs>
    </div>
  )
}

type Cells = FigureSource['cells']

/** Says in words how a figure follows from the rows. */
function FigureNote({ figure, cells }: { readonly figure: FigureSource; readonly cells: Cells }) {
  const [cell] = cells
  const isCell = cell !== undefined && (cells.length === 1 || figure.formula === null)
  const values = cells.map(({ row, name, column, value }) => `${column} of ${name ?? `row ${row}`}: ${precise(value)}`)
  const exact = String((isCell ? cell.value : figure.value) ?? '')
  // The figure of a table is its column's head.
  const shown = isCell && figure.cells.length > 1 ? exact : figure.text
  return (
    <p class="note" role="status">
      <strong>{shown}</strong> {isCell ? <Place {...cell} /> : `= ${figure.formula}`}
      {exact !== '' && exact !== shown && <span class="small"> · more exactly {precise(exact)}</span>}
      {!isCell && values.length > 0 && <small>{[...new Set(values)].join(' · ')}</small>}
    </p>
  )
}

function Place({ row, name, column }: Cells[number]) {
  const [before, after] = name === null ? ['', ''] : [' (', ')']
  return (
    <>
      {`is in row ${number(row)}${before}`}
      <CellText text={name ?? ''} />
      {`${after}, column ${column}`}
    </>
  )
}

/** A value with its thousands apart. */
function precise(value: unknown): string {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  return isNumber ? EXACT.format(value as number) : String(value ?? 'NULL')
}

const EXACT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 })

function QueryEvidence({ run, query, cells, mayRun }: QueryProps & { readonly cells: Cells }) {
  const { id, question, error, rows, sql, explanation, assumptions, deciding_assumptions: deciding } = query
  const cut = query.truncated ? `the first ${number(rows.length)} of ` : ''
  const size = query.truncated && query.total_rows === undefined ? 'more rows' : count(query.total_rows ?? query.row_count, 'row')
  return (
    <>
      <p>{question}</p>
      {error !== null && <p class="failure">{error}</p>}
      {query.columns.length > 0 && <Rows name={`${id}: ${question}`} {...query} cells={cells} />}
      <p class="small row">
        {facts(`${cut}${size}`, query.elapsed_ms > 0 && `ran ${duration(query.elapsed_ms)}`, query.source)}
        {rows.length > 0 && <a href={`/console/api/runs/${run}/csv/${id}`}>CSV</a>}
      </p>
      {sql !== null && <Sql {...{ run, query: { ...query, sql }, mayRun }} />}
      {explanation !== question && <p class="small">{explanation}</p>}
      <ul class="small">
        {[...new Set([...deciding, ...assumptions])].map(text => (
          <li key={text}>
            Assumed: {text} {deciding.includes(text) && <strong>This changes the answer.</strong>}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The SQL of a query, which the viewer can edit, run as a guarded query of their own, and propose as a verified one. */
function Sql({ run, query, mayRun }: QueryProps & { readonly query: { readonly sql: string } }) {
  const { id, sql: original, question } = query
  const path = `/console/api/runs/${run}/queries/${id}`
  // The engine breaks SQL into lines, unless its writer has.
  const formatted = useApi<{ readonly sql: string }>(original.includes('\n') ? undefined : `${path}/sql`).data?.sql
  const [edited, edit] = useState<string>()
  const [outcome, setOutcome] = useState<RerunJson>()
  const [proposed, setProposed] = useState('')
  const sql = edited ?? formatted ?? original
  if (!mayRun) return <pre>{sql}</pre>
  const runIt = async () => setOutcome(await call<RerunJson>(`${path}/run`, { method: 'POST', body: { sql } }))
  const propose = async () => {
    await call(`/console/api/runs/${run}/propose`, { method: 'POST', body: { sql, question } })
    setProposed(sql)
  }
  return (
    <>
      <textarea
        {...{ class: 'sql', 'aria-label': `SQL of ${id}`, rows: 10, spellcheck: false, value: sql }}
        onInput={event => edit(event.currentTarget.value)}
      />
      <p class="row">
        <Action label="Run" work={runIt} />
        <Action label="Propose as a verified query" isOff={outcome?.kind !== 'read' || proposed === sql} work={propose} />
        <span role="status">{proposed === sql && 'Proposed. Who may define accepts it on the page Data.'}</span>
      </p>
      {outcome?.kind === 'refused' && <Failure problem={outcome.message} />}
      {outcome?.kind === 'read' && (
        <>
          <Rows name="the SQL as edited" {...outcome} />
          <p class="small">
            {`${outcome.truncated ? 'The first ' : ''}${count(outcome.rows.length, 'row')} · ran ${duration(outcome.elapsed_ms)} `}
            {outcome.doubt}
          </p>
        </>
      )}
    </>
  )
}
