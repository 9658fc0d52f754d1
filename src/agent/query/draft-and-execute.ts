import { NotNeededError } from '../../history/not-needed-error.ts'
import { abortable } from '../../store/abortable.ts'
import type { ModelContext, QueryContext, QuestionContext } from '../run/context.ts'
import { type CancellableTask, withTaskGroup } from '../run/task-group.ts'
import { execute } from './execute.ts'
import { unaskedQuery } from './execute-within-budget.ts'
import type { ExecutionOutcome } from './execution-outcome.ts'
import { type DraftOptions, generate, type SqlDraft } from './generate.ts'
import { prepareQuery } from './prepare-query.ts'

/** The parts needed to have a model write a query, and to run it at once. */
export type DraftContext = ModelContext & QuestionContext & QueryContext

export interface ExecutedDraft {
  readonly draft: SqlDraft
  /** The outcome. Null if the draft has no SQL. */
  readonly outcome: ExecutionOutcome | null
}

export type OnOutcome = (outcome: ExecutionOutcome) => void

/**
 * Writes the SQL of a data question, and runs it before its explanation is complete. If the model then corrects the SQL, the
 * running query is cancelled.
 * @param options.mayRun until this resolves, the SQL is only checked
 * @param options.onOutcome receives the outcome of each SQL that was not cancelled
 * @throws ModelError; WarehouseError of kind `cancelled` only
 */
export async function draftAndExecute(
  context: DraftContext,
  options: DraftOptions & { readonly mayRun?: Promise<void>; readonly onOutcome?: OnOutcome },
  signal: AbortSignal,
): Promise<ExecutedDraft> {
  return withTaskGroup(signal, async group => {
    let running: { readonly sql: string; readonly task: CancellableTask<ExecutionOutcome> } | undefined
    const run = (sql: string) => {
      if (sql === running?.sql) return
      running?.task.cancel(new NotNeededError('the draft in the end has another query'))
      running = sql.trim() === '' ? undefined : { sql, task: group.start(own => executeOnce(context, options, sql, own)) }
      running?.task.result.then(
        outcome => {
          if (sql === running?.sql) options.onOutcome?.(outcome)
        },
        () => {},
      )
    }
    const draft = await generate(context, options, group.signal, run)
    run(draft.sql)
    return { draft, outcome: running === undefined ? null : await running.task.result }
  })
}

async function executeOnce(
  context: DraftContext,
  options: Parameters<typeof draftAndExecute>[1],
  sql: string,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const query = unaskedQuery(context, { ...options, attempt: options.failed.length + 1 }, sql)
  if (options.mayRun === undefined) return execute(context, query, signal)
  const prepared = await prepareQuery(context, query, signal)
  await abortable(options.mayRun, signal)
  return execute(context, query, signal, prepared)
}
