/** The limits of a Postgres source. Times are in milliseconds. deploy/postgres/reader.sql has the same ones on the server's side. */
export const POSTGRES_LIMITS = {
  connection: {
    /** The maximum number of connections of one process to one source. Each is a process of the server. */
    max: 10,
    /** A connection that is idle for this long is closed. */
    idleMs: 60_000,
    /** How long a query waits for a connection, including opening one. */
    openMs: 5_000,
    /** How long an ended query may take to stop. After that, its connection is closed without waiting. */
    cancelMs: 5_000,
  },
  query: {
    /** A query waits this long for a lock, such as while a table is altered. A person waits for the answer. */
    lockMs: 2_000,
  },
} as const
