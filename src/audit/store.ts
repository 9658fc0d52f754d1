import type { AuditLine } from './line.ts'

export interface AuditFilter {
  readonly person?: string | undefined
  /** For `latest` only. */
  readonly kind?: string | undefined
  /** Unix times in milliseconds, both inclusive. */
  readonly from: number
  readonly to: number
}

export interface LatestLines {
  readonly lines: readonly AuditLine[]
  /** Undefined if there are no more lines. */
  readonly next: string | undefined
}

/** The place of audit lines. Lines are only added. Methods throw WarehouseError, ConfigurationError or StoreError. */
export interface AuditStore {
  /** Where the lines are and how many are kept, in words. */
  readonly description: string
  append(lines: readonly AuditLine[], signal: AbortSignal): Promise<void>
  /** Yields lines, the oldest first. */
  read(filter: AuditFilter, signal: AbortSignal): AsyncIterable<AuditLine>
  /**
   * Returns the latest lines, the newest first; at most a page of them, and fewer, or none, if the next ones are far back. Lines
   * that were written after an outage may be late.
   * @param cursor `next` of the page before; undefined for the first page
   */
  latest(filter: AuditFilter, cursor: string | undefined, signal: AbortSignal): Promise<LatestLines>
  /** Puts `name` in the place of a person who is to be forgotten, and removes the channels from the person's lines. */
  forget(person: string, name: string, signal: AbortSignal): Promise<void>
  readonly close: () => Promise<void>
}
