import type { WarehouseErrorKind } from './warehouse-error.ts'

/**
 * What a server's exception code means for Clew. The numbers and names are ClickHouse's (src/Common/ErrorCodes.cpp, or `system.errors`);
 * the kinds follow REQUIREMENTS C4. A code that is not here is a fault of the query: `query`.
 */
const KIND_OF_CODE: Readonly<Record<number, WarehouseErrorKind>> = {
  62: 'syntax', // SYNTAX_ERROR

  8: 'unknown_name', // THERE_IS_NO_COLUMN
  10: 'unknown_name', // NOT_FOUND_COLUMN_IN_BLOCK
  16: 'unknown_name', // NO_SUCH_COLUMN_IN_TABLE
  46: 'unknown_name', // UNKNOWN_FUNCTION
  47: 'unknown_name', // UNKNOWN_IDENTIFIER
  50: 'unknown_name', // UNKNOWN_TYPE
  60: 'unknown_name', // UNKNOWN_TABLE
  63: 'unknown_name', // UNKNOWN_AGGREGATE_FUNCTION
  81: 'unknown_name', // UNKNOWN_DATABASE
  115: 'unknown_name', // UNKNOWN_SETTING
  207: 'unknown_name', // AMBIGUOUS_IDENTIFIER
  352: 'unknown_name', // AMBIGUOUS_COLUMN_NAME

  6: 'type', // CANNOT_PARSE_TEXT
  26: 'type', // CANNOT_PARSE_QUOTED_STRING
  27: 'type', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  38: 'type', // CANNOT_PARSE_DATE
  41: 'type', // CANNOT_PARSE_DATETIME
  42: 'type', // NUMBER_OF_ARGUMENTS_DOESNT_MATCH
  43: 'type', // ILLEGAL_TYPE_OF_ARGUMENT
  44: 'type', // ILLEGAL_COLUMN
  53: 'type', // TYPE_MISMATCH
  70: 'type', // CANNOT_CONVERT_TYPE
  72: 'type', // CANNOT_PARSE_NUMBER
  349: 'type', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  386: 'type', // NO_COMMON_TYPE
  407: 'type', // DECIMAL_OVERFLOW

  159: 'timeout', // TIMEOUT_EXCEEDED
  160: 'timeout', // TOO_SLOW
  209: 'timeout', // SOCKET_TIMEOUT

  158: 'resource', // TOO_MANY_ROWS
  161: 'resource', // TOO_MANY_COLUMNS
  167: 'resource', // TOO_DEEP_AST
  168: 'resource', // TOO_BIG_AST
  191: 'resource', // SET_SIZE_LIMIT_EXCEEDED
  201: 'resource', // QUOTA_EXCEEDED
  241: 'resource', // MEMORY_LIMIT_EXCEEDED
  290: 'resource', // LIMIT_EXCEEDED
  306: 'resource', // TOO_DEEP_RECURSION
  307: 'resource', // TOO_MANY_BYTES
  396: 'resource', // TOO_MANY_ROWS_OR_BYTES

  192: 'authentication', // UNKNOWN_USER
  193: 'authentication', // WRONG_PASSWORD
  194: 'authentication', // REQUIRED_PASSWORD
  195: 'authentication', // IP_ADDRESS_NOT_ALLOWED
  516: 'authentication', // AUTHENTICATION_FAILED

  164: 'denied', // READONLY
  291: 'denied', // DATABASE_ACCESS_DENIED
  446: 'denied', // FUNCTION_NOT_ALLOWED
  452: 'denied', // SETTING_CONSTRAINT_VIOLATION
  497: 'denied', // ACCESS_DENIED
  512: 'denied', // SET_NON_GRANTED_ROLE

  202: 'unavailable', // TOO_MANY_SIMULTANEOUS_QUERIES
  203: 'unavailable', // NO_FREE_CONNECTION
  210: 'unavailable', // NETWORK_ERROR
  236: 'unavailable', // ABORTED: the server is shutting down
  279: 'unavailable', // ALL_CONNECTION_TRIES_FAILED
  439: 'unavailable', // CANNOT_SCHEDULE_TASK
  319: 'unavailable', // UNKNOWN_STATUS_OF_INSERT
  242: 'unavailable', // TABLE_IS_READ_ONLY: Keeper is away
  999: 'unavailable', // KEEPER_EXCEPTION

  394: 'cancelled', // QUERY_WAS_CANCELLED
  734: 'cancelled', // QUERY_WAS_CANCELLED_BY_CLIENT
}

export function kindOfServerCode(code: number): WarehouseErrorKind {
  return KIND_OF_CODE[code] ?? 'query'
}
