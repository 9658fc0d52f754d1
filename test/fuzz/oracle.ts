import { WarehouseError } from '../../src/warehouse/error.ts'
import type { SqlGuard } from '../../src/warehouse/sql-guard.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import type { FuzzScope } from './fuzz-world.ts'
import { resolvedReferences } from './resolved-references.ts'

/** A query and its scope. */
export interface FuzzQuery {
  readonly sql: string
  readonly scope: FuzzScope
}

/**
 * How the guard has failed. The engine denied the query, or looked for a table that the guard took for something else. Or the engine reports a read
 * beyond the scope, or the result shows hidden rows or words. Or the guard itself names such a table.
 */
export type BreachKind = 'denied' | 'unknown_table' | 'resolved_beyond_scope' | 'mark_seen' | 'reported_beyond_scope'

export type Outcome =
  | { readonly outcome: 'rejected'; readonly code: string }
  | { readonly outcome: 'ran' }
  /** The guard allowed the query, and then it failed with an ordinary error: of its types, columns or size. */
  | { readonly outcome: 'failed'; readonly code: string }
  | { readonly outcome: 'breach'; readonly kind: BreachKind; readonly detail: string }
  /** The engine is gone. Only a second attempt can tell whether this query was the cause. */
  | { readonly outcome: 'engine_lost' }
  /** The engine's own limits did not end the query, so it may still be running. */
  | { readonly outcome: 'stuck' }

export interface OracleDeps {
  readonly guard: SqlGuard
  /** A warehouse on an engine whose roles have exactly the grants of the scopes. */
  readonly warehouse: Warehouse
  /** Returns the marks that must stay hidden under the scope. */
  forbiddenMarks(scope: FuzzScope): readonly string[]
}

export interface JudgeOptions {
  /** Whether to ask the engine for the meaning of a query's names too. This costs as much as running the query. */
  readonly comparesTree: boolean
}

/** The maximum number of rows for a data question in the product. */
const MAX_ROWS = 200
/** The engine's own limit is 2 s. A query that still runs after this time has outlived it. */
const TIMEOUT_MS = 10_000
const LOST = { outcome: 'engine_lost' } as const
/** The maximum number of lines that are read of one EXPLAIN. */
const MAX_TREE_ROWS = 5_000
/** UNKNOWN_TABLE. Code 81, an unknown database, comes from `no.such IN (1)`, which always fails. */
const LOOKED_FOR_TABLE = 60

/** Judges the guard by the engine. Under exact grants, the engine must never deny an allowed query. */
export class Oracle {
  readonly #deps: OracleDeps

  constructor(deps: OracleDeps) {
    this.#deps = deps
  }

  async judge({ sql, scope }: FuzzQuery, options: JudgeOptions, signal: AbortSignal): Promise<Outcome> {
    try {
      const verdict = await this.#deps.guard.check(sql, scope.guard, signal)
      if (verdict.verdict === 'reject') return { outcome: 'rejected', code: verdict.code }
      const beyond = verdict.tables.filter(table => !scope.guard.tables.has(table))
      if (beyond.length > 0) return { outcome: 'breach', kind: 'reported_beyond_scope', detail: beyond.join(', ') }
      const outcome = await this.#run(verdict.canonical, scope, signal)
      return outcome.outcome === 'ran' && options.comparesTree
        ? await this.#compareTree(verdict.canonical, scope, signal)
        : outcome
    } catch (error) {
      if (signal.aborted || !(error instanceof WarehouseError)) throw error
      // An error of the guard's own reads. The guard repeats them.
      if (error.cause instanceof WarehouseError && outOfTime(error.cause)) return { outcome: 'stuck' }
      // An unreadable result looks like a lost engine. GROUP BY … WITH TOTALS over no rows gives one in chDB 3.4.
      if (error.kind === 'unavailable') return (await this.#answers(signal)) ? { outcome: 'failed', code: 'unreadable' } : LOST
      if (outOfTime(error)) return { outcome: 'stuck' }
      throw error
    }
  }

  async #answers(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#deps.warehouse.read({ sql: 'SELECT 1', database: 'system' }, signal)
      return true
    } catch (error) {
      if (error instanceof WarehouseError && error.kind === 'unavailable') return false
      throw error
    }
  }

  async #run(canonical: string, scope: FuzzScope, signal: AbortSignal): Promise<Outcome> {
    const { database } = scope.guard
    const seen = (text: string) => this.#deps.forbiddenMarks(scope).find(mark => text.includes(mark))
    try {
      const result = await this.#deps.warehouse.read(
        { sql: canonical, database, roles: [scope.role], maxRows: MAX_ROWS, timeoutMs: TIMEOUT_MS },
        signal,
      )
      const mark = seen(JSON.stringify([result.columns, result.rows]))
      if (mark !== undefined) return { outcome: 'breach', kind: 'mark_seen', detail: `${mark} in the result` }
    } catch (error) {
      if (!(error instanceof WarehouseError) || saysNothing(error)) throw error
      const mark = seen(error.message)
      if (mark !== undefined) return { outcome: 'breach', kind: 'mark_seen', detail: `${mark} in the error ${firstLine(error)}` }
      if (error.kind === 'denied') return { outcome: 'breach', kind: 'denied', detail: firstLine(error) }
      if (error.serverCode === LOOKED_FOR_TABLE) {
        return { outcome: 'breach', kind: 'unknown_table', detail: firstLine(error) }
      }
      return { outcome: 'failed', code: `${error.kind} ${error.serverCode ?? ''}` }
    }
    return { outcome: 'ran' }
  }

  /**
   * Compares the guard's tables with the engine's own meaning of the names. Implicit grants deny nothing, so the comparison is needed.
   */
  async #compareTree(canonical: string, scope: FuzzScope, signal: AbortSignal): Promise<Outcome> {
    try {
      const { rows } = await this.#deps.warehouse.read(
        { sql: `EXPLAIN QUERY TREE ${canonical}`, database: scope.guard.database, roles: [scope.role], timeoutMs: TIMEOUT_MS },
        signal,
      )
      const beyond = resolvedReferences(rows.slice(0, MAX_TREE_ROWS).map(row => String(row[0]))).filter(
        reference => !scope.guard.tables.has(reference),
      )
      if (beyond.length === 0) return { outcome: 'ran' }
      return { outcome: 'breach', kind: 'resolved_beyond_scope', detail: beyond.join(', ') }
    } catch (error) {
      if (!(error instanceof WarehouseError) || saysNothing(error)) throw error
      return { outcome: 'ran' }
    }
  }
}

/** Whether the client's time limit has passed, not a limit of the engine. */
function outOfTime({ kind, serverCode }: WarehouseError): boolean {
  return kind === 'timeout' && serverCode === undefined
}

/** Whether an error is about the engine, not about the query. */
function saysNothing(error: WarehouseError): boolean {
  return ['cancelled', 'unavailable'].includes(error.kind) || outOfTime(error)
}

function firstLine(error: Error): string {
  return (error.message.split('\n')[0] ?? '').slice(0, 300)
}
