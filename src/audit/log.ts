import { doneWithin } from '../base/done-within.ts'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { subjectAtHand } from '../base/watched-work.ts'
import { abortable } from '../store/abortable.ts'
import type { Observe } from '../telemetry/observation.ts'
import { AUDIT_LIMITS } from './limits.ts'
import { type AuditLine, auditLine } from './line.ts'
import type { AuditStore } from './store.ts'

interface AuditLogDeps {
  /** Opens the store. Called again after a failure. Undefined if there is no place for lines. */
  readonly open: (signal: AbortSignal) => Promise<AuditStore | undefined>
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/**
 * Makes audit lines of observations, and writes them in batches. While they cannot be written, a bounded number waits. Nothing is
 * opened before the first line.
 */
export class AuditLog {
  readonly #deps: AuditLogDeps
  #store: AuditStore | 'none' | undefined
  readonly #waiting: AuditLine[] = []
  /** Counts the lines that were taken, and those that were written. */
  readonly #count = { taken: 0, written: 0 }
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #outage: { readonly since: number; lost: number } | undefined
  #refusedAt = 0
  readonly #lossyRuns = new Set<string>()

  constructor(deps: AuditLogDeps) {
    this.#deps = deps
  }

  readonly observe: Observe = observation => {
    const line = this.#store === 'none' ? undefined : auditLine(observation, subjectAtHand(), this.#deps.now())
    if (line === undefined || this.#isRepeatedRefusal(line)) return
    if (this.#waiting.length >= AUDIT_LIMITS.waitingLines) return this.#lose(line)
    this.#waiting.push(line)
    this.#count.taken += 1
    if (this.#waiting.length >= AUDIT_LIMITS.batchLines) this.#write().catch(() => undefined)
    else this.#writeLater()
  }

  /** Opens the store now, so that its place is logged. A failure is logged, and does not throw. */
  async start(): Promise<void> {
    await this.#write().catch(() => undefined)
  }

  /**
   * Waits until all lines of a run are stored. Lines of this moment or earlier count.
   * @throws the error of the store; an Error if a line of the run was lost
   */
  async recorded(run: string | undefined, signal: AbortSignal): Promise<void> {
    const { taken } = this.#count
    while (this.#count.written < taken) await abortable(this.#write(), signal)
    if (run !== undefined && this.#lossyRuns.delete(run)) throw new Error('lines of the run were lost')
  }

  /** Writes the waiting lines, if the store accepts them in time, and closes the store. */
  async close(): Promise<void> {
    const { taken } = this.#count
    const recorded = this.recorded(undefined, AbortSignal.timeout(AUDIT_LIMITS.closeMs))
    // Without a line, the store may still be opening.
    await doneWithin(AUDIT_LIMITS.closeMs, Promise.allSettled([recorded, this.#writing]))
    clearTimeout(this.#timer)
    const lost = taken - this.#count.written
    if (lost > 0 && this.#store !== 'none') this.#deps.logger.error({ lost }, 'audit lines were lost at the end of the process')
    if (this.#store !== 'none') await this.#store?.close()
  }

  /** Whether a token was refused, and another one within the last second. So whoever sends many cannot push out other lines. */
  #isRepeatedRefusal({ kind, outcome, at }: AuditLine): boolean {
    if (kind !== 'token' || outcome !== 'refused') return false
    const isRepeated = at - this.#refusedAt < AUDIT_LIMITS.refusalMs
    if (!isRepeated) this.#refusedAt = at
    return isRepeated
  }

  #lose({ run }: AuditLine): void {
    if (this.#outage !== undefined) this.#outage.lost += 1
    if (run !== '' && this.#lossyRuns.size < AUDIT_LIMITS.lossyRuns) this.#lossyRuns.add(run)
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#write().catch(() => undefined)
    }, AUDIT_LIMITS.flushMs).unref()
  }

  /** Writes a batch. If a write is in progress, waits for it instead. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined
      if (this.#waiting.length > 0 && this.#store !== 'none') this.#writeLater()
    })
    return this.#writing
  }

  async #writeBatch(): Promise<void> {
    const { open, now, logger } = this.#deps
    const signal = AbortSignal.timeout(AUDIT_LIMITS.writeMs)
    try {
      this.#store ??= (await open(signal)) ?? 'none'
      const batch = this.#waiting.slice(0, AUDIT_LIMITS.batchLines)
      if (batch.length > 0 && this.#store !== 'none') await this.#store.append(batch, signal)
      this.#waiting.splice(0, this.#store === 'none' ? this.#waiting.length : batch.length)
      this.#count.written = this.#count.taken - this.#waiting.length
    } catch (error) {
      if (this.#outage === undefined) logger.error({ error: errorMessage(error) }, 'audit lines cannot be written; they wait')
      this.#outage ??= { since: now(), lost: 0 }
      throw error
    }
    if (this.#outage === undefined) return
    const { since, lost } = this.#outage
    this.#outage = undefined
    logger.warn({ lost, awayMs: now() - since }, 'audit lines can be written again')
  }
}
