import { type RunAccess, runAccessSchema } from '../access/run-access.ts'
import type { RunObserver } from '../agent/run/event.ts'
import { newRunId } from '../agent/run/id.ts'
import type { RunResult } from '../agent/run/result.ts'
import { ClewError, ConfigurationError } from '../base/errors.ts'
import type { AnalystOptions } from './analyst-options.ts'
import { askerInThreads, openAnalyst } from './open-analyst.ts'
import { openLibrary } from './open-library.ts'
import { warehouseUrl } from './parts.ts'

export interface LibraryQuestion {
  /**
   * The conversation that the question continues. It belongs to one person. Without a thread, the question has no history, and
   * Clew cannot be answered if it asks back.
   */
  readonly thread?: string | undefined
  /** The asker's rights. Default: all tables of the warehouse. */
  readonly access?: RunAccess | undefined
  /** Receives the plan, the queries and the growing answer. */
  readonly observe?: RunObserver | undefined
  readonly signal?: AbortSignal | undefined
}

export interface LibraryAnalyst {
  /**
   * Answers a question. Questions of one thread are answered one after the other. If Clew asks back, `interrupt` of the result has
   * the question, and the next text in the thread answers it.
   * @throws ClewError for an empty question; RunError, ModelError, WarehouseError, StoreError; ConfigurationError for malformed rights; after an abort,
   * the signal's reason
   */
  ask(text: string, question?: LibraryQuestion): Promise<RunResult>
  /** Stops what is being answered, and closes what `createAnalyst` has opened. */
  close(): Promise<void>
}

/**
 * Builds an analyst inside the caller's program, from the same parts as `clew ask`.
 * @throws ConfigurationError for a mistake in the options; WarehouseError if the warehouse does not answer
 */
export async function createAnalyst(options: AnalystOptions): Promise<LibraryAnalyst> {
  const { context, given, close } = openLibrary(options)
  if (given.warehouse === undefined && warehouseUrl(context.config) === undefined)
    throw new ConfigurationError('No warehouse is given: set `warehouse`, or `CLICKHOUSE_URL` in `settings`.')
  const parts = await openAnalyst(context, given).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const askIn = askerInThreads(context, parts)
  const closed = new AbortController()
  return {
    async ask(text, { thread, access, observe, signal } = {}) {
      const own = AbortSignal.any([closed.signal, ...(signal ? [signal] : [])])
      own.throwIfAborted()
      if (text.trim() === '') throw new ClewError('The question is empty.', { code: 'question_empty' })
      const message = { thread: thread === undefined ? undefined : `library/${thread}`, author: 'library', text }
      const how = {
        runId: newRunId(),
        ...(access !== undefined && { access: checkedAccess(access) }),
        ...(observe && { observe }),
        // In a thread, the run ends with its question, and the next message answers it.
        ...(thread !== undefined && { askPerson: async () => undefined }),
      }
      return askIn(message, how, own).catch((error: unknown) => {
        own.throwIfAborted()
        throw error
      })
    },
    async close() {
      closed.abort(new ClewError('The analyst is closed.', { code: 'closed' }))
      await close()
    },
  }
}

/** A caller in JavaScript may give anything, such as null, and malformed rights must not become all rights. */
function checkedAccess(access: RunAccess): RunAccess {
  const { data } = runAccessSchema.safeParse(access)
  if (data !== undefined) return data
  throw new ConfigurationError(
    'The rights of a question (`access`) need `grants`, each with `tables` and `except` as lists of `database.table`, and `clickhouseRoles`.',
  )
}
