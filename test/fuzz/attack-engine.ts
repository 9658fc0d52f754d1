import { setTimeout as delay } from 'node:timers/promises'
import { WarehouseError } from '../../src/warehouse/error.ts'
import type { QueryValidator } from '../../src/warehouse/query-validator.ts'
import type { Schema } from '../../src/warehouse/schema.ts'
import type { GuardScope, SqlGuard } from '../../src/warehouse/sql-guard.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

/** The outcome of one hostile query, and its effect on other clients of the engine. */
export interface AttackOutcome {
  /** The outcome for the asker: `ran`, `rejected`, `invalid`, or the kind of error. `untold` means no outcome in time, which is a fault. */
  readonly told: string
  readonly detail: string
  readonly seconds: number
  /** During this query, another client asks a small question. This is its time in milliseconds, or its error. */
  readonly bystander: number | string
  /** After this query, `SELECT 1` is sent. This is its time in milliseconds, or an error if there was no answer within ten seconds. */
  readonly answersAfter: number | string
}

export interface AttackDeps {
  readonly guard: SqlGuard
  readonly validator: QueryValidator
  readonly warehouse: Warehouse
  /** The warehouse that the other client uses. */
  readonly bystander: Warehouse
  readonly schema: Schema
  readonly scope: GuardScope
}

export interface AttackOptions {
  /** Whether the query goes directly to the engine as the reading user, without the guard and the check. */
  readonly raw: boolean
  /** The number of copies of the query that run at the same time. */
  readonly copies: number
}

const MAX_ROWS = 200
const ANSWERS_WITHIN_MS = 10_000
/** Within this time, the asker must get an outcome. It is longer than all limits of a query together: guard, check, run and retry. */
const TOLD_WITHIN_MS = 180_000
/** The other client asks after this time. The hostile query is then running. */
const BYSTANDER_AFTER_MS = 1_000
const SMALL_QUESTION = 'SELECT count() FROM numbers(1000)'

/** Runs a query in the same way as `clew` does. Measures its effect on the engine. */
export async function attackEngine(deps: AttackDeps, sql: string, options: AttackOptions): Promise<AttackOutcome> {
  const began = performance.now()
  const asked = Promise.all(Array.from({ length: options.copies }, () => ask(deps, sql, options)))
  const [[first], bystanding] = await Promise.all([asked, smallQuestion(deps.bystander, asked)])
  const seconds = secondsSince(began)
  const answersAfter = await timed(deps.bystander, 'SELECT 1', ANSWERS_WITHIN_MS)
  return { told: first?.told ?? 'untold', detail: first?.detail ?? '', seconds, bystander: bystanding, answersAfter }
}

/** Whether the outcome breaks a guarantee: the asker or another client got no answer. */
export function isFault({ told, bystander, answersAfter }: AttackOutcome): boolean {
  return told === 'untold' || typeof bystander === 'string' || typeof answersAfter === 'string'
}

async function ask(deps: AttackDeps, sql: string, { raw }: AttackOptions): Promise<Pick<AttackOutcome, 'told' | 'detail'>> {
  const signal = AbortSignal.timeout(TOLD_WITHIN_MS)
  try {
    if (raw) return ran((await deps.warehouse.read({ sql, maxRows: MAX_ROWS }, signal)).rows)
    const verdict = await deps.guard.check(sql, deps.scope, signal)
    if (verdict.verdict === 'reject') return { told: 'rejected', detail: `${verdict.code}: ${verdict.message}` }
    const checked = await deps.validator.check(verdict, { schema: deps.schema }, signal)
    if (checked.verdict === 'invalid') return { told: 'invalid', detail: checked.message }
    return ran((await deps.warehouse.read({ sql: verdict.canonical, maxRows: MAX_ROWS }, signal)).rows)
  } catch (error) {
    if (signal.aborted || !(error instanceof WarehouseError)) return { told: 'untold', detail: String(error) }
    return { told: error.kind, detail: `${error.serverCode ?? ''} ${error.message}` }
  }
}

function ran(rows: readonly unknown[]) {
  return { told: 'ran', detail: `${rows.length} rows` }
}

async function smallQuestion(warehouse: Warehouse, asked: Promise<unknown>): Promise<number | string> {
  await Promise.race([asked, delay(BYSTANDER_AFTER_MS, undefined, { ref: false })])
  return timed(warehouse, SMALL_QUESTION, TOLD_WITHIN_MS)
}

async function timed(warehouse: Warehouse, sql: string, withinMs: number): Promise<number | string> {
  const began = performance.now()
  try {
    await warehouse.read({ sql, database: 'system' }, AbortSignal.timeout(withinMs))
    return secondsSince(began)
  } catch (error) {
    return error instanceof WarehouseError ? `${error.kind}: ${error.message}` : String(error)
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000
}
