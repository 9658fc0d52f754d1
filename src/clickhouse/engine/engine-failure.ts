/** A failure of a query as the engine or its HTTP face tells it: ClickHouse's code and its own words. */
export class EngineFailure extends Error {
  readonly clickhouseCode: number

  constructor(clickhouseCode: number, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'EngineFailure'
    this.clickhouseCode = clickhouseCode
  }
}

/** Told to whoever comes to an engine that is about to end. */
export const STARTED_ANEW = 'Too many simultaneous queries. The engine is being started anew'

/** ClickHouse's numbers for what the engine's own HTTP face refuses (src/Common/ErrorCodes.cpp). */
export const FAILURE_CODES = {
  notImplemented: 48,
  /** LOGICAL_ERROR: a fault of the engine's own */
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
