/** Thrown for a failed query, with ClickHouse's code and message. The engine throws it, and so does its HTTP interface. */
export class EngineFailure extends Error {
  readonly clickhouseCode: number

  constructor(clickhouseCode: number, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'EngineFailure'
    this.clickhouseCode = clickhouseCode
  }
}

/** The message to a request that reaches an engine just before its end. */
export const STARTED_ANEW = 'Too many simultaneous queries. The engine is being started anew'

/** ClickHouse's codes of the errors that the HTTP interface itself reports (src/Common/ErrorCodes.cpp). */
export const FAILURE_CODES = {
  notImplemented: 48,
  /** LOGICAL_ERROR: a fault in the engine itself. */
  logicalError: 49,
  unknownSetting: 115,
  timeout: 159,
  /** CANNOT_ALLOCATE_MEMORY */
  cannotAllocate: 173,
  tooManySimultaneousQueries: 202,
  /** QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING */
  queryIdTaken: 216,
  /** QUERY_IS_TOO_LARGE */
  tooLarge: 229,
  memoryLimit: 241,
  /** INTO_OUTFILE_NOT_ALLOWED */
  outfile: 358,
  cancelled: 394,
  authenticationFailed: 516,
  /** UNKNOWN_EXCEPTION */
  unknown: 1002,
} as const
