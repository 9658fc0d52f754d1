import { BEHIND_A_VIEW } from '../../access/narrow-warehouse.ts'
import { EVERYTHING, isGranted, isGrantedByName, isLimited, showsAsMuch, type TableGrant } from '../../access/table-grant.ts'
import type { FormatSql } from '../../warehouse/format-sql.ts'
import type { TableName } from '../../warehouse/schema.ts'
import type { SqlGuard } from '../../warehouse/sql-guard.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import { inputTable, OWN_TABLE } from '../jobs/definition.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import { runAtMost } from '../run-at-most.ts'
import { templatePlaceholders } from '../sql-template.ts'
import type { LineageSource, LoggedOperation, LoggedRun } from './source.ts'

/** A run as its asker may see it. */
export interface LineageRun extends LoggedRun {
  /** The text of some operation is hidden. So are the run's error, and arguments that only hidden operations use. */
  readonly isPartial: boolean
  /** A repetition surely reads nothing hidden: the run completed, and all of it is visible. */
  readonly readsOnlySeen: boolean
}

/** An operation as its asker may see it. */
export interface LineageOperation
  extends Pick<LoggedOperation, 'operationId' | 'kind' | 'operation' | 'result' | 'inputs' | 'bytes'> {
  /** Rows written. Undefined if the operation failed or they are hidden. */
  readonly rows: number | undefined
  /** The run made the table. Otherwise it was already there. */
  readonly isMade: boolean
  readonly hasFailed: boolean
  /** SQL, columns and error. Undefined if the operation reads something hidden. */
  readonly text: Pick<LoggedOperation, 'template' | 'sql' | 'columnLineage' | 'error'> | undefined
}

/** The asker's grants, and the means to find what SQL reads. */
export interface LineageAsker {
  readonly grants: readonly TableGrant[]
  readonly guard: SqlGuard
  readonly formatSql: FormatSql
  readonly liveTables: LineageSource['liveTables']
}

/** Signs that may begin a comment, even inside a string. */
const COMMENT = /--|\/\*|\/\/|#/
/** Stands for the unknown database of another runner's unqualified names. */
const UNKNOWN_DATABASE = ' '

/**
 * The part of a run that its asker may see. It is the only way from a log to a graph, and so to prompts, answers and pictures. A grant for a table
 * shows that table. SQL, columns and errors of an operation need grants for everything it reads. If that is uncertain, only an asker without limits
 * sees them.
 */
export class SeenRun {
  readonly run: LineageRun
  /** Tables that the run read and wrote, and whose rows may be read. */
  readonly tables: readonly TableName[]
  readonly #operations: readonly LineageOperation[]

  private constructor(run: LineageRun, operations: readonly LineageOperation[], tables: readonly TableName[]) {
    this.run = run
    this.tables = tables
    this.#operations = operations
  }

  get operations(): readonly LineageOperation[] {
    return this.#operations
  }

  /** The view of an asker without limits. */
  static whole(run: LoggedRun, logged: readonly LoggedOperation[]): SeenRun {
    const operations = logged.map(operation => seen(operation, operation))
    return new SeenRun({ ...run, isPartial: false, readsOnlySeen: true }, operations, tablesOf(logged))
  }

  /**
   * @param asker undefined for one without limits
   * @returns undefined if the run has a table that the asker may not see
   * @throws WarehouseError
   */
  static async by(
    asker: LineageAsker | undefined,
    run: LoggedRun,
    logged: readonly LoggedOperation[],
    signal: AbortSignal,
  ): Promise<SeenRun | undefined> {
    if (asker === undefined || !isLimited(asker.grants)) return SeenRun.whole(run, logged)
    const sight = new Sight(asker, run, logged)
    await sight.findReads(signal)
    const tables = tablesOf(logged)
    if (!tables.every(table => sight.mayKnow(table))) return undefined
    const operations: LineageOperation[] = []
    for (const [index, operation] of logged.entries()) operations.push(await sight.see(operation, `hidden_${index + 1}`, signal))
    const isPartial = operations.length === 0 || operations.some(({ text }) => text === undefined)
    const isTold = !operations.some(({ text }) => text?.error === BEHIND_A_VIEW)
    const shown = isPartial ? partOf(run, operations) : { ...run, error: isTold ? run.error : '' }
    const readable = tables.filter(table => sight.mayReadRows(table))
    const readsOnlySeen = !isPartial && run.status === 'COMPLETED'
    return new SeenRun({ ...shown, isPartial, readsOnlySeen }, operations, readable)
  }
}

