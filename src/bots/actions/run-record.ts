import { z } from 'zod'
import { runAccessSchema } from '../../access/run-access.ts'
import { investigationReportSchema } from '../../agent/run/investigation-report.ts'
import { type QueryReport, queryReportSchema } from '../../agent/run/result.ts'
import { figureSourceSchema } from '../../answer-check/workings/figure-source.ts'
import { inSlices } from '../../base/slices.ts'
import { packText, unpackText } from '../../base/text/packed-text.ts'
import { pictureSchema } from '../../charts/picture.ts'
import { chatPlaceSchema } from '../../chat/event.ts'
import type { StateStore } from '../../store/state-store.ts'
import { parseRowLines, rowLines } from '../../warehouse/row-lines.ts'
import { languageSchema } from '../../words/language.ts'

const querySchema = queryReportSchema.pick({
  id: true,
  question: true,
  source: true,
  sql: true,
  tables: true,
  explanation: true,
  assumptions: true,
  columns: true,
  row_count: true,
  truncated: true,
  total_rows: true,
  error: true,
})

const runRecordSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  place: chatPlaceSchema,
  author: z.string(),
  /** The author's access rights at the time of the question. Absent: no limits. */
  access: runAccessSchema.optional(),
  isPrivate: z.boolean(),
  /** The question as the asker wrote it. */
  question: z.string(),
  /** The question, rewritten to stand on its own. */
  standaloneQuestion: z.string(),
  /** Unix time in milliseconds. */
  answeredAt: z.number(),
  isFailure: z.boolean(),
  /** The queries without their rows. The rows are loaded separately. */
  queries: z.array(querySchema),
  /** The models that took part. */
  models: z.array(z.string()).optional(),
  figures: z.array(figureSourceSchema).default([]),
  language: languageSchema.default('en'),
  markdown: z.string(),
  footer: z.string(),
  chart: pictureSchema.optional(),
  investigation: investigationReportSchema.optional(),
  /** The pipeline that the answer drafts. `tables` is null if it is unknown what it reads. */
  draft: z
    .object({ name: z.string(), definition: z.string(), valid: z.boolean(), tables: z.array(z.string()).nullable() })
    .optional(),
})

/** The data that the buttons of an answer need when people press them later. */
export type RunRecord = z.infer<typeof runRecordSchema>
export type RecordedQuery = z.infer<typeof querySchema>
type Rows = QueryReport['rows']

/** A query together with its rows, which are stored apart from the record. */
export type RecordableQuery = RecordedQuery & { readonly rows: Rows }

/**
 * Stores compressed records of answers, with all rows of their queries. They expire after the operator's retention time for
 * results. Methods throw StoreError.
 */
export class RunRecords {
  readonly #store: StateStore
  readonly #retentionSeconds: number

  constructor(deps: { readonly store: StateStore; readonly retentionSeconds: number }) {
    this.#store = deps.store
    this.#retentionSeconds = deps.retentionSeconds
  }

  /** Stores an answer. A second call after a crash replaces the record. */
  async save(
    record: Omit<RunRecord, 'version' | 'queries'>,
    queries: readonly RecordableQuery[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const { id, rows } of queries) {
      if (rows.length > 0) await this.#write(rowsKey(record.runId, id), rowLines(rows), signal)
    }
    // The record is written after the rows, so a record never exists without its rows.
    const whole = { ...record, version: 1, queries: queries.map(query => querySchema.parse(query)) } satisfies RunRecord
    await this.#write(recordKey(record.runId), [JSON.stringify(whole)], signal)
  }

  /** Returns undefined for an unknown or expired run, and for a run without an answer. */
  async load(runId: string, signal: AbortSignal): Promise<RunRecord | undefined> {
    const text = await this.#read(recordKey(runId), signal)
    // A record that another version of Clew wrote is treated as expired.
    return text && runRecordSchema.safeParse(JSON.parse(text.toString('utf8'))).data
  }

  /** Returns all rows of a query. Undefined if the rows have expired. */
  async rows(runId: string, query: RecordedQuery, signal: AbortSignal): Promise<Rows | undefined> {
    if (query.row_count === 0) return []
    const text = await this.#read(rowsKey(runId, query.id), signal)
    return text && inSlices(parseRowLines(text, text.indexOf('[') + 1, text.lastIndexOf(']')))
  }

  /** Writes a text in compressed form. Nothing is stored if the text is larger than a record may be. */
  async #write(key: string, pieces: Iterable<string>, signal: AbortSignal): Promise<void> {
    const packed = await packText(pieces)
    if (packed !== undefined) await this.#store.set(key, packed, this.#retentionSeconds, signal)
  }

  async #read(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const packed = await this.#store.get(key, signal)
    if (packed === undefined) return undefined
    // Data that cannot be unpacked are treated as expired.
    return unpackText(packed).catch(() => undefined)
  }
}

function recordKey(runId: string): string {
  return `run:{${runId}}:record`
}

function rowsKey(runId: string, queryId: string): string {
  return `run:{${runId}}:rows:${queryId}`
}

export function hasRows({ error, row_count: rows }: Pick<RecordedQuery, 'error' | 'row_count'>): boolean {
  return error === null && rows > 0
}
