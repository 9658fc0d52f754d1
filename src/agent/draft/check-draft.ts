import { z } from 'zod'
import { PipelineError } from '../../pipelines/error.ts'
import { type JobDefinition, jobSteps, parseJobDefinition } from '../../pipelines/jobs/definition.ts'
import { mayBeMended, type TrialOutcome } from '../../pipelines/jobs/trial.ts'
import { newTrialId } from '../../pipelines/jobs/trial-id.ts'
import { PIPELINES_LIMITS } from '../../pipelines/limits.ts'
import { renderTemplate } from '../../pipelines/sql-template.ts'
import { costEstimateSchema } from '../../warehouse/cost/estimate.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { countRows } from '../query/execute.ts'
import { type PreparedQuery, prepareQuery } from '../query/prepare-query.ts'
import type { QueryContext, RunContext } from '../run/context.ts'
import { columnsSchema, rowsSchema } from '../run/result.ts'

const soundSchema = z.object({
  kind: z.literal('sound'),
  tables: z.array(z.string()),
  estimate: costEstimateSchema.nullable(),
  /** The rows that a run would make now. Null if counting them takes too long. */
  makes: z.number().nullable(),
  /** The outcome on samples. Null if nothing could be tried. */
  tried: z.object({ row_count: z.number(), columns: columnsSchema, rows: rowsSchema }).nullable(),
  not_tried: z.enum(['denied', 'no_database', 'other']).nullable(),
  /** Whether the user who runs jobs may read all inputs. */
  may_read: z.boolean(),
  /** Whether there is a pipeline of this name, with this target. */
  is_known: z.boolean(),
})
const checkedSchema = z.discriminatedUnion('kind', [soundSchema, z.object({ kind: z.literal('failed'), message: z.string() })])
export type CheckedDraft = z.infer<typeof checkedSchema>
export type SoundDraft = z.infer<typeof soundSchema>

type DraftCheckContext = QueryContext & Pick<RunContext, 'trials'>

/**
 * Checks a draft: its form, the rights, names, types and cost of its SQL, and its operations on samples. A resumed run does not
 * repeat a finished check.
 * @throws WarehouseError if the warehouse cannot answer
 */
export async function checkDraft(
  context: DraftCheckContext,
  draft: { readonly yaml: string; readonly schema: Schema; readonly attempt: number },
  signal: AbortSignal,
): Promise<CheckedDraft> {
  const { yaml, attempt } = draft
  return context.log.step({ step: 'check_draft', attempt }, { yaml }, checkedSchema, signal, async trace => {
    context.observe({ kind: 'step_started', step: 'check_draft', attempt })
    return check(context, draft, signal).catch((error: unknown) => {
      if (!(error instanceof PipelineError)) throw error
      trace.failure(error.message)
      return { kind: 'failed' as const, message: error.message }
    })
  })
}

/** @throws PipelineError for a mistake in the draft */
async function check(
  context: DraftCheckContext,
  { yaml, schema, attempt }: Parameters<typeof checkDraft>[1],
  signal: AbortSignal,
): Promise<SoundDraft> {
  const { trials } = context
  // In a job, a name without a database means a table of the pipelines' database.
  const asInJob = trials === undefined ? context : { ...context, databases: [trials.database] }
  const definition = parseJobDefinition(yaml)
  await trials?.checkTemplates(definition, signal)
  const { allowed, estimate } = await prepareSteps(asInJob, definition, { schema, attempt }, signal)
  const { taken, isKnown } = (await trials?.replaced(definition, signal)) ?? { taken: [], isKnown: false }
  if (taken.length > 0)
    fail(
      `These tables belong to others: ${taken.join(', ')}. Give the input (its table is p_ and its name) or the target another name.`,
    )
  const isSmall = estimate !== null && estimate.rows <= AGENT_LIMITS.draft.countedRows
  const [outcome, makes, mayRead] = await Promise.all([
    tryOut(asInJob, definition, { schema, attempt, yaml }, signal),
    // A large result is not counted, because counting reads it whole.
    isSmall ? countRows(context, allowed.canonical, signal) : undefined,
    trials?.mayRead(allowed.canonical, signal) ?? true,
  ])
  if (outcome.kind === 'failed') fail(`operation ${outcome.operation}, tried on samples: ${outcome.message}`)
  if (outcome.kind === 'not_run') context.logger.warn({ error: outcome.message }, 'a draft could not be tried on samples')
  return {
    kind: 'sound',
    tables: [...allowed.tables],
    estimate,
    makes: makes ?? null,
    ...(outcome.kind === 'ran' ? { tried: outcome, not_tried: null } : { tried: null, not_tried: outcome.reason }),
    may_read: mayRead,
    is_known: isKnown,
  }
}

function fail(message: string): never {
  throw new PipelineError(message, { kind: 'definition' })
}

