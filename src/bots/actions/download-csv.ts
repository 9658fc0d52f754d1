import type { PressHandler } from '../../chat/press-handler.ts'
import type { AttachedFile, PrivateReply } from '../../chat/reply.ts'
import type { ChatWords } from '../../words/chat.ts'
import { oneLine } from '../shared/plain-markdown.ts'
import { csvContent } from './csv-text.ts'
import type { PressAccess } from './press-access.ts'
import { forReaders } from './press-checks.ts'
import { hasRows, type RecordedQuery, type RunRecord, type RunRecords } from './run-record.ts'

interface Download {
  readonly query: RecordedQuery
  readonly file: AttachedFile
}

/**
 * Handles a press on "CSV". The reply has all rows of the answer's queries, as one CSV file per query. Chats show such a file as
 * a table.
 */
export function downloadCsv(deps: {
  readonly records: Pick<RunRecords, 'load' | 'rows'>
  readonly access: Pick<PressAccess, 'mayRead'>
}): PressHandler {
  async function downloadOf(record: RunRecord, query: RecordedQuery, signal: AbortSignal): Promise<Download[]> {
    const rows = await deps.records.rows(record.runId, query, signal)
    if (rows === undefined || rows.length === 0) return []
    const content = await csvContent({ columns: query.columns, rows })
    return [{ query, file: { name: csvFileName(query), mediaType: 'text/csv', content } }]
  }

  return forReaders(deps, async ({ record, words }, signal): Promise<PrivateReply> => {
    const queries = record.queries.filter(hasRows)
    const downloads = (await Promise.all(queries.map(query => downloadOf(record, query, signal)))).flat()
    if (downloads.length === 0) return { markdown: words.nothingToDownload }
    return { markdown: downloads.map(download => describe(download, words)).join('\n'), files: downloads.map(({ file }) => file) }
  })
}

function describe(
  { query: { id, question, row_count: rows, truncated, total_rows: total } }: Download,
  words: ChatWords,
): string {
  return `- ${id} (${words.download(rows, truncated, total)}): ${oneLine(question)}`
}

/** Makes a file's name, such as `Q1-devices-by-metro.csv`. If rows were cut off: `Q1-devices-by-metro-first-10000-rows.csv`. */
export function csvFileName({
  id,
  question,
  row_count: rows,
  truncated,
}: Pick<RecordedQuery, 'id' | 'question' | 'row_count' | 'truncated'>): string {
  const words = question
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const subject = (words ?? [])
    .join('-')
    .slice(0, 40)
    .replace(/(?<!-)-+$/, '')
  return [id, subject, truncated ? `first-${rows}-rows` : '']
    .filter(part => part !== '')
    .join('-')
    .concat('.csv')
}
