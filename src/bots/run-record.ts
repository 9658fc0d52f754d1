import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { z } from 'zod'
import { runAccessSchema } from '../access/run-access.ts'
import { pictureSchema } from '../agent/picture.ts'
import { type QueryReport, queryReportSchema } from '../agent/run-result.ts'
import { parseRowLines, rowLines } from '../clickhouse/row-lines.ts'
import { SIZES } from '../sizes.ts'
import { inSlices } from '../slices.ts'
import type { StateStore } from '../store/state-store.ts'
import { languageSchema } from '../words/language.ts'
import { chatPlaceSchema } from './chat-event.ts'

const querySchema = queryReportSchema.pick({
  id: true,
  question: true,
  sql: true,
  tables: true,
  explanation: true,
  assumptions: true,
  columns: true,
  row_count: true,
  truncated: true,
  error: true,
})

const runRecordSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  place: chatPlaceSchema,
  author: z.string(),
  /** What the author might read; absent: everything. */
  access: runAccessSchema.optional(),
  isPrivate: z.boolean(),
  /** As it was asked, and as it was made to stand on its own. */
  question: z.string(),
  standaloneQuestion: z.string(),
  /** Unix time in milliseconds. */
  answeredAt: z.number(),
  /** Whether none of its queries came through. */
  isFailure: z.boolean(),
  /** Less their rows, which are loaded one by one. */
  queries: z.array(querySchema),
  language: languageSchema.default('en'),
  markdown: z.string(),
  footer: z.string(),
  chart: pictureSchema.optional(),
})

/** An answer as those who press its buttons need it later. */
export type RunRecord = z.infer<typeof runRecordSchema>
export type RecordedQuery = z.infer<typeof querySchema>
type Rows = QueryReport['rows']

/** A query with what it returned: a record keeps both, apart from each other. */
export type RecordableQuery = RecordedQuery & { readonly rows: Rows }

/** The records of answers, each with all rows of its queries, compressed, for as long as the operator keeps results. Methods throw StoreError. */
export class RunRecords {
  readonly #store: StateStore
  readonly #retentionSeconds: number

  constructor(deps: { readonly store: StateStore; readonly retentionSeconds: number }) {
    this.#store = deps.store
    this.#retentionSeconds = deps.retentionSeconds
  }

  /** Keeps an answer. Doing it again, after a crash, replaces it. */
  async save(
    record: Omit<RunRecord, 'version' | 'queries'>,
    queries: readonly RecordableQuery[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const { id, rows } of queries) {
      if (rows.length > 0) await this.#write(rowsKey(record.runId, id), rowLines(rows), signal)
    }
    // Last, so that whoever finds the record finds its rows.
    const whole = { ...record, version: 1, queries: queries.map(query => querySchema.parse(query)) } satisfies RunRecord
    await this.#write(recordKey(record.runId), [JSON.stringify(whole)], signal)
  }

  /** Undefined for a run without an answer, unknown or forgotten. */
  async load(runId: string, signal: AbortSignal): Promise<RunRecord | undefined> {
    const text = await this.#read(recordKey(runId), signal)
    // One of another version is as good as forgotten.
    return text && runRecordSchema.safeParse(JSON.parse(text.toString('utf8'))).data
  }

  /** All rows that a query returned; undefined where they were forgotten. */
  async rows(runId: string, query: RecordedQuery, signal: AbortSignal): Promise<Rows | undefined> {
    if (query.row_count === 0) return []
    const text = await this.#read(rowsKey(runId, query.id), signal)
    return text && inSlices(parseRowLines(text, text.indexOf('[') + 1, text.lastIndexOf(']')))
  }

  /** Compresses the pieces one after the other: a result of ten megabytes at once would keep everybody else waiting. What could not be unpacked is not kept. */
  async #write(key: string, pieces: Iterable<string>, signal: AbortSignal): Promise<void> {
    let bytes = 0
    function* bounded(): Generator<string, void> {
      for (const piece of pieces) {
        bytes += Buffer.byteLength(piece)
        if (bytes > SIZES.recordBytes) return
        yield piece
      }
    }
    const packed: Buffer[] = await Readable.from(bounded(), { highWaterMark: 1 }).pipe(createGzip()).toArray()
    if (bytes > SIZES.recordBytes) return
    await this.#store.set(key, Buffer.concat(packed).toString('base64'), this.#retentionSeconds, signal)
  }

  async #read(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const packed = await this.#store.get(key, signal)
    if (packed === undefined) return undefined
    // One that nothing here has written is as good as forgotten.
    return promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: SIZES.recordBytes }).catch(() => undefined)
  }
}

function recordKey(runId: string): string {
  return `run:{${runId}}:record`
}

function rowsKey(runId: string, queryId: string): string {
  return `run:{${runId}}:rows:${queryId}`
}