function tablesOf(logged: readonly LoggedOperation[]): readonly TableName[] {
  return logged.flatMap(({ result, inputs }) => [result, ...inputs.map(({ table }) => table)])
}

function seen(operation: LoggedOperation, text: LineageOperation['text']): LineageOperation {
  const { operationId, kind, operation: label, result, inputs, rows, bytes, sql, error } = operation
  const hasFailed = error !== ''
  const same = { operationId, kind, operation: label, result, inputs, bytes, text }
  return { ...same, rows: hasFailed ? undefined : rows, isMade: sql !== '', hasFailed }
}

/** Hides errors, which may quote any row read, and arguments, which may be part of a hidden condition. */
function partOf(run: LoggedRun, operations: readonly LineageOperation[]): LoggedRun {
  const used = new Set(operations.flatMap(({ text }) => templatePlaceholders(text?.template ?? '').arguments))
  const given = run.arguments && Object.fromEntries(Object.entries(run.arguments).filter(([name]) => used.has(name)))
  // Another runner's run has its target's label as its name.
  const job = run.isRepeatable ? run.job : (operations.find(({ kind }) => kind === 'target')?.operation ?? run.id)
  return { ...run, job, arguments: given, error: '' }
}

class Sight {
  readonly #asker: LineageAsker
  readonly #run: LoggedRun
  readonly #byResult = new Map<string, LoggedOperation[]>()
  readonly #reads = new Map<LoggedOperation, readonly string[] | undefined>()
  /** A table under evaluation counts as hidden, so that a cycle reveals nothing. */
  readonly #seesText = new Map<LoggedOperation, boolean>()
  readonly #logged: readonly LoggedOperation[]
  /** Tables that read no others. */
  readonly #plain = new Set<string>()

  constructor(asker: LineageAsker, run: LoggedRun, logged: readonly LoggedOperation[]) {
    this.#asker = asker
    this.#run = run
    this.#logged = logged
    for (const operation of logged) {
      const result = qualifiedName(operation.result)
      this.#byResult.set(result, [...(this.#byResult.get(result) ?? []), operation])
    }
  }

