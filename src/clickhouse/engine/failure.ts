/** A failed query, with ClickHouse's error code and message. Both the engine and its HTTP interface throw it. */
export class EngineFailure extends Error {
  readonly clickhouseCode: number

  constructor(clickhouseCode: number, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'EngineFailure'
    this.clickhouseCode = clickhouseCode
  }
}

/** The message for a query that reaches a broken engine just before its process stops. The client sends the query again. */
export const STARTED_ANEW = 'Too many simultaneous queries. The engine is being started anew'

/** The message for a query that crashes the engine. */
export const CRASHED = 'The engine crashed on this query: ask for it in another way, with other functions'

/** The error codes that the HTTP interface itself reports, as ClickHouse defines them (src/Common/ErrorCodes.cpp). */
export const FAILURE_CODES = {
  notImplemented: 48,
  /** ClickHouse calls this error LOGICAL_ERROR. It is a fault in the engine itself. */
  logicalError: 49,
  unknownSetting: 115,
  timeout: 159,
  /** ClickHouse calls this error CANNOT_ALLOCATE_MEMORY. */
  cannotAllocate: 173,
  tooManySimultaneousQueries: 202,
  /** ClickHouse calls this error QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING. */
  queryIdTaken: 216,
  /** ClickHouse calls this error QUERY_IS_TOO_LARGE. */
  tooLarge: 229,
  memoryLimit: 241,
  /** ClickHouse calls this error INTO_OUTFILE_NOT_ALLOWED. */
  outfile: 358,
  cancelled: 394,
  authenticationFailed: 516,
  /** ClickHouse calls this error UNKNOWN_EXCEPTION. */
  unknown: 1002,
} as const
