import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FigureSource } from '../../../answer-check/workings/figure-source.ts'
import type { RerunJson, ShownResult } from '../../runs-json.ts'
import { call, useApi } from '../api.ts'
import { count, duration, facts, number } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import type { Target } from '../parts/markdown.tsx'
import { Failure } from '../parts/states.tsx'
import { Rows } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'

type QueryProps = Pick<EvidenceProps, 'run' | 'mayRun'> & { readonly query: ShownResult['queries'][number] }

interface EvidenceProps extends Pick<ShownResult, 'queries' | 'figures'> {
  readonly run: string
  /** The reader points at this in the answer. */
  readonly target: Target | undefined
  point(target: undefined): void
  readonly mayRun: boolean
}

/** The queries of an answer: rows, SQL and assumptions. It turns to what the reader points at. */
export function Evidence({ run, queries, figures, target, point, mayRun }: EvidenceProps) {
  const [chosen, choose] = useState(queries[0]?.id ?? '')
  const pointed = target !== undefined && 'figure' in target ? target : undefined
  const figure = pointed && figures[pointed.figure]
  const wanted = target !== undefined && 'query' in target ? target.query : figure?.query
  useEffect(() => {
    if (queries.some(({ id }) => id === wanted)) choose(wanted ?? '')
  }, [wanted, queries])
  const query = queries.find(({ id }) => id === chosen)
  const cells = useMemo(
    () => (figure?.cells ?? []).filter((each, at) => each.query === chosen && at === (pointed?.cell ?? at)),
    [figure, pointed?.cell, chosen],
  )
  const tabs = queries.map(({ id, error }) => ({ id, label: error === null ? id : `${id} failed` }))
  return (
    <div class={`evidence card ${target === undefined ? '' : 'pointed'}`}>
      <Action label="Close" look="link close" work={() => point(undefined)} />
      <Tabs label="Queries" tabs={tabs} chosen={chosen} choose={choose}>
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
  const place = isCell ? `row ${number(cell.row)}${cell.name === null ? '' : ` (${cell.name})`}, column ${cell.column}` : ''
  const exact = String((isCell ? cell.value : figure.value) ?? '')
  // The figure of a table is its column's head.
  const shown = isCell && figure.cells.length > 1 ? exact : figure.text
  return (
    <p class="note" role="status">
      <strong>{shown}</strong> {isCell ? `is in ${place}` : `= ${figure.formula}`}
      {exact !== '' && exact !== shown && <span class="small"> · more exactly {precise(exact)}</span>}
      {!isCell && values.length > 0 && <small>{[...new Set(values)].join(' · ')}</small>}
    </p>
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
