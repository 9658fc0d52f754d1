import { lastLimit } from '../../answer-check/rows/result-index.ts'
import { columnLetters } from '../../answer-check/workings/column-letters.ts'
import { SIZES } from '../../base/sizes.ts'
import { visibleText } from '../../base/text/visible-text.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { describeEdges } from '../../warehouse/data-edges.ts'
import { describeFinding, type FilterFinding } from '../../warehouse/filter-finding.ts'
import { cutCharacters, onOneLine } from '../../warehouse/sql/plain-text.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { joinNotes } from '../notes/joins.ts'
import { combinedWhole, type UnexplainedQuery } from '../run/result.ts'

/**
 * Writes the queries and their results for the model that writes the answer. Each result has a maximum length. A note tells where
 * a result was cut.
 */
export function resultsPrompt(queries: readonly UnexplainedQuery[]): string {
  return queries.map(query => (query.error === null ? resultPrompt(query, queries) : failurePrompt(query))).join('\n\n')
}

/** Writes where a result comes from: its SQL, or what a program combined. */
function originOf(query: UnexplainedQuery, queries: readonly UnexplainedQuery[]): string {
  if (query.combined === undefined)
    return `${query.source === undefined ? '' : `Source: ${query.source}\n`}SQL: ${query.sql ?? ''}`
  const joins = joinNotes([...queries.filter(({ combined }) => combined === undefined), query], 'en')
  return [`Combined by a program from ${query.combined.inputs.join(', ')}.`, ...joins.map(({ text }) => text)].join('\n')
}

function resultPrompt(query: UnexplainedQuery, queries: readonly UnexplainedQuery[]): string {
  // The answer comes from the combined rows, so a few rows of their inputs suffice.
  const isInput = queries.some(({ error, combined }) => error === null && combined?.inputs.includes(query.id) === true)
  const shown = fittingRows(query, isInput ? AGENT_LIMITS.write.inputRows : AGENT_LIMITS.write.shownRows)
  const hidden =
    shown.length < query.rows.length
      ? ` The first ${shown.length} are shown to you, all of them to the person: say nothing of the others but what a working over the rows finds.`
      : ''
  const cut = shown.some(line => line.includes('… |')) ? ' A cell that ends with … is longer than it is shown.' : ''
  const narrowed =
    query.narrowed === null
      ? ''
      : '\nThe query reads less than was asked for, because the whole cost too much: say what your figures cover.'
  const reach = query.edges === undefined ? '' : `\n${describeEdges(query.edges)} Tell no period beyond that.`
  const table = [...tableHead(query.columns), ...shown].join('\n')
  const question = `## ${query.id}\n${fenceData('data question', `${remark(query.question)}\n${originOf(query, queries)}`)}`
  return `${question}${narrowed}${reach}\n${sizeOf(query, combinedWhole(query, queries))}${hidden}${cut}\n${fenceData('result', table)}${reviewPrompt(query)}`
}

/**
 * Writes how many rows there are. If the model sees only some of them, also writes what it must not claim.
 * @param into the result that was combined from all its rows; undefined if there is none
 */
function sizeOf(
  { row_count: rows, total_rows: total, truncated, sql, combined }: UnexplainedQuery,
  into: UnexplainedQuery | undefined,
): string {
  const counted = `${rows} ${rows === 1 ? 'row' : 'rows'}`
  // Only the rows that are kept were cut. The program has combined all of them.
  if (truncated && total !== undefined && into !== undefined) return `${total} rows in all, and ${into.id} has them all.`
  if (truncated) {
    const whole = total === undefined ? 'and there are more' : `of ${total} in all`
    return `The result was cut: its first ${counted} were fetched, ${whole}. Say so, and nothing over all rows but that number and totals in a column.`
  }
  // The query may return more rows than its LIMIT, because of WITH TIES.
  return combined === undefined && rows >= lastLimit(sql ?? '')
    ? `${counted}, as many as the query's LIMIT lets through: no count of all.`
    : `${counted} in all.`
}

function reviewPrompt({ review, look_up: findings, failed_attempts: failed }: UnexplainedQuery): string {
  const opinion =
    review?.verdict === 'suspicious'
      ? 'It was checked whether this can be empty; it looks wrong, and no better query was found:'
      : 'It was checked whether this can be empty; it is to be expected:'
  const judged = review === null ? '' : `\n${opinion}\n${fenceData('review', remark(review.reason))}`
  if (findings.length === 0) return judged
  const heading =
    review === null && failed.some(attempt => attempt.kind === 'empty')
      ? 'The query was written anew, because its first form found nothing. A look at the columns that this filtered on found'
      : 'A look at the columns that it filters on found'
  return `${judged}\n${heading} (say once, citing the query, what the person needs of it, such as the names that exist; values as they stand):\n${findingsPrompt(findings)}`
}

/** Writes the result of a look-up. It is fenced as data, because it contains values of the query and of rows. */
export function findingsPrompt(findings: readonly FilterFinding[]): string {
  return fenceData('look-up', findings.map(finding => `- ${describeFinding(finding)}`).join('\n'))
}

function fittingRows({ rows }: UnexplainedQuery, most: number): string[] {
  const shown: string[] = []
  let room = AGENT_LIMITS.write.resultCharacters
  for (const [index, cells] of rows.slice(0, most).entries()) {
    const line = tableRow(cells, index)
    room -= line.length
    if (room < 0 && shown.length > 0) break
    shown.push(line)
  }
  return shown
}

function failurePrompt(query: UnexplainedQuery): string {
  return `## ${query.id} failed: no result\nAnswer from the others${query.source === undefined ? '' : ', without citing this one'}, and do not fill the gap; a program tells what failed.\n${fenceData('data question', remark(query.question))}\n${fenceData('error', query.error ?? '')}`
}

function remark(text: string): string {
  return onOneLine(text, AGENT_LIMITS.write.remarkCharacters)
}

/** Writes the header of a result. The model refers to cells by the letters of the columns and the numbers of the rows. */
export function tableHead(columns: UnexplainedQuery['columns']): readonly string[] {
  const letters = columns.map(({ name, type }, at) => `${columnLetters(at)}: ${cellText(`${name} (${type})`)}`)
  return [row(['#', ...letters]), row(['---', ...letters.map(() => '---')])]
}

export function tableRow(cells: readonly Cell[], index: number): string {
  return row([String(index + 1), ...cells.map(cellText)])
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/**
 * Writes a cell on one visible line, and marks where a long cell is cut. NULL looks different from an empty text. Numbers stay
 * exact.
 */
export function cellText(cell: Cell): string {
  if (cell === null) return 'NULL'
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
  return cutCharacters(visibleText(text.slice(0, SIZES.cell)).replace(/\s+/g, ' '), AGENT_LIMITS.write.shownCharacters)
}
