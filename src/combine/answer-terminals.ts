import { WarehouseError } from '../warehouse/error.ts'
import type { QueryResult, Warehouse } from '../warehouse/warehouse.ts'
import { type CompiledStatement, compileResult } from './compile.ts'
import { COMBINE_LIMITS } from './limits.ts'
import { compileMatchQuery, readMatchReport } from './match-report.ts'
import { ancestorsOf, type NodeId, type PlanNode } from './plan.ts'
import type { NodeRefusal, PreparedRun } from './prepare-run.ts'
import { orRefusal, PlanRefusal } from './refusal.ts'
import type { MatchReport } from './relation.ts'

/** A calculated result. */
interface Answered {
  readonly kind: 'answered'
  readonly result: QueryResult
  /** The compiled SQL with the values in it, for people. */
  readonly sql: string
}

/** The result of a node that the plan answers, or why it has none. */
export type CombineOutcome = {
  readonly node: NodeId
  /** How the sides of the joins and compares met that the result rests on. */
  readonly reports: readonly MatchReport[]
} & (Answered | (NodeRefusal & { readonly kind: 'refused' }))

/** A run whose inputs are in tables. */
export interface LoadedRun {
  readonly warehouse: Pick<Warehouse, 'read'>
  /** The database with the tables of the inputs. */
  readonly database: string
  readonly prepared: PreparedRun
  readonly signal: AbortSignal
}

type Counts = ReadonlyMap<NodeId, MatchReport | NodeRefusal>

/**
 * Calculates each terminal of a plan that was not refused. Counts the joins first, because it refuses a sum over repeated rows.
 * @throws WarehouseError if the engine is gone, or the run was cancelled
 */
export async function answerTerminals(run: LoadedRun): Promise<readonly CombineOutcome[]> {
  const { plan, refusals } = run.prepared
  const needed = plan.terminals.filter(id => !refusals.has(id)).flatMap(id => ancestorsOf(plan, id))
  const counted = new Map<NodeId, MatchReport | NodeRefusal>()
  for (const node of new Set(needed)) {
    const count = await countMatches(run, node)
    if (count !== undefined) counted.set(node.id, count)
  }
  return Promise.all(plan.terminals.map(id => answerTerminal(run, id, counted)))
}

/** Returns the outcomes of a run in which nothing can be calculated. */
export function refusedTerminals({ plan, refusals }: PreparedRun): readonly CombineOutcome[] {
  return plan.terminals.flatMap(node => {
    const refusal = refusals.get(node)
    return refusal === undefined ? [] : [{ node, reports: [], kind: 'refused' as const, ...refusal }]
  })
}

async function answerTerminal(run: LoadedRun, id: NodeId, counted: Counts): Promise<CombineOutcome> {
  const { plan, refusals } = run.prepared
  const counts = ancestorsOf(plan, id).flatMap(node => counted.get(node.id) ?? [])
  const reports = counts.filter(count => 'node' in count)
  const refused = refusals.get(id) ?? counts.find(count => 'reason' in count)
  const found = refused ?? (await calculate(run, id, reports))
  return { node: id, reports, ...('reason' in found ? { kind: 'refused', ...found } : found) }
}

async function countMatches(run: LoadedRun, { id, definition }: PlanNode): Promise<MatchReport | NodeRefusal | undefined> {
  if (!('on' in definition)) return undefined
  const statement = compileMatchQuery(run.prepared, id, definition)
  const read = await readWithin(run, definition.key, statement)
  return 'reason' in read ? read : readMatchReport(id, definition, read.rows[0])
}

async function calculate(run: LoadedRun, id: NodeId, reports: readonly MatchReport[]): Promise<Answered | NodeRefusal> {
  const { maxRows } = COMBINE_LIMITS.engine
  const input = { ...run.prepared, reports: new Map(reports.map(report => [report.node, report])) }
  const statement = orRefusal(() => compileResult(input, id, maxRows))
  if (statement instanceof PlanRefusal) return { reason: 'repeated_rows', message: statement.message }
  const key = run.prepared.plan.nodes.find(node => node.id === id)?.definition.key ?? id
  const read = await readWithin(run, key, statement)
  if ('reason' in read) return read
  const truncated = read.truncated || read.rows.length > maxRows || run.prepared.cut.has(id)
  return { kind: 'answered', result: { ...read, rows: read.rows.slice(0, maxRows), truncated }, sql: statement.shown }
}

/** Runs a statement. A limit that it reaches, or a value that it cannot calculate, is a refusal. */
async function readWithin(
  { warehouse, database, signal }: LoadedRun,
  key: string,
  { sql, parameters }: CompiledStatement,
): Promise<QueryResult | NodeRefusal> {
  try {
    return await warehouse.read({ sql, parameters, database, timeoutMs: COMBINE_LIMITS.engine.timeoutMs }, signal)
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error
    if (error.kind === 'type' || error.kind === 'query')
      return { reason: 'failed', message: `"${key}" could not be calculated: ${error.message}` }
    if (error.kind !== 'resource' && error.kind !== 'timeout') throw error
    const message = `"${key}" needs more time or memory than a combine may take; ask for fewer rows.`
    return { reason: 'too_large_to_combine', message }
  }
}
