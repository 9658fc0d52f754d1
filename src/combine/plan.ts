import { z } from 'zod'
import { SIZES } from '../base/sizes.ts'
import { COMBINE_LIMITS } from './limits.ts'

/** The form of each name that a model writes into a plan. Nothing else that a model writes becomes SQL text. */
export const PLAN_NAME = /^[a-z][a-z0-9_]{0,59}$/

const LIMITS = COMBINE_LIMITS.plan
const name = z.string().regex(PLAN_NAME)

const columnTypeSchema = z.enum(['text', 'integer', 'decimal', 'float', 'boolean', 'date', 'datetime'])
const columnSchema = z.object({ name, type: columnTypeSchema })

/**
 * One question to one source. `columns` is the contract: the result has to have them. `restrict` passes the values of `key`, a
 * column of the sub-query `from`, on to this one: only rows whose `column` has one of these values are asked for.
 */
export const subQuerySchema = z.object({
  key: name,
  source: z.string().min(1).max(SIZES.sqlName),
  question: z.string().min(1).max(SIZES.question),
  columns: z.array(columnSchema).min(1).max(LIMITS.columns),
  restrict: z.object({ column: name, from: name, key: name }).nullable(),
})

const pairsSchema = z.array(z.object({ left: name, right: name })).max(LIMITS.columns)
const sides = { left: name, right: name, on: pairsSchema.min(1) }

/**
 * How results become one.
 * - `standalone`: the input as it is.
 * - `join`: each left row beside each right row with the same values in `on`. A column of `on` keeps the left one's name. Another
 *   right column whose name the left side also has gets `_right` at its end.
 * - `compare`: a full join whose column `status` is `same`, `different`, `only_left` or `only_right`. A pair of `values` becomes
 *   two columns: the left one's name with `_left`, the right one's with `_right`.
 * - `union`: the rows of all inputs. The column `tag` has the input's `label`.
 */
const combineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('standalone'), key: name, input: name }),
  z.object({ kind: z.literal('join'), key: name, join: z.enum(['inner', 'left', 'full']), ...sides }),
  z.object({ kind: z.literal('compare'), key: name, ...sides, values: pairsSchema.min(1) }),
  z.object({
    kind: z.literal('union'),
    key: name,
    inputs: z
      .array(z.object({ input: name, label: z.string().min(1).max(LIMITS.valueCharacters) }))
      .min(2)
      .max(LIMITS.subQueries),
    tag: name,
  }),
])

/** Operators of a filter. `in` and `not_in` take any number of values, `is_null` and `is_not_null` none, the others one. */
const operatorSchema = z.enum(['=', '!=', '<', '<=', '>', '>=', 'in', 'not_in', 'is_null', 'is_not_null'])
const conditionSchema = z.object({
  column: name,
  operator: operatorSchema,
  /** Dates as 2026-01-31, times as 2026-01-31 18:00:00 in UTC, booleans as true or false. */
  values: z.array(z.string().max(LIMITS.valueCharacters)).max(LIMITS.values),
})

/** A figure of each group. Without a column, `count` counts rows, and `share` is the group's part of all rows, from 0 to 1. */
const measureSchema = z.object({
  name,
  function: z.enum(['count', 'count_distinct', 'sum', 'avg', 'min', 'max', 'share']),
  column: name.nullable(),
})

const projectedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('column'), name, column: name }),
  /** `of` divided by `by`. Null where `by` is zero. */
  z.object({ kind: z.literal('ratio'), name, of: name, by: name }),
  z.object({ kind: z.literal('minus'), name, from: name, subtract: name }),
])

const stepSchema = z.discriminatedUnion('kind', [
  /** Keeps the rows that fulfil all conditions. */
  z.object({ kind: z.literal('filter'), conditions: z.array(conditionSchema).min(1).max(LIMITS.columns) }),
  z.object({
    kind: z.literal('aggregate'),
    by: z.array(name).max(LIMITS.columns),
    measures: z.array(measureSchema).min(1).max(LIMITS.columns),
  }),
  z.object({ kind: z.literal('project'), columns: z.array(projectedSchema).min(1).max(LIMITS.columns) }),
  z.object({
    kind: z.literal('sort'),
    by: z
      .array(z.object({ column: name, descending: z.boolean() }))
      .min(1)
      .max(LIMITS.columns),
  }),
  z.object({ kind: z.literal('limit'), rows: z.number().int().min(1).max(LIMITS.rows) }),
])

/** Steps over one result, in their order. `question` is what they answer. */
export const postSchema = z.object({
  key: name,
  input: name,
  question: z.string().min(1).max(SIZES.question),
  steps: z.array(stepSchema).min(1).max(LIMITS.steps),
})

/** A plan as a model writes it. `checkPlan` makes it a plan. */
export const planDraftSchema = z.object({
  sub_queries: z.array(subQuerySchema),
  combines: z.array(combineSchema),
  posts: z.array(postSchema),
})

export type ColumnType = z.infer<typeof columnTypeSchema>
export type PlanColumn = z.infer<typeof columnSchema>
export type SubQuery = z.infer<typeof subQuerySchema>
export type Combine = z.infer<typeof combineSchema>
export type ColumnPair = z.infer<typeof pairsSchema>[number]
export type Join = Extract<Combine, { kind: 'join' }>
export type Compare = Extract<Combine, { kind: 'compare' }>
export type Union = Extract<Combine, { kind: 'union' }>
export type Post = z.infer<typeof postSchema>
export type PostStep = z.infer<typeof stepSchema>
export type Condition = z.infer<typeof conditionSchema>
export type Measure = z.infer<typeof measureSchema>
export type Projected = z.infer<typeof projectedSchema>
export type PlanDraft = z.infer<typeof planDraftSchema>

/** The id of a node, from its content: `sq_` for a sub-query, `cg_` for a combine, `op_` for a post, then 12 hex digits. */
export type NodeId = string

/** The stages of a plan: sub-queries, combines and posts. A draft names other parts by key, and a node names them by id. */
export type Stage =
  | { readonly stage: 'scan'; readonly definition: SubQuery }
  | { readonly stage: 'combine'; readonly definition: Combine }
  | { readonly stage: 'post'; readonly definition: Post }

/** A part of a plan. */
export type PlanNode = Stage & {
  readonly id: NodeId
  /** The ids of the nodes whose rows this one takes, each once. Those of a join and a compare are the left and the right one. */
  readonly inputs: readonly NodeId[]
  /** The columns of its result, in their order. */
  readonly columns: readonly PlanColumn[]
}

/** A checked plan. Every name in it is known, every type fits, and there is no cycle. */
export interface Plan {
  /** Scans in the order of the draft, then combines and posts, each after its inputs. The same content is there once. */
  readonly nodes: readonly PlanNode[]
  /** The ids of the combines and posts that no other node takes. Their results are what the plan answers, beside its scans. */
  readonly terminals: readonly NodeId[]
  /** The node of each key of the draft. Two keys with the same content have the same node. */
  readonly idOfKey: ReadonlyMap<string, NodeId>
}

/** Returns the nodes that a node's result needs, itself among them, in the order of the plan. */
export function ancestorsOf({ nodes }: Pick<Plan, 'nodes'>, id: NodeId): readonly PlanNode[] {
  const needed = new Set([id])
  for (const node of nodes.toReversed()) {
    if (needed.has(node.id)) for (const input of node.inputs) needed.add(input)
  }
  return nodes.filter(node => needed.has(node.id))
}
