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

/** A run of a pipeline, reduced to the facts that the asker may see. */
export interface LineageRun extends LoggedRun {
  /**
   * Whether the SQL text of at least one operation is hidden. Then the run's error is hidden too, and so are arguments that only
   * hidden operations use.
   */
  readonly isPartial: boolean
  /**
   * Whether the asker may see everything that a repetition of the run would read. True only if the run has completed, and the
   * asker sees all of it.
   */
  readonly readsOnlySeen: boolean
}

/** One operation of a run, reduced to the facts that the asker may see. */
export interface LineageOperation
  extends Pick<LoggedOperation, 'operationId' | 'kind' | 'operation' | 'result' | 'inputs' | 'bytes'> {
  /** The number of written rows. Undefined if the operation failed, or if the number is hidden. */
  readonly rows: number | undefined
  /** Whether this run created the table. False if the table existed before the run. */
  readonly isMade: boolean
  readonly hasFailed: boolean
  /** The SQL, columns and error of the operation. Undefined if the operation reads something that is hidden from the asker. */
  readonly text: Pick<LoggedOperation, 'template' | 'sql' | 'columnLineage' | 'error'> | undefined
}

/** The person who asks to see a run: their grants, and the tools for finding the tables in an SQL text. */
export interface LineageAsker {
  readonly grants: readonly TableGrant[]
  readonly guard: SqlGuard
  readonly formatSql: FormatSql
  readonly liveTables: LineageSource['liveTables']
}

/**
 * Matches characters that may begin an SQL comment, such as `--`. Inside a string they begin none, but they match there too, to
 * be safe.
 */
const COMMENT = /--|\/\*|\/\/|#/
/**
 * Stands for the database of unqualified table names in another program's log entry, because the entry does not name the
 * database.
 */
const UNKNOWN_DATABASE = ' '

/**
 * The part of a run that the asker may see. Graphs, prompts, answers and pictures are made only from it. A grant for a table
 * shows the asker that the table exists. The SQL, columns and errors of an operation need grants for everything that the
 * operation reads. If that is uncertain, only an asker without limits sees them.
 */
export class SeenRun {
  readonly run: LineageRun
  /** The tables that the run read or wrote. Tables that the asker may not read are left out. */
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

  /** Returns the run with nothing hidden, for an asker without limits. */
  static whole(run: LoggedRun, logged: readonly LoggedOperation[]): SeenRun {
    const operations = logged.map(operation => seen(operation, operation))
    return new SeenRun({ ...run, isPartial: false, readsOnlySeen: true }, operations, tablesOf(logged))
  }

  /**
   * Returns the part of a run that the asker may see.
   * @param asker undefined for an asker without limits
   * @returns undefined if the run has a table whose existence is hidden from the asker
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

/**
 * Returns a partly hidden run without its error, because the error may quote any row that the run read. Leaves out arguments that
 * only hidden operations use.
 */
function partOf(run: LoggedRun, operations: readonly LineageOperation[]): LoggedRun {
  const used = new Set(operations.flatMap(({ text }) => templatePlaceholders(text?.template ?? '').arguments))
  const given = run.arguments && Object.fromEntries(Object.entries(run.arguments).filter(([name]) => used.has(name)))
  // The name of another program's run is the label of its target. If the asker must not see that label, the run gets the
  // replacement label.
  const job = run.isRepeatable ? run.job : (operations.find(({ kind }) => kind === 'target')?.operation ?? run.id)
  return { ...run, job, arguments: given, error: '' }
}

class Sight {
  readonly #asker: LineageAsker
  readonly #run: LoggedRun
  readonly #byResult = new Map<string, LoggedOperation[]>()
  readonly #reads = new Map<LoggedOperation, readonly string[] | undefined>()
  /**
   * For each operation, whether the asker may see its SQL. False until it is decided, so that the operations of a cycle stay
   * hidden.
   */
  readonly #seesText = new Map<LoggedOperation, boolean>()
  readonly #logged: readonly LoggedOperation[]
  /** Tables that store rows themselves. Views read from other tables, so they are not in this set. */
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

