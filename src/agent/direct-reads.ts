import { rememberingNarrower } from '../access/narrow-schema.ts'
import type { RunAccess } from '../access/run-access.ts'
import { ClewError } from '../base/errors.ts'
import { memoizePerObject } from '../base/memoize.ts'
import { thereAre } from '../base/text/there-are.ts'
import { checkDefinitions } from '../domain/check-definitions.ts'
import type { DomainPack } from '../domain/pack.ts'
import { RunLog } from '../history/run-log.ts'
import { SOURCE_KINDS } from '../sources/kinds.ts'
import { findTable } from '../warehouse/catalog/find-table.ts'
import { type JoinPath, joinPaths } from '../warehouse/joins/paths.ts'
import type { MultipliedRows } from '../warehouse/query-validator.ts'
import type { Schema, TableSchema } from '../warehouse/schema.ts'
import { onOneLine } from '../warehouse/sql/plain-text.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import type { AnalystDeps } from './analyst.ts'
import { AGENT_LIMITS } from './limits.ts'
import { type DataDeps, dataParts, runSources } from './narrowed-deps.ts'
import { execute } from './query/execute.ts'
import type { SucceededOutcome } from './query/execution-outcome.ts'
import { costHints } from './query/narrowing.ts'
import type { QueryContext, RunSource } from './run/context.ts'
import { runErrorSentence } from './run/describe-run-error.ts'
import { newRunId } from './run/id.ts'
import { ResultRooms } from './run/result-room.ts'
import { answerFromCatalog } from './understand/answer-from-catalog.ts'

/** A data source as its readers see it. */
export interface SourceListing {
  readonly source: string
  readonly dialect: string
  readonly description: string
  /** Why the source cannot be read now. Null if it can. */
  readonly error: string | null
  /** The number of tables that the reader may see. */
  readonly table_count: number
  /** Some of these tables. If the reader searched, the nearest ones, best first. */
  readonly tables: readonly { readonly table: string; readonly comment: string; readonly rows: number | null }[]
}

/** Thrown where a caller may not read what it asks for. The message is for the caller, and names the way out. */
export class RefusedRead extends ClewError {
  constructor(message: string) {
    super(message, { code: 'refused_read' })
  }
}

export type DirectRows = Pick<SucceededOutcome, 'sql' | 'columns' | 'rows' | 'truncated' | 'total_rows' | 'elapsed_ms'> & {
  readonly run_id: string
  /** A join that may count rows several times. Null if the check found none. */
  readonly doubt: string | null
}

/** The parts of an analyst that read data. None of them needs a model. */
export type DirectReadsDeps = DataDeps &
  Pick<QueryContext, 'guard' | 'databases' | 'budget' | 'maxRows' | 'now' | 'logger'> &
  Pick<AnalystDeps, 'dataSources' | 'store' | 'traceRetentionSeconds' | 'telemetry' | 'timeZone'>

interface OfSource {
  /** The reader's rights. Undefined: no limits. */
  readonly access: RunAccess | undefined
  /** The id of the source. Undefined: the default one. */
  readonly source?: string | undefined
}

/** The name of the only source, if there is no file of sources. */
const ONLY_SOURCE = { id: 'default', isDefault: true, description: '', joinKeys: [] } as const

/**
 * Reads data for a caller that thinks itself, such as an agent of somebody else. The rights, the guard and the limits are those
 * of a run. Methods throw RefusedRead.
 */
export class DirectReads {
  readonly #deps: DirectReadsDeps
  readonly #narrowSchema = rememberingNarrower()
  readonly #joinsOf = memoizePerObject(({ tables }: Schema) => joinPaths(tables))
  readonly #rooms = new ResultRooms()

  constructor(deps: DirectReadsDeps) {
    this.#deps = deps
  }

