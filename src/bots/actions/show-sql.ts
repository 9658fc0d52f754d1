import { codeBlock } from '../../base/text/code-block.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { FormatSql } from '../../warehouse/format-sql.ts'
import type { ChatWords } from '../../words/chat.ts'
import { oneLine } from '../shared/plain-markdown.ts'
import type { PressAccess } from './press-access.ts'
import { forReaders } from './press-checks.ts'
import type { RecordedQuery, RunRecords } from './run-record.ts'

/** Handles a press on "SQL". The reply has each query's SQL with its explanation and assumptions. */
export function showSql(deps: {
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayRead'>
  readonly formatSql: FormatSql
}): PressHandler {
  return forReaders(deps, async ({ record: { queries }, words }, signal) => {
    const sections = await Promise.all(
      queries.map(async query => sectionOf(words, query, query.sql === null ? null : await deps.formatSql(query.sql, signal))),
    )
    return { markdown: sections.length === 0 ? words.noQuery : sections.join('\n\n') }
  })
}

function sectionOf(
  words: ChatWords,
  { id, source, question, explanation, assumptions, error }: RecordedQuery,
  sql: string | null,
): string {
  const paragraphs = [
    `**${source === undefined ? id : `${id} (${source})`}: ${oneLine(question)}**`,
    oneLine(explanation),
    assumptions.map(assumption => `- ${words.assumed(oneLine(assumption))}`).join('\n'),
    error === null ? '' : words.itFailed(oneLine(error)),
    sql === null ? words.noSql : codeBlock('sql', sql),
  ]
  return paragraphs.filter(paragraph => paragraph !== '').join('\n\n')
}
