import { ClewError } from '../errors.ts'

/**
 * What went wrong, by route: `syntax`, `unknown_name`, `type` and `query` go back to the model; `timeout` and
 * `resource` are told, never regenerated blindly; `authentication` and `denied` stop the run (a denial after the guard's yes is an alarm);
 * `unavailable` is waited for; `cancelled` was asked for.
 */
export type WarehouseErrorKind =
  | 'syntax'
  | 'unknown_name'
  | 'type'
  | 'query'
  | 'timeout'
  | 'resource'
  | 'authentication'
  | 'denied'
  | 'unavailable'
  | 'cancelled'

/** A failed query. `serverCode` is ClickHouse's own number (62 is a syntax error) where the server gave one. */
export class WarehouseError extends ClewError {
  readonly kind: WarehouseErrorKind
  readonly serverCode: number | undefined
  readonly queryId: string | undefined

  constructor(message: string, options: { kind: WarehouseErrorKind; serverCode?: number; queryId?: string; cause?: unknown }) {
    super(message, { code: `warehouse_${options.kind}`, retryable: options.kind === 'unavailable', cause: options.cause })
    this.kind = options.kind
    this.serverCode = options.serverCode
    this.queryId = options.queryId
  }
}
