/** A failure of a query as the engine or its HTTP face tells it: ClickHouse's code and its own words. */
export class EngineFailure extends Error {
  readonly clickhouseCode: number

  constructor(clickhouseCode: number, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'EngineFailure'
    this.clickhouseCode = clickhouseCode
  }
}

/** ClickHouse's numbers for what the engine's own HTTP face refuses (src/Common/ErrorCodes.cpp). */
export const FAILURE_CODES = {
  notImplemented: 48,
  syntax: 62,
  unknownSetting: 115,
  readonly: 164,
  aborted: 236,
  tooManySimultaneousQueries: 202,
  cancelled: 394,
  authenticationFailed: 516,
  unknownQuery: 78,
  unknown: 1000,
} as const
