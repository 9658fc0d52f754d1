import { amountColumns } from '../../agent/chart/amount-columns.ts'
import { isNumberColumn } from '../../agent/chart/numbers.ts'
import { queryExplanations } from '../../agent/notes/small-print.ts'
import type { QueryReport, RunResult } from '../../agent/run/result.ts'
import { shownCell } from '../../agent/write/result-table.ts'
import { sourceLines } from '../../answer-check/workings/figure-source.ts'
import type { Picture } from '../../charts/picture.ts'
import type { FormatSql } from '../../warehouse/format-sql.ts'
import { chatWords } from '../../words/chat.ts'
import { groupedDigits, type Language } from '../../words/language.ts'
import { SHARED_LIMITS } from '../shared/limits.ts'
import { chartView } from './chart-view.ts'
import { drawTable, fitsGrid } from './draw-table.ts'
import { graphView } from './graph-view.ts'
import { TERMINAL_LIMITS } from './limits.ts'
import { terminalMarkdown, wrapped } from './markdown.ts'
import type { View } from './style.ts'
import { terminalText } from './text.ts'

/** Lays out the answer with its chart or graph, and with explanations of its queries. */
export function answerView(result: RunResult, view: View): string {
  const sources =
    result.intent === 'lineage'
      ? evidenceView(result.queries, view, result.language)
      : queryExplanations(result).map(source => sourceLine(source, view))
  const chart = result.chart === null ? '' : pictureView(result.chart, view)
  const below = [...(chart === '' ? [] : ['', chart]), ...(sources.length === 0 ? [] : ['', ...sources])]
  return [terminalMarkdown(result.answer, view), ...below].join('\n')
}

/** Lays out the first rows of each query that the answer is based on. */
export function evidenceView(evidence: readonly QueryReport[], view: View, language: Language): readonly string[] {
  return evidence.map((query, index) => {
    const head = view.style('dim', `[${query.id}] ${terminalText(query.explanation)}`)
    return `${index === 0 ? '' : '\n'}${head}\n${tableView(query, TERMINAL_LIMITS.evidenceRows, view, language)}`
  })
}

function pictureView(picture: Picture, view: View): string {
  return picture.kind === 'graph' ? graphView(picture, view) : chartView(picture, view)
}

/** Lays out the formatted SQL of each query, with the query's assumptions. */
export function sqlViews(
  queries: readonly QueryReport[],
  formatSql: FormatSql,
  { view, language }: { readonly view: View; readonly language: Language },
  signal: AbortSignal,
): Promise<readonly string[]> {
  return Promise.all(
    queries.map(async query => {
      const sql = query.sql === null ? null : await formatSql(query.sql, signal).catch(() => query.sql)
      return sqlView({ ...query, sql }, view, language)
    }),
  )
}

/** Lays out the sources of an answer's figures. Empty if there are no figures. */
export function sourcesView(figures: RunResult['figures'], view: View, language: Language): string {
  const lines = sourceLines(figures, language)
  const hidden = lines.length - SHARED_LIMITS.sourceLines
  return [...lines.slice(0, SHARED_LIMITS.sourceLines), ...(hidden > 0 ? [chatWords(language).moreSources(hidden)] : [])]
    .map(line => wrapped(terminalText(line), view, '  '))
    .join('\n')
}

export function sqlView(query: QueryReport, view: View, language: Language): string {
  const { assumed, noSql } = chatWords(language)
  const assumptions = query.assumptions.map(assumption => view.style('dim', `  ${terminalText(assumed(assumption))}`))
  const lines = [
    view.style(
      'bold',
      `${query.source === undefined ? query.id : `${query.id} (${query.source})`} ${terminalText(query.question)}`,
    ),
    ...assumptions,
    ...terminalText(query.sql ?? noSql).split('\n'),
  ]
  return lines.map(line => wrapped(line, view, '  ')).join('\n')
}

/** Lays out a query's rows as a table. A wide table shows fewer rows. */
export function tableView(query: QueryReport, mostRows: number, view: View, language: Language): string {
  const words = chatWords(language)
  if (query.error !== null) return view.style('red', wrapped(terminalText(words.queryFailed(query.id, query.error)), view))
  if (query.rows.length === 0) return words.returnedNothing(query.id)
  const amounts = amountColumns(query)
  const inLanguage = (text: string, index: number) => (amounts.has(index) ? groupedDigits(text, language) : text)
  const table = {
    header: query.columns.map(column => terminalText(column.name)),
    rows: query.rows
      .slice(0, mostRows)
      .map(cells => cells.map((cell, index) => terminalText(inLanguage(shownCell(cell), index)))),
    numeric: new Set(query.columns.flatMap((column, index) => (isNumberColumn(column) ? [index] : []))),
  }
  const most = fitsGrid(table, view.width)
    ? mostRows
    : Math.max(1, Math.floor(TERMINAL_LIMITS.recordLines / query.columns.length))
  const rows = table.rows.slice(0, most)
  const drawn = drawTable({ ...table, rows }, view.width)
  const isUncounted = query.truncated && query.total_rows === undefined
  const hidden = (query.total_rows ?? query.rows.length) - rows.length
  if (hidden === 0) return isUncounted ? `${drawn}\n${words.rowsCut}` : drawn
  return `${drawn}\n${words.rowsHidden(hidden, isUncounted)}`
}

function sourceLine(source: string, view: View): string {
  return wrapped(view.style('dim', terminalText(source)), view)
}
