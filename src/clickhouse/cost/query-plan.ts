import { z } from 'zod'

/**
 * A step in the output of `EXPLAIN json = 1, header = 1, indexes = 1, actions = 1`. Contains only the facts that the estimate
 * needs.
 */
export interface PlanNode {
  /** The type of the step, such as `ReadFromMergeTree`, `Join` or `Limit`. */
  readonly kind: string
  /**
   * For a step that reads a MergeTree table: `database.table`, or the name of a projection. For any other step: the engine's
   * description, which may contain `WHERE`.
   */
  readonly description: string
  /** The columns that the step returns. */
  readonly columns: readonly PlanColumn[]
  readonly filterColumns: readonly PlanColumn[]
  /**
   * The marks of a table: `initial` is the number of all marks, `selected` the number to read. Null if the step reads no marks.
   */
  readonly granules: { readonly selected: number; readonly initial: number } | null
  readonly readsInOrder: boolean
  /** The maximum number of rows that a Limit step returns. Null for other steps, and for LIMIT … WITH TIES. */
  readonly limit: number | null
  /** The number of rows that a Limit or Offset step skips. */
  readonly offset: number
  /** Whether the step is an ARRAY JOIN, which turns each array element into a row. An empty array gives no row. */
  readonly joinsArrays: boolean
  /** The type of a join, such as `CROSS` or `INNER`. Null if the step is not a join. */
  readonly joinType: string | null
  /** The columns of GROUP BY in an Aggregating step. Null for other steps. */
  readonly groupKeys: readonly string[] | null
  readonly children: readonly PlanNode[]
}

export interface PlanColumn {
  readonly name: string
  readonly type: string
}

// An absent key takes its default. `catch` alone would first describe an error, which doubles the time.
const columnsSchema = z
  .array(z.object({ Name: z.string(), Type: z.string() }))
  .default([])
  .catch([])
const filterSchema = z.object({ Inputs: columnsSchema })
const nodeSchema = z.object({
  'Node Type': z.string(),
  Description: z.string().default('').catch(''),
  Header: columnsSchema,
  Granules: z.number().optional().catch(undefined),
  Indexes: z
    .array(z.object({ 'Initial Granules': z.number(), 'Selected Granules': z.number() }))
    .default([])
    .catch([]),
  'Read Type': z.string().default('').catch(''),
  'Prewhere info': z
    .object({ 'Prewhere filter': z.object({ 'Prewhere filter expression': filterSchema }).optional() })
    .optional()
    .catch(undefined),
  Limit: z.number().optional().catch(undefined),
  Offset: z.number().default(0).catch(0),
  'With Ties': z.boolean().default(false).catch(false),
  'Reads All Data': z.boolean().default(false).catch(false),
  Expression: z
    .object({ Actions: z.array(z.object({ 'Node Type': z.string() })) })
    .optional()
    .catch(undefined),
  Type: z.string().optional().catch(undefined),
  Keys: z.array(z.string()).optional().catch(undefined),
  Plans: z.array(z.unknown()).default([]).catch([]),
})
const documentSchema = z.tuple([z.object({ Plan: z.unknown() })]).transform(([{ Plan }]) => Plan)

/** Parses the text of the engine's plan. Returns undefined if the text has another form. */
export function readQueryPlan(text: string): PlanNode | undefined {
  try {
    return readNode(documentSchema.parse(JSON.parse(text)))
  } catch {
    return undefined
  }
}

function readNode(value: unknown): PlanNode {
  const node = nodeSchema.parse(value)
  const prewhere = node['Prewhere info']?.['Prewhere filter']?.['Prewhere filter expression'].Inputs ?? []
  const isLimit = node['Node Type'] === 'Limit'
  return {
    kind: node['Node Type'],
    description: node.Description,
    columns: node.Header.map(planColumn),
    filterColumns: prewhere.map(planColumn),
    granules: granulesOf(node),
    readsInOrder: /^In(?:Reverse)?Order$/.test(node['Read Type']),
    limit: isLimit && !node['Reads All Data'] && !node['With Ties'] ? (node.Limit ?? null) : null,
    offset: node.Offset,
    joinsArrays: node.Expression?.Actions.some(action => action['Node Type'] === 'ARRAY_JOIN') ?? false,
    joinType: node.Type ?? null,
    groupKeys: node['Node Type'] === 'Aggregating' ? (node.Keys ?? null) : null,
    children: node.Plans.map(readNode),
  }
}

function granulesOf({ Granules, Indexes }: z.infer<typeof nodeSchema>): PlanNode['granules'] {
  const selected = Granules ?? Indexes.at(-1)?.['Selected Granules']
  return selected === undefined ? null : { selected, initial: Indexes[0]?.['Initial Granules'] ?? selected }
}

function planColumn({ Name, Type }: { readonly Name: string; readonly Type: string }): PlanColumn {
  return { name: Name, type: Type }
}
