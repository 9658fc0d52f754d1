import { z } from 'zod'

/** A node of `EXPLAIN json = 1, header = 1, indexes = 1, actions = 1`, as far as it tells what is read. */
export interface PlanNode {
  /** `ReadFromMergeTree`, `Join`, `Limit`, … */
  readonly kind: string
  /** Of a node that reads a MergeTree: `database.table`, or the name of a projection. */
  readonly description: string
  /** What comes out of it. */
  readonly columns: readonly PlanColumn[]
  /** Read for a filter, and not passed on. */
  readonly filterColumns: readonly PlanColumn[]
  /** Marks that are read, and those of the whole table; null where the node has none. */
  readonly granules: { readonly selected: number; readonly initial: number } | null
  readonly readsInOrder: boolean
  /** Of a Limit: with the offset. */
  readonly limit: number | null
  readonly join: { readonly type: string; readonly strictness: string; readonly clauses: string } | null
  /** Of an Aggregating node; null for any other. */
  readonly aggregation: {
    readonly keys: readonly string[]
    readonly aggregates: readonly { readonly function: string; readonly arguments: readonly string[] }[]
  } | null
  readonly children: readonly PlanNode[]
}

export interface PlanColumn {
  readonly name: string
  readonly type: string
}

const columnsSchema = z.array(z.object({ Name: z.string(), Type: z.string() })).catch([])
const filterSchema = z.object({ Inputs: columnsSchema })
const nodeSchema = z.object({
  'Node Type': z.string(),
  Description: z.string().catch(''),
  Header: columnsSchema,
  Granules: z.number().optional().catch(undefined),
  Indexes: z.array(z.object({ 'Initial Granules': z.number(), 'Selected Granules': z.number() })).catch([]),
  'Read Type': z.string().catch(''),
  'Prewhere info': z
    .object({ 'Prewhere filter': z.object({ 'Prewhere filter expression': filterSchema }).optional() })
    .optional()
    .catch(undefined),
  Limit: z.number().optional().catch(undefined),
  Offset: z.number().catch(0),
  'Reads All Data': z.boolean().catch(false),
  Type: z.string().optional().catch(undefined),
  Strictness: z.string().catch(''),
  Clauses: z.string().catch(''),
  Keys: z.array(z.string()).optional().catch(undefined),
  Aggregates: z
    .array(z.object({ Function: z.object({ Name: z.string() }), Arguments: z.array(z.string()).catch([]) }))
    .optional()
    .catch(undefined),
  Plans: z.array(z.unknown()).catch([]),
})
const documentSchema = z.tuple([z.object({ Plan: z.unknown() })]).transform(([{ Plan }]) => Plan)

/** Reads the plan that the engine printed; undefined where it is none, as of a server whose plans look otherwise. */
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
  return {
    kind: node['Node Type'],
    description: node.Description,
    columns: node.Header.map(planColumn),
    filterColumns: prewhere.map(planColumn),
    granules: granulesOf(node),
    readsInOrder: /^In(?:Reverse)?Order$/.test(node['Read Type']),
    limit: node['Node Type'] === 'Limit' && node.Limit !== undefined && !node['Reads All Data'] ? node.Limit + node.Offset : null,
    join: node.Type === undefined ? null : { type: node.Type, strictness: node.Strictness, clauses: node.Clauses },
    aggregation:
      node['Node Type'] === 'Aggregating' && node.Keys !== undefined
        ? {
            keys: node.Keys,
            aggregates: (node.Aggregates ?? []).map(each => ({ function: each.Function.Name, arguments: each.Arguments })),
          }
        : null,
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