  /**
   * Whether the asker may know that the table exists. The random name of an intermediate table says nothing, so everybody may
   * know that table.
   */
  mayKnow(table: TableName): boolean {
    return this.mayReadRows(table) || this.#madeOwn(table).some(operation => publishedName(operation) === undefined)
  }

  /**
   * Whether the asker may read the rows of a table. A job's own tables have random names, for which there are no grants. If such
   * a table is published, the grant for its published name decides. If not, the asker needs grants for the tables from which it
   * was made.
   */
  mayReadRows(table: TableName): boolean {
    const { grants } = this.#asker
    const made = this.#madeOwn(table)
    if (made.length === 0) return isGranted(grants, table)
    return made.every(operation => {
      const name = publishedName(operation)
      return name === undefined ? this.#maySeeText(operation) : isGranted(grants, { database: table.database, name })
    })
  }

  /** @param hiddenLabel the name to show if the asker must not see the operation's real name */
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

  /**
   * Returns the SQL, columns and error of an operation. Comments are removed from the SQL, because a comment may mention hidden
   * tables.
   */
  async #text(operation: LoggedOperation, signal: AbortSignal): Promise<NonNullable<LineageOperation['text']>> {
    const { template, sql, columnLineage, error } = operation
    const bare = COMMENT.test(sql) ? await this.#asker.formatSql(sql, signal) : sql
    const known = columnLineage && [...columnLineage.fields.flatMap(({ inputs }) => inputs), ...columnLineage.dataset]
    const isTold = known?.every(({ table }) => table.startsWith('_table_function.') || this.#mayReadAll(table))
    return {
      template: COMMENT.test(template) ? '' : template,
      // The formatter removes comments. If it returns the SQL unchanged, it could not parse the SQL, and the comments are still
      // in it. Then no SQL is shown.
      sql: COMMENT.test(sql) && bare === sql ? '' : bare,
      columnLineage: isTold === true ? columnLineage : undefined,
      error: error === '' || this.#readsPlainTables(operation) ? error : BEHIND_A_VIEW,
    }
  }

  /**
   * Whether the operation reads only tables that store rows themselves, and no view. If it reads a view, its error is hidden,
   * because the error may quote tables behind the view for which the asker has no grant.
   */
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

  /** Whether the asker may read all rows and columns of a table. Needed for an error message, which may quote any of them. */
  #mayReadAll(table: string): boolean {
    const name = tableOf(table)
    return this.#madeOwn(name).length > 0 ? this.mayReadRows(name) : showsAsMuch(this.#asker.grants, EVERYTHING, table)
  }

  #madeOwn(table: TableName): readonly LoggedOperation[] {
    return OWN_TABLE.test(table.name) ? (this.#byResult.get(qualifiedName(table)) ?? []) : []
  }

  /**
   * Finds the tables that an operation's SQL reads, if the log does not list them. Returns undefined if the guard is uncertain,
   * or if the asker may not read all of these tables.
   */
  async #readsOfSql(
    { sql, template, error, result }: LoggedOperation,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    // An existing input has no SQL, so it reads nothing that must be hidden.
    if (sql === '') return template === '' && error === '' ? [] : undefined
    const database = this.#run.isRepeatable ? result.database : UNKNOWN_DATABASE
    const mayBeRead = (name: string) => isGrantedByName(this.#asker.grants, name) || this.#byResult.has(name)
    const verdict = await this.#asker.guard.check(sql, { database, tables: new NamesThat(mayBeRead) }, signal)
    if (verdict.verdict === 'reject' || verdict.tables.some(name => name.startsWith(`${UNKNOWN_DATABASE}.`))) return undefined
    return verdict.tables
  }
}

/** A set that contains every name that passes a test. */
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

/**
 * Returns the name under which grants for a job's own table are looked up: for a target the published name, for a loaded input
 * its table name. Undefined for a table that was made from other tables of the run.
 */
function publishedName({ kind, operation, inputs }: LoggedOperation): string | undefined {
  if (kind === 'target') return operation
  return kind === 'input' && inputs.length === 0 ? inputTable(operation) : undefined
}

/** Splits `database.table` at the first dot. Database names contain no dot. */
function tableOf(table: string): TableName {
  const dot = table.indexOf('.')
  return { database: table.slice(0, dot), name: table.slice(dot + 1) }
}