  /**
   * Lists the sources with their tables.
   * @param asked.search lists only the tables that this text may need, if the catalog is large
   */
  async listSources(
    { access, search }: Pick<OfSource, 'access'> & { readonly search?: string | undefined },
    signal: AbortSignal,
  ): Promise<readonly SourceListing[]> {
    return Promise.all(this.#sourcesOf(access).map(source => listed(source, search, signal)))
  }

  /** Describes a table in Markdown. */
  async describeTable(asked: OfSource & { readonly table: string }, signal: AbortSignal): Promise<string> {
    const { schema, table } = await this.table(asked, signal)
    return described({ ...schema, tables: [table] }, asked.table)
  }

  /** Returns a table with statistics of its columns, and the ways to join it. */
  async table(
    { table: name, ...of }: OfSource & { readonly table: string },
    signal: AbortSignal,
  ): Promise<{ readonly schema: Schema; readonly table: TableSchema; readonly joins: readonly JoinPath[] }> {
    const { schemaSource } = this.#find(of).parts
    const schema = await schemaSource.load(signal)
    const found = findTable(schema, name)
    if (found.kind !== 'found') throw new RefusedRead(described(schema, name))
    const [table = found.table] = (await schemaSource.withStatistics?.([found.table], signal)) ?? []
    return { schema, table, joins: this.#joinsOf(schema).get(found.table) ?? [] }
  }

  /**
   * Checks definitions of the default source against its schema. Runs none.
   * @param asked.pack the definitions; those that name a table hidden from the reader are left out
   */
  async checkDomain(
    { access, pack }: { readonly access: RunAccess | undefined; readonly pack: DomainPack },
    signal: AbortSignal,
  ) {
    const standing = this.#sourcesOf(access, pack).find(({ config }) => config.isDefault)
    if (standing === undefined) return undefined
    const { schemaSource, validator, guard, databases, domain } = standing.parts
    const schema = await schemaSource.load(signal)
    const visible = domain()
    const checked = await checkDefinitions(visible, schema, { guard, validator, databases }, signal)
    return { pack: visible, schema, checked }
  }

  /**
   * Returns the operator's definitions, as far as the reader may see what they name.
   * @param pack the definitions, if they are newer than those with which this process has started
   */
  async domain(
    access: RunAccess | undefined,
    signal: AbortSignal,
    pack: DomainPack = this.#deps.domain,
  ): Promise<DomainPack | undefined> {
    const standing = this.#sourcesOf(access, pack).find(({ config }) => config.isDefault)
    // The definitions are narrowed with the schema, so the schema is loaded first.
    if (access !== undefined) await standing?.parts.schemaSource.load(signal)
    return standing?.parts.domain()
  }

  /**
   * Runs SQL that the guard allows, within the budget and the limits of rows and bytes.
   * @param asked.maxRows the rows wanted; no more than CLEW_QUERY_MAX_ROWS come
   */
  async runQuery(
    { sql, maxRows, ...of }: OfSource & { readonly sql: string; readonly maxRows: number },
    signal: AbortSignal,
  ): Promise<DirectRows> {
    const { parts } = this.#find(of)
    const runId = newRunId()
    const log = await RunLog.open(runId, this.#deps, signal)
    const room = this.#rooms.open()
    try {
      const schema = await parts.schemaSource.load(signal)
      const request = { asked_at: new Date(this.#deps.now()).toISOString(), time_zone: this.#deps.timeZone }
      const context = { ...this.#deps, ...parts, log, room, request, observe: () => {} }
      // From the second attempt on, a doubt about a join comes with the rows, and does not refuse the query.
      const query = { schema, id: 'Q1', attempt: 2, sql, isConfirmed: false, tooExpensive: null }
      const outcome = await execute({ ...context, maxRows: Math.min(maxRows, this.#deps.maxRows) }, query, signal)
      switch (outcome.kind) {
        case 'succeeded': {
          const { sql: ran, columns, rows, truncated, total_rows, elapsed_ms, doubt } = outcome
          const read = { sql: ran, columns, rows, truncated, ...(total_rows !== undefined && { total_rows }), elapsed_ms }
          return { run_id: runId, ...read, doubt: doubt === undefined ? null : doubtSentence(doubt) }
        }
        case 'costly': {
          const hints = costHints(outcome.estimate, schema)
          throw new RefusedRead([`The query was not run: it ${outcome.excess}. Read less.`, ...hints].join('\n'))
        }
        default: {
          const near = outcome.near.length === 0 ? '' : ` Similar names: ${outcome.near.join(', ')}.`
          throw new RefusedRead(`${outcome.message}${near}`)
        }
      }
    } finally {
      room.close()
      await log.close(signal)
    }
  }

  /** Breaks the SQL of a query into lines. Where the engine cannot do that, the SQL stays as it is. */
  async formatSql({ sql, ...of }: OfSource & { readonly sql: string }, signal: AbortSignal): Promise<string> {
    const { dialect, warehouse } = this.#find(of).parts
    const format = SOURCE_KINDS[dialect].createSqlFormatter?.(warehouse)
    return format === undefined ? sql : format(sql, signal)
  }

  #sourcesOf(access: RunAccess | undefined, domain: DomainPack = this.#deps.domain): readonly RunSource[] {
    const { dataSources, guard, databases } = this.#deps
    if (dataSources !== undefined) return runSources(dataSources, domain, access, this.#narrowSchema)
    const data = dataParts({ ...this.#deps, domain }, access, this.#narrowSchema)
    return [{ config: ONLY_SOURCE, parts: { ...data, guard, databases, dialect: 'clickhouse' } }]
  }

  #find({ access, source: id }: OfSource): RunSource {
    const sources = this.#sourcesOf(access)
    // The default source is the first one, if the reader may use it.
    const found = sources.find(({ config }) => id === undefined || config.id === id)
    if (found !== undefined) return found
    const known = sources.map(({ config }) => config.id)
    throw new RefusedRead(
      known.length === 0 ? 'There is no source that you may read.' : `There is no source ${id}: ${thereAre(known)}.`,
    )
  }
}

function described(schema: Schema, table: string): string {
  return answerFromCatalog(schema, { catalog_request: 'describe', table }, 'en').markdown
}

function doubtSentence({ table, by, column }: MultipliedRows): string {
  return `The join may count rows of ${table} several times: several rows of ${by} share a value of ${column}.`
}

async function listed({ config, parts }: RunSource, search: string | undefined, signal: AbortSignal): Promise<SourceListing> {
  const about = { source: config.id, dialect: parts.dialect, description: config.description }
  const { schemaSource } = parts
  try {
    const schema = await schemaSource.load(signal)
    const found = search === undefined ? undefined : await schemaSource.find?.(schema, { text: search }, signal)
    const tables = (found?.map(({ table }) => table) ?? schema.tables).slice(0, AGENT_LIMITS.direct.listedTables)
    return { ...about, error: null, table_count: schema.tables.length, tables: tables.map(listedTable) }
  } catch (error) {
    if (signal.aborted || !(error instanceof ClewError)) throw error
    return { ...about, error: runErrorSentence(error, 'en'), table_count: 0, tables: [] }
  }
}

function listedTable(table: TableSchema) {
  const comment = onOneLine(table.comment, AGENT_LIMITS.direct.commentCharacters)
  return { table: qualifiedName(table), comment, rows: table.rows }
}
