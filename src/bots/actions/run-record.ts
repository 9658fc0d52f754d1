import { z } from 'zod'
import { runAccessSchema } from '../../access/run-access.ts'
import type { DraftReport } from '../../agent/draft/pipeline-draft.ts'
import { queryExplanations } from '../../agent/notes/small-print.ts'
import { type QueryReport, queryReportSchema, type RunResult } from '../../agent/run/result.ts'
import { figureSourceSchema } from '../../answer-check/workings/figure-source.ts'
import { inSlices } from '../../base/slices.ts'
import { packText, unpackText } from '../../base/text/packed-text.ts'
import { pictureSchema } from '../../charts/picture.ts'
import { type ChatMessage, chatPlaceSchema } from '../../chat/event.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
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
  /** The pipeline that the answer drafts. `tables` is null if it is unknown what it reads. */
  draft: z
    .object({ name: z.string(), definition: z.string(), valid: z.boolean(), tables: z.array(z.string()).nullable() })
    .optional(),
  /** The whole result for the console, without rows and picture. Absent in a record of an earlier version. */
  result: z.custom<RecordedResult>().optional(),
})

/** A result without what is stored apart from it. */
type RecordedResult = Omit<RunResult, 'queries' | 'chart' | 'steps'> & { readonly queries: readonly Omit<QueryReport, 'rows'>[] }

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

  /**
   * Returns the result of a run as it was, without its steps and with its first rows.
   * @returns undefined if it has expired, or if an earlier version of Clew recorded it
   */
  async result(record: RunRecord, mostRows: number, signal: AbortSignal): Promise<Omit<RunResult, 'steps'> | undefined> {
    const { result, chart = null, runId } = record
    if (result === undefined) return undefined
    const queries = await Promise.all(
      result.queries.map(async query => ({ ...query, rows: (await this.rows(runId, query, signal))?.slice(0, mostRows) ?? [] })),
    )
    return { ...result, queries, chart }
  }

  /** Returns all rows of a query. Undefined if the rows have expired. */
  async rows(runId: string, query: Pick<RecordedQuery, 'id' | 'row_count'>, signal: AbortSignal): Promise<Rows | undefined> {
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

/** Makes the record of an answer. */
export function recordOf(
  {
    message,
    runId,
    access: decision,
  }: Pick<AcceptedMessage, 'runId' | 'access'> & {
    readonly message: Pick<ChatMessage, 'place' | 'author' | 'text' | 'isPrivate'>
  },
  result: RunResult,
  now: number,
): RunRecord {
  const { steps: _, chart: __, queries, ...whole } = result
  return {
    version: 1,
    runId,
    place: message.place,
    author: message.author,
    ...(decision?.kind === 'granted' && decision.access !== undefined ? { access: decision.access } : {}),
    isPrivate: message.isPrivate === true,
    // After a press on "Run it", the message's own text is only that choice. So the record shows the question of the earlier run.
    question: result.run_id === runId ? message.text : result.standalone_question,
    standaloneQuestion: result.standalone_question,
    answeredAt: now,
    isFailure: result.queries.length > 0 && result.queries.every(query => query.error !== null),
    queries: [...result.queries],
    models: [...new Set(result.steps.flatMap(({ model }) => model ?? []))],
    figures: [...result.figures],
    language: result.language,
    markdown: result.answer,
    footer: queryExplanations(result)
      .map(source => `- ${source}`)
      .join('\n'),
    ...(result.chart === null ? {} : { chart: result.chart }),
    ...(result.draft === null ? {} : { draft: draftRecord(result.draft) }),
    result: { ...whole, queries: queries.map(({ rows: _, ...query }) => query) },
  }
}

function draftRecord({ name, definition, valid, tables }: DraftReport): NonNullable<RunRecord['draft']> {
  return { name, definition, valid, tables: tables && [...tables] }
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
