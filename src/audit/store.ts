import type { AuditLine } from './line.ts'

export interface AuditFilter {
  readonly person?: string | undefined
  /** Unix times in milliseconds, both inclusive. */
  readonly from: number
  readonly to: number
}

/** A line, and a text from which `readBack` goes on behind it. */
export interface LineWithCursor {
  /** Absent for a place in the log at which the reader pauses, because many lines before it did not match. */
  readonly line?: AuditLine
  readonly cursor: string
}

/** The place of audit lines. Lines are only added. Methods throw WarehouseError, ConfigurationError or StoreError. */
export interface AuditStore {
  /** Where the lines are and how many are kept, in words. */
  readonly description: string
  append(lines: readonly AuditLine[], signal: AbortSignal): Promise<void>
  /** Yields lines, the oldest first. */
  read(filter: AuditFilter, signal: AbortSignal): AsyncIterable<AuditLine>
  /**
   * Yields lines, the newest first, from behind a cursor on. Lines that were written late, after an outage, may be out of order.
   */
  readBack(
    filter: AuditFilter & { readonly kind?: string | undefined },
    cursor: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<LineWithCursor>
  /** Puts `name` in the place of a person who is to be forgotten, and removes the channels from the person's lines. */
  forget(person: string, name: string, signal: AbortSignal): Promise<void>
  readonly close: () => Promise<void>
}