/** Matches the names of `cteOf`. */
const CTE = /\bclew_step_(\w+)/g

type Ready = Extract<PreparedQuery, { readonly kind: 'ready' }>

/**
 * Checks the whole pipeline as one query, with the person's rights, as the query of a question is checked. If it is wrong, checks
 * its steps one by one, so that the message names the step.
 * @throws PipelineError
 */
async function prepareSteps(
  context: DraftCheckContext,
  definition: JobDefinition,
  { schema, attempt }: { readonly schema: Schema; readonly attempt: number },
  signal: AbortSignal,
): Promise<Ready> {
  const prepare = (id: string, sql: string) =>
    prepareQuery(context, { schema, id, attempt, sql, isConfirmed: true, tooExpensive: null }, signal)
  const { operation: target } = definition.target
  const whole = await prepare(target, composed(definition, target))
  if (whole.kind === 'ready') return whole
  for (const { name, isInput } of jobSteps(definition)) {
    const prepared = await prepare(name, composed(definition, name))
    if (prepared.kind !== 'ready') {
      const near = await nearTypes(context, prepared, signal)
      fail(`${isInput ? 'input' : 'operation'} ${name}: ${complaint(prepared)}${near}`)
    }
  }
  return fail(complaint(whole))
}

/** Returns types of the server that are called like an unknown one. The engine itself names none. */
async function nearTypes(
  { warehouse }: DraftCheckContext,
  prepared: Exclude<PreparedQuery, Ready>,
  signal: AbortSignal,
): Promise<string> {
  const [, type] = ('message' in prepared && /^There is no data type (\w+)\.$/.exec(prepared.message)) || []
  if (type === undefined) return ''
  const query = { sql: 'SELECT name FROM system.data_type_families', timeoutMs: AGENT_LIMITS.query.totalMs }
  const { rows } = await warehouse.read(query, signal).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof WarehouseError)) throw error
    return { rows: [] }
  })
  const near = nearNames(
    type,
    rows.map(([name]) => String(name)),
  )
  return near.length === 0 ? '' : ` Near: ${near.join(', ')}.`
}

/** @throws WarehouseError if the error is not one of the SQL */
function complaint(prepared: Exclude<PreparedQuery, Ready>): string {
  if (prepared.kind === 'costly') return prepared.excess
  const { message } = prepared
  if (prepared.kind === 'failed' && !mayBeMended(prepared.error)) throw new WarehouseError(message, { kind: prepared.error })
  const missing = prepared.near.filter(name => !message.includes(name))
  const near = missing.length === 0 ? '' : ` Near: ${missing.join(', ')}.`
  return `${message}${near}`.replace(CTE, '{{ $1 }}')
}

/** Writes a step, with all steps before it, as one query over the tables of the inputs. */
function composed(definition: JobDefinition, upTo: string): string {
  const steps = jobSteps(definition)
  const tables = new Map(steps.map(({ name }) => [name, cteOf(name)]))
  const needed = steps.slice(0, steps.findIndex(({ name }) => name === upTo) + 1)
  const ctes = needed.map(({ name, sql }) => {
    const rendered = renderTemplate(sql, { tables, values: definition.arguments })
    return `${cteOf(name)} AS (\n${rendered}\n)`
  })
  return `WITH ${ctes.join(',\n')}\nSELECT * FROM ${cteOf(upTo)}`
}

/** No table is called so. A CTE of a table's own name would hide the table from the steps that read it. */
function cteOf(name: string): string {
  return `clew_step_${name}`
}

/** Runs the operations on samples, as a temporary job. Its tables are dropped afterwards, and first those that killed ones left. */
async function tryOut(
  { trials, log, guard, warehouse, databases, now }: DraftCheckContext,
  definition: JobDefinition,
  { schema, attempt, yaml }: Parameters<typeof checkDraft>[1],
  signal: AbortSignal,
): Promise<TrialOutcome> {
  if (trials === undefined) return { kind: 'not_run', reason: 'denied', message: '' }
  // The id is logged before any table is made, so a resumed run knows which tables a killed one may have left.
  const id = await log.step({ step: 'trial', attempt }, { yaml }, z.string(), signal, async () => newTrialId(now()))
  const cleanUp = () => {
    const own = AbortSignal.timeout(PIPELINES_LIMITS.trial.cleanUpMs)
    return log.trace({ step: 'clean_up', attempt }, { id }, own, () => trials.cleanUp(id, own))
  }
  await cleanUp()
  const late = AbortSignal.timeout(PIPELINES_LIMITS.trial.totalMs)
  const reader = { guard, warehouse, scope: scopeOfSchema(schema, databases) }
  try {
    return await trials.run(id, definition, reader, AbortSignal.any([signal, late]))
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error
    return { kind: 'not_run', reason: 'other', message: 'The trial took too long.' }
  } finally {
    await cleanUp()
  }
}
