/**
 * Why a tool failed. `not_select`: SQL of a forbidden kind; `out_of_scope`: a table or column outside the graph; `not_found`: no
 * such table or operation; `not_live`: the rows are gone; `hidden`: the asker may not see it; `too_expensive`: over the budget;
 * `query_failed`: the warehouse refused it; `bad_arguments`: a malformed call; `replay_…`: the replay did not happen.
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

/** A tool's result. It is always a value, never an exception. */
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
