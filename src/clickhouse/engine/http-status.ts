/** The HTTP status of an exception's code, as ClickHouse answers (src/Server/HTTP/exceptionCodeToHTTPStatus.cpp); 500 for the others. */
const STATUS_OF_CODES: readonly (readonly [status: number, codes: readonly number[]])[] = [
  [401, [194]],
  [403, [192, 193, 497, 512, 516]],
  // BAD_ARGUMENTS, the CANNOT_PARSE_… family, columns, AST shape and depth, SYNTAX_ERROR, INCORRECT_DATA, TYPE_MISMATCH, value out of range.
  [400, [6, 8, 15, 25, 26, 27, 36, 38, 41, 44, 53, 62, 69, 72, 117, 167, 168, 223, 224, 321, 376, 427, 441, 467, 675, 676]],
  // UNKNOWN_TABLE, …_FUNCTION, …_IDENTIFIER, …_TYPE, …_STORAGE, …_AGGREGATE_FUNCTION, …_FORMAT, …_TYPE_OF_QUERY, …_DATABASE, …_SETTING, …_ROLE.
  [404, [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 336, 511]],
  [408, [159]],
  [411, [381]],
  [413, [133]],
  [501, [48]],
  [503, [76, 209, 439]],
]

export function statusOfCode(code: number): number {
  return STATUS_OF_CODES.find(([, codes]) => codes.includes(code))?.[0] ?? 500
}
