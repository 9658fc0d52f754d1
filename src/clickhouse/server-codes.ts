import type { WarehouseErrorKind } from './warehouse-error.ts'

/**
 * What a server's exception code means for Clew. Names and numbers are ClickHouse's (src/Common/ErrorCodes.cpp); a test
 * compares them with the engine's own `errorCodeToName`. A code that is not here is a fault of the query: `query`, of which those are listed
 * whose words are read.
 */
export const SERVER_CODES = {
  syntax: { SYNTAX_ERROR: 62 },
  unknown_name: {
    THERE_IS_NO_COLUMN: 8,
    NOT_FOUND_COLUMN_IN_BLOCK: 10,
    NO_SUCH_COLUMN_IN_TABLE: 16,
    UNKNOWN_FUNCTION: 46,
    UNKNOWN_IDENTIFIER: 47,
    UNKNOWN_TYPE: 50,
    UNKNOWN_TABLE: 60,
    UNKNOWN_AGGREGATE_FUNCTION: 63,
    UNKNOWN_DATABASE: 81,
    UNKNOWN_SETTING: 115,
    AMBIGUOUS_IDENTIFIER: 207,
    AMBIGUOUS_COLUMN_NAME: 352,
  },
  type: {
    CANNOT_PARSE_TEXT: 6,
    NUMBER_OF_COLUMNS_DOESNT_MATCH: 20,
    CANNOT_PARSE_QUOTED_STRING: 26,
    CANNOT_PARSE_INPUT_ASSERTION_FAILED: 27,
    CANNOT_PARSE_DATE: 38,
    CANNOT_PARSE_DATETIME: 41,
    NUMBER_OF_ARGUMENTS_DOESNT_MATCH: 42,
    ILLEGAL_TYPE_OF_ARGUMENT: 43,
    ILLEGAL_COLUMN: 44,
    TYPE_MISMATCH: 53,
    ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER: 59,
    CANNOT_CONVERT_TYPE: 70,
    CANNOT_PARSE_NUMBER: 72,
    CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN: 349,
    CANNOT_PARSE_UUID: 376,
    NO_COMMON_TYPE: 386,
    DECIMAL_OVERFLOW: 407,
  },
  query: { ILLEGAL_AGGREGATION: 184, NOT_AN_AGGREGATE: 215 },
  timeout: { TIMEOUT_EXCEEDED: 159, TOO_SLOW: 160, SOCKET_TIMEOUT: 209 },
  resource: {
    TOO_MANY_ROWS: 158,
    TOO_MANY_COLUMNS: 161,
    TOO_DEEP_AST: 167,
    TOO_BIG_AST: 168,
    SET_SIZE_LIMIT_EXCEEDED: 191,
    QUOTA_EXCEEDED: 201,
    MEMORY_LIMIT_EXCEEDED: 241,
    LIMIT_EXCEEDED: 290,
    TOO_DEEP_RECURSION: 306,
    TOO_MANY_BYTES: 307,
    TOO_MANY_ROWS_OR_BYTES: 396,
  },
  authentication: {
    UNKNOWN_USER: 192,
    WRONG_PASSWORD: 193,
    REQUIRED_PASSWORD: 194,
    IP_ADDRESS_NOT_ALLOWED: 195,
    AUTHENTICATION_FAILED: 516,
  },
  denied: {
    READONLY: 164,
    DATABASE_ACCESS_DENIED: 291,
    FUNCTION_NOT_ALLOWED: 446,
    SETTING_CONSTRAINT_VIOLATION: 452,
    ACCESS_DENIED: 497,
    SET_NON_GRANTED_ROLE: 512,
  },
  unavailable: {
    TOO_MANY_SIMULTANEOUS_QUERIES: 202,
    NO_FREE_CONNECTION: 203,
    NETWORK_ERROR: 210,
    ABORTED: 236,
    TABLE_IS_READ_ONLY: 242,
    ALL_CONNECTION_TRIES_FAILED: 279,
    UNKNOWN_STATUS_OF_INSERT: 319,
    CANNOT_SCHEDULE_TASK: 439,
    KEEPER_EXCEPTION: 999,
  },
  cancelled: { QUERY_WAS_CANCELLED: 394, QUERY_WAS_CANCELLED_BY_CLIENT: 735 },
} as const satisfies Partial<Record<WarehouseErrorKind, Readonly<Record<string, number>>>>

const KIND_OF_CODE = new Map<number, WarehouseErrorKind>(
  Object.entries(SERVER_CODES).flatMap(([kind, codes]) =>
    Object.values(codes).map(code => [code, kind as WarehouseErrorKind] as const),
  ),
)

export function kindOfServerCode(code: number): WarehouseErrorKind {
  return KIND_OF_CODE.get(code) ?? 'query'
}
