import { confidenceLine } from '../../agent/confidence.ts'
import type { Picture } from '../../agent/picture.ts'
import { cellText } from '../../agent/results-prompt.ts'
import type { QueryReport, RunResult } from '../../agent/run-result.ts'
import { chartView } from './chart-view.ts'
import { drawTable } from './draw-table.ts'
import { graphView } from './graph-view.ts'
import { terminalMarkdown, wrapped } from './terminal-markdown.ts'
import type { View } from './terminal-style.ts'
import { terminalText } from './terminal-text.ts'

const NUMERIC_TYPE = /^(?:Nullable\()?(?:U?Int|Float|Decimal|BFloat)/

const EVIDENCE_ROWS = 5

/** The answer with its chart or graph, and a line for each query it rests on. */
export function answerView(result: RunResult, view: View): string {
  const markdown = [result.answer, confidenceLine(result)].filter(part => part !== '').join('\n\n')
  const sources =
    result.intent === 'lineage' ? evidenceView(result.queries, view) : result.queries.map(query => sourceLine(query, view))
  const chart = result.chart === null ? '' : pictureView(result.chart, view)
  const below = [...(chart === '' ? [] : ['', chart]), ...(sources.length === 0 ? [] : ['', ...sources])]
  return [terminalMarkdown(markdown, view), ...below].join('\n')
}

/** The first rows of each piece of evidence that an investigation cites. */
export function evidenceView(evidence: readonly QueryReport[], view: View): readonly string[] {
  return evidence.map((query, index) => {
    const head = view.style('dim', `[${query.id}] ${terminalText(query.explanation)}`)
    return `${index === 0 ? '' : '\n'}${head}\n${tableView(query, EVIDENCE_ROWS, view)}`
  })
}

function pictureView(picture: Picture, view: View): string {
  return picture.kind === 'graph' ? graphView(picture, view) : chartView(picture, view)
}

/** A query's SQL with what it computes. */
export function sqlView(query: QueryReport, view: View): string {
  const assumptions = query.assumptions.map(assumption => view.style('dim', `  assumed: ${terminalText(assumption)}`))
  const lines = [
    view.style('bold', `${query.id} ${terminalText(query.question)}`),
    ...assumptions,
    ...terminalText(query.sql ?? 'No SQL was written.').split('\n'),
  ]
  return lines.map(line => (view.wraps ? wrapped(line, view.width, '  ') : line)).join('\n')
}

/** A query's rows, drawn as a table. */
export function tableView(query: QueryReport, mostRows: number, view: View): string {
  if (query.error !== null) return view.style('red', `${query.id} failed: ${terminalText(query.error)}`)
  if (query.rows.length === 0) return `${query.id} returned no rows.`
  const table = drawTable(
    {
      header: query.columns.map(column => terminalText(column.name)),
      rows: query.rows.slice(0, mostRows).map(cells => cells.map(cell => terminalText(cellText(cell)))),
      numeric: new Set(query.columns.flatMap((column, index) => (NUMERIC_TYPE.test(column.type) ? [index] : []))),
    },
    view.width,
  )
  const hidden = query.rows.length - mostRows
  if (hidden <= 0) return query.truncated ? `${table}\nThere are more rows, which were cut.` : table
  return `${table}\n${hidden} more ${hidden === 1 ? 'row' : 'rows'}${query.truncated ? ', and more that were cut' : ''}`
}

function sourceLine(query: QueryReport, view: View): string {
  const outcome =
    query.error === null
      ? `${query.row_count}${query.truncated ? '+' : ''} ${query.row_count === 1 ? 'row' : 'rows'}, ${Math.round(query.elapsed_ms)} ms`
      : 'failed'
  const retries = query.attempts > 1 ? `, ${query.attempts} attempts` : ''
  const line = view.style('dim', `[${query.id}] ${terminalText(query.explanation || query.question)} (${outcome}${retries})`)
  return view.wraps ? wrapped(line, view.width) : line
}
