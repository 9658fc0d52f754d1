import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FigureSource } from '../../../answer-check/workings/figure-source.ts'
import type { ShownResult } from '../../runs-json.ts'
import { count, duration, number } from '../format.ts'
import { Action } from '../parts/action.tsx'
import type { Target } from '../parts/mark-spans.ts'
import { Tabs } from '../parts/tabs.tsx'
import { Rows } from './rows.tsx'
import { Sql } from './sql.tsx'

type Query = ShownResult['queries'][number]

interface EvidenceProps {
  readonly run: string
  readonly queries: readonly Query[]
  readonly figures: readonly FigureSource[]
  /** What the reader points at in the answer. */
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
    () =>
      (figure?.cells ?? []).filter((each, at) => each.query === chosen && (pointed?.cell === undefined || at === pointed.cell)),
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

/** Says in words how a figure follows from the rows. */
function FigureNote({ figure, cells }: { readonly figure: FigureSource; readonly cells: FigureSource['cells'] }) {
  const [cell] = cells
  const isCell = cell !== undefined && (cells.length === 1 || figure.formula === null)
  const values = cells.map(({ row, name, column, value }) => `${column} of ${name ?? `row ${row}`}: ${precise(value)}`)
  const place = isCell ? `row ${number(cell.row)}${cell.name === null ? '' : ` (${cell.name})`}, column ${cell.column}` : ''
  const exact = String((isCell ? cell.value : figure.value) ?? '')
  // The figure of a table is its column's head.
  const shown = isCell && figure.cells.length > 1 ? exact : figure.text
  return (
    <p class="figure-note" role="status">
      <strong>{shown}</strong> {isCell ? `is in ${place}` : `= ${figure.formula}`}
      {exact !== '' && exact !== shown && <span class="small"> · exactly {precise(exact)}</span>}
      {!isCell && values.length > 0 && <small>{[...new Set(values)].join(' · ')}</small>}
    </p>
  )
}

/** A value with its thousands apart. An integer that is no safe number stays as it is. */
function precise(value: unknown): string {
  const exact = typeof value === 'boolean' || value === null || value === '' ? Number.NaN : Number(value)
  return Number.isNaN(exact) || exact > Number.MAX_SAFE_INTEGER ? String(value ?? 'NULL') : EXACT.format(exact)
}

const EXACT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 })

interface QueryEvidenceProps extends Pick<EvidenceProps, 'run' | 'mayRun'> {
  readonly query: Query
  readonly cells: FigureSource['cells']
}

function QueryEvidence({ run, query, cells, mayRun }: QueryEvidenceProps) {
  const { id, question, error, rows, sql, explanation, assumptions, deciding_assumptions: deciding } = query
  const cut = query.truncated ? `the first ${number(rows.length)} of ` : ''
  const size = query.truncated && query.total_rows === undefined ? 'more rows' : count(query.total_rows ?? query.row_count, 'row')
  return (
    <>
      <p>{question}</p>
      {error !== null && <p class="failure">{error}</p>}
      {query.columns.length > 0 && <Rows name={`${id}: ${question}`} {...query} cells={cells} />}
      <p class="small row">
        {[`${cut}${size}`, query.elapsed_ms > 0 && `ran ${duration(query.elapsed_ms)}`, query.source].filter(Boolean).join(' · ')}
        {rows.length > 0 && (
          <a href={`/console/api/runs/${run}/csv/${id}`} download>
            CSV
          </a>
        )}
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
