import { kindsByCode, type WarehouseErrorKind } from '../warehouse/error.ts'

/**
 * The SQLSTATEs of a server, by kind of error, with Postgres' names (appendix A of its documentation, 18). Two characters stand
 * for a whole class. Contains what a read can get. An unknown SQLSTATE is treated as `query`: the model gets the server's message
 * and rewrites the query, within its budget.
 */
export const SQLSTATES = {
  syntax: { syntax_error: '42601', reserved_name: '42939', invalid_name: '42602', name_too_long: '42622' },
  unknown_name: {
    undefined_table: '42P01',
    undefined_column: '42703',
    undefined_object: '42704',
    invalid_schema_name: '3F000',
    ambiguous_column: '42702',
    ambiguous_alias: '42P09',
  },
  type: {
    // An operator or a function that exists, but not for values of these types, is "undefined".
    undefined_function: '42883',
    ambiguous_function: '42725',
    datatype_mismatch: '42804',
    cannot_coerce: '42846',
    indeterminate_datatype: '42P18',
    collation_mismatch: '42P21',
    indeterminate_collation: '42P22',
    invalid_text_representation: '22P02',
    invalid_binary_representation: '22P03',
    numeric_value_out_of_range: '22003',
    invalid_datetime_format: '22007',
    datetime_field_overflow: '22008',
    interval_field_overflow: '22015',
    invalid_character_value_for_cast: '22018',
  },
  query: {},
  timeout: { transaction_timeout: '25P04' },
  resource: {
    insufficient_resources: '53000',
    disk_full: '53100',
    out_of_memory: '53200',
    configuration_limit_exceeded: '53400',
    program_limit_exceeded: '54',
  },
  authentication: { invalid_authorization: '28', invalid_catalog_name: '3D000' },
  denied: { insufficient_privilege: '42501', read_only_sql_transaction: '25006' },
  broken: {
    data_corrupted: 'XX001',
    index_corrupted: 'XX002',
    system_error: '58',
    config_file_error: 'F0000',
    foreign_data_wrapper_error: 'HV',
  },
  unavailable: {
    connection_exception: '08',
    transaction_rollback: '40',
    too_many_connections: '53300',
    object_not_in_prerequisite_state: '55',
    operator_intervention: '57',
    idle_in_transaction_session_timeout: '25P03',
  },
  cancelled: {},
} as const satisfies Record<WarehouseErrorKind, Readonly<Record<string, string>>>

/** A statement was ended: by its time limit, or by somebody's cancellation. Only the circumstances tell which. */
export const QUERY_CANCELED = '57014'
export const { too_many_connections: TOO_MANY_CONNECTIONS } = SQLSTATES.unavailable
export const LOCK_NOT_AVAILABLE = '55P03'

const KIND_OF_STATE = kindsByCode<string>(SQLSTATES)

export function kindOfSqlState(state: string): WarehouseErrorKind {
  return KIND_OF_STATE.get(state) ?? KIND_OF_STATE.get(state.slice(0, 2)) ?? 'query'
}