  async findReads(signal: AbortSignal): Promise<void> {
    const work = this.#logged.map(operation => async () => {
      const reads = operation.reads?.map(qualifiedName) ?? (await this.#readsOfSql(operation, signal))
      this.#reads.set(operation, reads && [...reads, ...operation.inputs.map(({ table }) => qualifiedName(table))])
    })
    await runAtMost(PIPELINES_LIMITS.readsAtOnce, work)
    const known = new Set([...this.#reads.values()].flatMap(reads => reads ?? []))
    const live = await this.#asker.liveTables([...known].map(tableOf), signal)
    for (const [name, { holdsRows }] of live) if (holdsRows) this.#plain.add(name)
  }

  /** Whether the asker may know that the table exists. The names of a job's own tables reveal nothing. */
  mayKnow(table: TableName): boolean {
    return this.mayReadRows(table) || this.#madeOwn(table).some(operation => publishedName(operation) === undefined)
  }

  /** Nobody can grant a job's own table. Its published name stands for it, else its inputs do. */
  mayReadRows(table: TableName): boolean {
    const { grants } = this.#asker
    const made = this.#madeOwn(table)
    if (made.length === 0) return isGranted(grants, table)
    return made.every(operation => {
      const name = publishedName(operation)
      return name === undefined ? this.#maySeeText(operation) : isGranted(grants, { database: table.database, name })
    })
  }

  /** @param hiddenLabel the label if the name may reveal something hidden */
  async see(operation: LoggedOperation, hiddenLabel: string, signal: AbortSignal): Promise<LineageOperation> {
    if (this.#maySeeText(operation)) return seen(operation, await this.#text(operation, signal))
    const { result, operation: label, rows } = operation
    const isOwn = OWN_TABLE.test(result.name)
    const isCalledAsTable = isOwn ? publishedName(operation) !== undefined : [label, inputTable(label)].includes(result.name)
    const inputs = operation.inputs.map(({ table }) => ({ role: table.name, table }))
    const hidden = { operation: isOwn ? hiddenLabel : result.name, rows: undefined, bytes: 0 }
    const known = { operation: isCalledAsTable ? label : hidden.operation, rows: operation.error === '' ? rows : undefined }
    return { ...seen(operation, undefined), operationId: '', inputs, ...hidden, ...(this.mayReadRows(result) && known) }
  }

  /** Comments in the SQL may name anything, so they are removed. */
  async #text(operation: LoggedOperation, signal: AbortSignal): Promise<NonNullable<LineageOperation['text']>> {
    const { template, sql, columnLineage, error } = operation
    const bare = COMMENT.test(sql) ? await this.#asker.formatSql(sql, signal) : sql
    const known = columnLineage && [...columnLineage.fields.flatMap(({ inputs }) => inputs), ...columnLineage.dataset]
    const isTold = known?.every(({ table }) => table.startsWith('_table_function.') || this.#mayReadAll(table))
    return {
      template: COMMENT.test(template) ? '' : template,
      // The engine could not parse it with its comments.
      sql: COMMENT.test(sql) && bare === sql ? '' : bare,
      columnLineage: isTold === true ? columnLineage : undefined,
      error: error === '' || this.#readsPlainTables(operation) ? error : BEHIND_A_VIEW,
    }
  }

  /** A grant may cover a view alone, but its errors name and quote the tables behind it. */
  #readsPlainTables(operation: LoggedOperation): boolean {
    const isPlain = (table: string) => this.#plain.has(table) || this.#madeOwn(tableOf(table)).length > 0
    return this.#reads.get(operation)?.every(isPlain) === true
  }

  #maySeeText(operation: LoggedOperation): boolean {
    const known = this.#seesText.get(operation)
    if (known !== undefined) return known
    this.#seesText.set(operation, false)
    const may = this.#reads.get(operation)?.every(table => this.#mayReadAll(table)) === true
    this.#seesText.set(operation, may)
    return may
  }

  /** An error may quote any row, even one outside the asker's own rows. */
  #mayReadAll(table: string): boolean {
    const name = tableOf(table)
    return this.#madeOwn(name).length > 0 ? this.mayReadRows(name) : showsAsMuch(this.#asker.grants, EVERYTHING, table)
  }

  #madeOwn(table: TableName): readonly LoggedOperation[] {
    return OWN_TABLE.test(table.name) ? (this.#byResult.get(qualifiedName(table)) ?? []) : []
  }

  /** Determines the reads of a run logged without them, by the guard, if all are readable. */
  async #readsOfSql(
    { sql, template, error, result }: LoggedOperation,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    // It was already there, so nothing needs to be told.
    if (sql === '') return template === '' && error === '' ? [] : undefined
    const database = this.#run.isRepeatable ? result.database : UNKNOWN_DATABASE
    const mayBeRead = (name: string) => isGrantedByName(this.#asker.grants, name) || this.#byResult.has(name)
    const verdict = await this.#asker.guard.check(sql, { database, tables: new NamesThat(mayBeRead) }, signal)
    if (verdict.verdict === 'reject' || verdict.tables.some(name => name.startsWith(`${UNKNOWN_DATABASE}.`))) return undefined
    return verdict.tables
  }
}

/** A guard scope that contains every name of a kind. */
class NamesThat extends Set<string> {
  readonly #fit: (name: string) => boolean

  constructor(fit: (name: string) => boolean) {
    super()
    this.#fit = fit
  }

  override has(name: string): boolean {
    return this.#fit(name)
  }
}

/** Returns the name under which a replay's or failed run's own table would have been published, unless it comes from tables that the run names. */
function publishedName({ kind, operation, inputs }: LoggedOperation): string | undefined {
  if (kind === 'target') return operation
  return kind === 'input' && inputs.length === 0 ? inputTable(operation) : undefined
}

/** Database names contain no dot. */
function tableOf(table: string): TableName {
  const dot = table.indexOf('.')
  return { database: table.slice(0, dot), name: table.slice(dot + 1) }
}
