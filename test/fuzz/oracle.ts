import { WarehouseError } from '../../src/warehouse/error.ts'
import type { SqlGuard } from '../../src/warehouse/sql-guard.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import type { FuzzScope } from './fuzz-world.ts'
import { resolvedReferences } from './resolved-references.ts'

/** A query, and the scope in which it runs. */
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
  /** The guard allowed the query, but it failed with an ordinary error, such as a wrong type. */
  | { readonly outcome: 'failed'; readonly code: string }
  | { readonly outcome: 'breach'; readonly kind: BreachKind; readonly detail: string }
  /** The engine has died. Only a second attempt can show whether this query killed it. */
  | { readonly outcome: 'engine_lost' }
  /** The engine did not end the query at its own limits. The query may still be running. */
  | { readonly outcome: 'stuck' }

export interface OracleDeps {
  readonly guard: SqlGuard
  /** A warehouse on an engine with one role for each scope. Each role has exactly the grants of its scope. */
  readonly warehouse: Warehouse
  /** Returns the secret marks that a query in this scope must never show. */
  forbiddenMarks(scope: FuzzScope): readonly string[]
}

export interface JudgeOptions {
  /** Whether to compare the guard's understanding of the query with the engine's. This takes as long as running the query. */
  readonly comparesTree: boolean
}

/** The maximum number of rows that Clew reads for a data question. */
const MAX_ROWS = 200
/** The engine should end each query after 2 s. A query that runs longer than this has escaped that limit. */
const TIMEOUT_MS = 10_000
const LOST = { outcome: 'engine_lost' } as const
/** The maximum number of lines that are read from one EXPLAIN. */
const MAX_TREE_ROWS = 5_000
/** The code of UNKNOWN_TABLE. Code 81 (unknown database) is ignored, because `no.such IN (1)` always causes it. */
const LOOKED_FOR_TABLE = 60

/** Tests the guard against the engine. With exact grants, the engine must never deny a query that the guard allows. */
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
      // The guard's own statement failed, not the query. The guard repeats its statements.
      if (error.cause instanceof WarehouseError && outOfTime(error.cause)) return { outcome: 'stuck' }
      // A result that cannot be read looks like a dead engine. In chDB 3.4, GROUP BY … WITH TOTALS over no rows gives such a result.
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

/** Whether the time limit of the client ended the query, and not a limit of the engine. */
function outOfTime({ kind, serverCode }: WarehouseError): boolean {
  return kind === 'timeout' && serverCode === undefined
}

/** Whether an error concerns the engine and says nothing about the query. */
function saysNothing(error: WarehouseError): boolean {
  return ['cancelled', 'unavailable'].includes(error.kind) || outOfTime(error)
}

function firstLine(error: Error): string {
  return (error.message.split('\n')[0] ?? '').slice(0, 300)
}
