import type { WarehouseErrorKind } from './error.ts'

/**
 * Clew's reaction to an error:
 * - `regenerate`: let the model rewrite the SQL, given the error.
 * - `narrow`: try once with a query that asks for less.
 * - `wait`: retries have failed, so tell the person to ask again later.
 * - `give_up`: stop the question.
 * - `alarm`: stop the question and alert the operator.
 */
export type ErrorRoute = 'regenerate' | 'narrow' | 'wait' | 'give_up' | 'alarm'

interface ErrorRouting {
  readonly route: ErrorRoute
  readonly why: string
}

/**
 * The route for each kind of warehouse error. `server-codes.ts` maps ClickHouse's error codes to kinds. `server-failure.ts`
 * handles failures that a code does not explain: broken sockets, and codes with several meanings, such as a memory limit of one
 * query or of the whole server.
 */
export const ERROR_ROUTES = {
  syntax: { route: 'regenerate', why: 'The text is wrong, and the message says where.' },
  unknown_name: { route: 'regenerate', why: 'Near names are known; the schema is read again first, since it may have changed.' },
  type: { route: 'regenerate', why: 'The message says which values do not go together.' },
  query: {
    route: 'regenerate',
    why: 'Any other fault of the text: aggregates in a wrong place, arguments, an alias used twice.',
  },
  timeout: { route: 'narrow', why: 'The same question would take as long in other words.' },
  resource: {
    route: 'narrow',
    why: 'A limit of the reader: rows, memory, size of the query. The same query would meet it again.',
  },
  unavailable: { route: 'wait', why: 'The server is away, busy or full; the warehouse has tried again by then.' },
  authentication: { route: 'give_up', why: 'No SQL changes who Clew is.' },
  cancelled: { route: 'give_up', why: 'It was asked for.' },
  denied: { route: 'alarm', why: 'The server refused what the SQL guard allowed: one of the two is wrong.' },
  broken: { route: 'alarm', why: 'The server cannot read its own data, and no SQL mends that.' },
} as const satisfies Readonly<Record<WarehouseErrorKind, ErrorRouting>>

/** Returns Clew's reaction to a kind of error. `give_up` for anything that is no kind of a warehouse's errors. */
export function errorRoute(kind: string): ErrorRoute {
  const routing = Object.entries(ERROR_ROUTES).find(([each]) => each === kind)
  return routing?.[1].route ?? 'give_up'
}

/** All kinds of warehouse errors, as a list. The zod schemas of stored errors use it. */
export const WAREHOUSE_ERROR_KINDS = Object.keys(ERROR_ROUTES) as readonly WarehouseErrorKind[]
