import { ClewError } from '../base/errors.ts'

/**
 * The kind of failure. `ERROR_ROUTES` gives Clew's reaction to each kind. docs/errors.md lists the server's error codes by kind.
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
  | 'broken'
  | 'unavailable'
  | 'cancelled'

/**
 * Thrown when a query fails. `serverCode` is ClickHouse's error number, such as 62 for a syntax error. It is undefined if the
 * server sent none. `isBusy`: the server can be reached, but does not run the query now.
 */
export class WarehouseError extends ClewError {
  readonly kind: WarehouseErrorKind
  readonly serverCode: number | undefined
  readonly queryId: string | undefined
  readonly isBusy: boolean

  constructor(
    message: string,
    options: { kind: WarehouseErrorKind; serverCode?: number; queryId?: string; isBusy?: boolean; cause?: unknown },
  ) {
    super(message, { code: `warehouse_${options.kind}`, retryable: options.kind === 'unavailable', cause: options.cause })
    this.kind = options.kind
    this.serverCode = options.serverCode
    this.queryId = options.queryId
    this.isBusy = options.isBusy ?? false
  }
}

/** Returns the kind of each code of a server, whose codes are listed by kind. */
export function kindsByCode<Code>(
  codes: Readonly<Record<WarehouseErrorKind, Readonly<Record<string, Code>>>>,
): ReadonlyMap<Code, WarehouseErrorKind> {
  const kinds = Object.keys(codes) as WarehouseErrorKind[]
  return new Map(kinds.flatMap(kind => Object.values(codes[kind]).map(code => [code, kind] as const)))
}
