import type { WarehouseErrorKind } from './warehouse-error.ts'

/**
 * What is done about an error: the SQL is written anew with what was wrong (`regenerate`); a query that asks for less is tried once (`narrow`); the
 * person is told to ask again in a while, what could be tried again having been (`wait`); the question ends (`give_up`); or it ends and
 * somebody must look (`alarm`).
 */
export type ErrorRoute = 'regenerate' | 'narrow' | 'wait' | 'give_up' | 'alarm'

interface ErrorRouting {
  readonly route: ErrorRoute
  readonly why: string
}

/**
 * The kinds of warehouse errors, each with its one route. Which code of ClickHouse is of which kind says `server-codes.ts`;
 * `server-failure.ts` adds what has no code: sockets, and a memory limit or query tree that is told apart by its words.
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

/** Every kind, for the schema of a value that carries one. */
export const WAREHOUSE_ERROR_KINDS = Object.keys(ERROR_ROUTES) as readonly WarehouseErrorKind[]
