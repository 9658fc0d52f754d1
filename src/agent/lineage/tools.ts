import { z } from 'zod'
import type { ModelTool } from '../../llm/language-model.ts'

const name = z.string().min(1).max(300)

/** The arguments of each tool. If the model's arguments do not fit, the model receives an error. */
export const TOOL_ARGUMENTS = {
  list_graph_nodes: z.object({}),
  get_op_sql: z.object({ operation_id: name.describe("an operation's id, or the table that it wrote, by name or label") }),
  get_schema: z.object({ table: name.describe('name or label of a table') }),
  query_table: z.object({
    sql: z.string().min(1).describe('one SELECT over tables of the graph, in ClickHouse SQL; {{ label }} stands for a table'),
    row_limit: z.coerce.number().int().min(1).max(1_000).optional().describe('rows wanted at most; 100 when absent'),
  }),
  request_full_replay: z.object({ reason: z.string().min(1).max(2_000).describe('why only the dropped rows can tell') }),
} as const
export type ToolName = keyof typeof TOOL_ARGUMENTS

const DESCRIPTIONS: Readonly<Record<ToolName, string>> = {
  list_graph_nodes: 'Every table of the run: label, kind, whether its rows are live, row counts, what it is made from.',
  get_op_sql:
    'The SQL with which an operation made its table, as a template and as it ran, and which input columns feed each of its columns and decide which rows there are.',
  get_schema: 'The columns of a live table.',
  query_table: 'Runs a SELECT over live tables of the graph and returns its rows under an id that can be cited.',
  request_full_replay:
    'Runs the whole job again with every table kept, without publishing. Slow and costly: only when the live tables cannot tell.',
}

export const LINEAGE_TOOLS: readonly ModelTool[] = Object.entries(TOOL_ARGUMENTS).map(([tool, schema]) => {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' })
  return { name: tool, description: DESCRIPTIONS[tool as ToolName], parameters }
})

export function isToolName(text: string): text is ToolName {
  return Object.hasOwn(TOOL_ARGUMENTS, text)
}
