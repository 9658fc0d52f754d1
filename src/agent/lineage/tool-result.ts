/**
 * Why a tool fails.
 * - `not_select`: the SQL is of a forbidden kind
 * - `out_of_scope`: a table or column is outside the graph
 * - `not_found`: the table or operation does not exist
 * - `not_live`: the rows no longer exist
 * - `hidden`: the asker may not see the table
 * - `too_expensive`: the query is over the budget
 * - `query_failed`: the warehouse refused the query
 * - `bad_arguments`: the call is malformed
 * - `replay_…`: the replay did not happen
 */
export const TOOL_ERROR_KINDS = [
  'not_select',
  'out_of_scope',
  'not_found',
  'not_live',
  'hidden',
  'too_expensive',
  'query_failed',
  'bad_arguments',
  'replay_timeout',
  'replay_failed',
] as const
export type ToolErrorKind = (typeof TOOL_ERROR_KINDS)[number]

/** The result of a tool. A failure is returned, not thrown, because the model reads it. */
export type ToolResult<Value> =
  | ({ readonly ok: true } & Value)
  | {
      readonly ok: false
      readonly error: ToolErrorKind
      /** One sentence that tells the model what to do next. */
      readonly message: string
    }

export function toolError(error: ToolErrorKind, message: string): Extract<ToolResult<never>, { ok: false }> {
  return { ok: false, error, message }
}
