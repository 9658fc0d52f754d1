import type { z } from 'zod'
import { accessKey, type RunAccess } from '../../access/run-access.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import { HISTORY_LIMITS } from '../../history/limits.ts'
import { RunLog } from '../../history/run-log.ts'
import type { StateStore } from '../../store/state-store.ts'
import { RunError } from './error.ts'

interface AskedRun {
  readonly runId: string
  readonly access?: RunAccess
  readonly choice?: unknown
}

/** Stores the input of each run, so that the run can be resumed. */
export class RunRequests<Request extends { readonly access: string | null }> {
  readonly #store: StateStore
  readonly #kind: 'request' | 'lineage'
  readonly #schema: z.ZodType<Request>

  /** @param deps.kind the last part of the keys in the store */
  constructor(deps: { readonly store: StateStore; readonly kind: 'request' | 'lineage'; readonly schema: z.ZodType<Request> }) {
    this.#store = deps.store
    this.#kind = deps.kind
    this.#schema = deps.schema
  }

  /**
   * Finds the stored input of a run. If the asker's rights have changed, the run starts anew.
   * @throws RunError if a choice comes with other rights
   */
  async find(asked: AskedRun, signal: AbortSignal): Promise<Request | undefined> {
    const request = await this.read(asked.runId, signal)
    if (request === undefined || request.access === rightsOf(asked)) return request
    // The log contains results that were read with other rights. A choice must not give access to them.
    if (asked.choice !== undefined) throw RunError.otherAccess()
    await RunLog.forget(asked.runId, this.#store, signal)
    return undefined
  }

  /** Returns the stored input of a run, whatever the rights that it was asked with. */
  async read(runId: string, signal: AbortSignal): Promise<Request | undefined> {
    return this.#schema.safeParse(parseJson((await this.#store.get(this.#keyOf(runId), signal)) ?? '')).data
  }

  async keep(runId: string, request: Request, signal: AbortSignal): Promise<void> {
    await this.#store.set(this.#keyOf(runId), JSON.stringify(request), HISTORY_LIMITS.resumableSeconds, signal)
  }

  #keyOf(runId: string): string {
    return `run:{${runId}}:${this.#kind}`
  }
}

/** Returns the key of the asker's rights. Null if they are not limited. */
export function rightsOf({ access }: Pick<AskedRun, 'access'>): string | null {
  return access === undefined ? null : accessKey(access)
}
