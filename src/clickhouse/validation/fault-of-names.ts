import type { WarehouseError } from '../../warehouse/error.ts'
import { SERVER_CODES } from '../server-codes.ts'

const { unknown_name, type, query } = SERVER_CODES

const CODES: ReadonlySet<number | undefined> = new Set([
  ...Object.values(unknown_name),
  type.NUMBER_OF_COLUMNS_DOESNT_MATCH,
  type.TOO_MANY_ARGUMENTS_FOR_FUNCTION,
  type.TOO_FEW_ARGUMENTS_FOR_FUNCTION,
  type.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
  type.ILLEGAL_TYPE_OF_ARGUMENT,
  type.ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER,
  type.NO_COMMON_TYPE,
  query.CYCLIC_ALIASES,
  query.MULTIPLE_EXPRESSIONS_FOR_ALIAS,
  query.ILLEGAL_AGGREGATION,
  query.NOT_AN_AGGREGATE,
  query.UNION_ALL_RESULT_STRUCTURES_MISMATCH,
  query.INVALID_JOIN_ON_EXPRESSION,
])

/**
 * Whether a fault concerns names, types or aggregates. Such a fault does not depend on the values of subqueries. Other faults may come only from the
 * default value that replaced a subquery: in `LIMIT (SELECT …)`, or when an empty text is parsed.
 */
export function isFaultOfNames({ serverCode }: WarehouseError): boolean {
  return CODES.has(serverCode)
}
