/**
 * Why a tool did not do what it was asked. `not_select`: the SQL is none that may run; `out_of_scope`: it reads a table or column outside of the graph; `not_found`: no such table or operation;
 * `not_live`: the table's rows are gone; `hidden`: it reads what the asker may not see; `too_expensive`: it would read more than the budget; `query_failed`: the warehouse would not run it; `bad_arguments`: the call itself; the others are of the replay.
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

/** What a tool returns to the model: a value either way, never an exception. */
export type ToolResult<Value> =
  | ({ readonly ok: true } & Value)
  | {
      readonly ok: false
      readonly error: ToolErrorKind
      /** One sentence that the model can act on. */
      readonly message: string
    }

export function toolError(error: ToolErrorKind, message: string): Extract<ToolResult<never>, { ok: false }> {
  return { ok: false, error, message }
}
