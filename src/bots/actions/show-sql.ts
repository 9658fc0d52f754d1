import type { FormatSql } from '../../clickhouse/format-sql.ts'
import { fencedCode, oneLine } from '../plain-markdown.ts'
import type { RecordedQuery, RunRecords } from '../run-record.ts'
import type { PressAccess } from './press-access.ts'
import { forReaders } from './press-checks.ts'
import type { PressHandler } from './press-handler.ts'

/** Shows the SQL of each query, with what it computes and what it takes for granted. */
export function showSql(deps: {
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayRead'>
  readonly formatSql: FormatSql
}): PressHandler {
  return forReaders(deps, async (_press, { queries }, signal) => {
    const sections = await Promise.all(
      queries.map(async query => sectionOf(query, query.sql === null ? null : await deps.formatSql(query.sql, signal))),
    )
    return { markdown: sections.length === 0 ? 'No query was needed for this.' : sections.join('\n\n') }
  })
}

function sectionOf({ id, question, explanation, assumptions, error }: RecordedQuery, sql: string | null): string {
  const paragraphs = [
    `**${id}: ${oneLine(question)}**`,
    oneLine(explanation),
    assumptions.map(assumption => `- Assumed: ${oneLine(assumption)}`).join('\n'),
    error === null ? '' : `It failed: ${oneLine(error)}`,
    sql === null ? 'No SQL was written.' : fencedCode(sql, 'sql'),
  ]
  return paragraphs.filter(paragraph => paragraph !== '').join('\n\n')
}
