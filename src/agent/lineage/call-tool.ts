import { z } from 'zod'
import { SIZES } from '../../base/sizes.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { ModelToolCall } from '../../llm/language-model.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import type { StepContext } from '../run/context.ts'
import type { ToolCallReport } from '../run/investigation-report.ts'
import { tableHead, tableRow } from '../write/results-prompt.ts'
import { type Evidence, evidenceSchema } from './evidence.ts'
import { TOOL_ERROR_KINDS, type ToolResult, toolError } from './tool-result.ts'
import type { LineageToolbox } from './toolbox.ts'
import { isToolName, TOOL_ARGUMENTS } from './tools.ts'

const outcomeSchema = z.object({
  /** The result in words, for the model. */
  text: z.string(),
  error: z.enum(TOOL_ERROR_KINDS).nullable(),
  evidence: evidenceSchema.optional(),
  replayReason: z.string().optional(),
})

export interface ToolOutcome {
  readonly text: string
  readonly report: ToolCallReport
  readonly evidence?: Evidence | undefined
  /** Set if the model asks for a replay. The caller decides whether to replay. */
  readonly replayReason?: string | undefined
}

/**
 * Runs a tool call. A resumed run takes the earlier result. An error is returned as a result, so that the model can react to it.
 */
export async function callTool(
  { log, observe, now }: StepContext & { readonly now: () => number },
  toolbox: LineageToolbox,
  options: { readonly call: ModelToolCall; readonly round: number; readonly index: number; readonly evidenceId: string },
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { call, round, index, evidenceId } = options
  const isTooLong = call.arguments.length > SIZES.toolArguments
  const given = isTooLong ? {} : parseJson(call.arguments)
  const key = { step: 'tool', query: `${call.name.slice(0, 40)} ${index + 1}`, attempt: round }
  const startedAt = now()
  const outcome = await log.step(key, { name: call.name, given }, outcomeSchema, signal, async trace => {
    observe({ kind: 'step_started', ...key })
    const done =
      index < LINEAGE_LIMITS.callsPerRound
        ? isTooLong
          ? failed(toolError('bad_arguments', `The arguments have more than ${SIZES.toolArguments} characters: ask for less.`))
          : await dispatch(toolbox, call.name, given, evidenceId, signal)
        : failed(toolError('bad_arguments', `At most ${LINEAGE_LIMITS.callsPerRound} calls in one round: call it in the next.`))
    if (done.error !== null) trace.failure(done.error)
    return done
  })
  const shown = z.record(z.string(), z.unknown()).catch({}).parse(given)
  const report = {
    tool: call.name,
    arguments: shown,
    ok: outcome.error === null,
    error_kind: outcome.error,
    duration_ms: now() - startedAt,
    tables: toolbox.tablesOf(shown),
    evidence: outcome.evidence?.id ?? null,
  }
  return { text: outcome.text, report, evidence: outcome.evidence, replayReason: outcome.replayReason }
}

type Dispatched = z.infer<typeof outcomeSchema>

async function dispatch(
  toolbox: LineageToolbox,
  name: string,
  given: unknown,
  evidenceId: string,
  signal: AbortSignal,
): Promise<Dispatched> {
  if (!isToolName(name)) {
    return failed(toolError('not_found', `There is no tool of that name. There are ${Object.keys(TOOL_ARGUMENTS).join(', ')}.`))
  }
  const read = <Tool extends keyof typeof TOOL_ARGUMENTS>(tool: Tool) => TOOL_ARGUMENTS[tool].safeParse(given)
  const wrong = read(name)
  if (!wrong.success) {
    const issues = wrong.error.issues.map(({ path, message }) => `${path.join('.') || 'the arguments'}: ${message}`)
    return failed(toolError('bad_arguments', `${issues.join('; ')}.`))
  }
  switch (name) {
    case 'list_graph_nodes':
      return dispatchedResult(toolbox.listGraphNodes())
    case 'get_op_sql':
      return dispatchedResult(toolbox.getOperationSql(TOOL_ARGUMENTS.get_op_sql.parse(given).operation_id))
    case 'get_schema':
      return dispatchedResult(await toolbox.getSchema(TOOL_ARGUMENTS.get_schema.parse(given).table, signal))
    case 'query_table': {
      const { sql, row_limit: limit } = TOOL_ARGUMENTS.query_table.parse(given)
      const result = await toolbox.queryTable(evidenceId, sql, limit, signal)
      return result.ok
        ? { text: evidenceText(result.evidence, result.note), error: null, evidence: result.evidence }
        : failed(result)
    }
    case 'request_full_replay':
      return { text: '', error: null, replayReason: TOOL_ARGUMENTS.request_full_replay.parse(given).reason }
  }
}

function dispatchedResult(result: ToolResult<object>): Dispatched {
  if (!result.ok) return failed(result)
  return { text: fenceData('result', cut(JSON.stringify(result))), error: null }
}

/** Returns the error as text for the model. It is fenced as data, because the server's message may quote rows. */
export function errorText(result: Extract<ToolResult<never>, { ok: false }>): string {
  return fenceData('error', JSON.stringify(result))
}

function failed(result: Extract<ToolResult<never>, { ok: false }>): Dispatched {
  return { text: errorText(result), error: result.error }
}

function evidenceText({ id, columns, rows }: Evidence, note: string): string {
  const shown = cut([...tableHead(columns), ...rows.map(tableRow)].join('\n'))
  const size = `${id}: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`
  return [`${size}${note === '' ? '' : ` ${note}`}`, fenceData('rows', shown)].join('\n')
}

function cut(text: string): string {
  const { resultCharacters: most } = LINEAGE_LIMITS
  return text.length <= most ? text : `${text.slice(0, most)}\n… cut: ask for fewer rows or columns.`
}
