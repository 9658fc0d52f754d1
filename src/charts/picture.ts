import { z } from 'zod'
import { languageSchema } from '../words/language.ts'
import { chartSchema } from './chart.ts'

/** The table's role in a run. `outside`: the run reads the table, but does not fill it. */
export const TABLE_KINDS = ['outside', 'input', 'intermediate', 'target'] as const
/**
 * Which rows the table contains now. `live`: those of this run. `replayed`: those of this run, written again by a replay.
 * `replaced`: those of another run. `gone`: the table no longer exists.
 */
export const TABLE_STATES = ['live', 'replayed', 'replaced', 'gone'] as const

const tableSchema = z.object({
  label: z.string(),
  kind: z.enum(TABLE_KINDS),
  state: z.enum(TABLE_STATES),
  /** The number of rows that the run found or wrote. Null if unknown. */
  rows: z.number().nullable(),
  /** Whether the operation that writes the table has failed. */
  failed: z.boolean(),
  /** Whether the investigation believes that the fault is in this table. */
  suspected: z.boolean(),
})
export type PicturedTable = z.infer<typeof tableSchema>

/** The graph of a pipeline's run: its tables, and the flow of rows between them. */
export const graphPictureSchema = z
  .object({
    kind: z.literal('graph'),
    title: z.string(),
    /** The language of the words in the graph. Default: English. */
    language: languageSchema.optional(),
    nodes: z.array(tableSchema).min(1),
    /** Links between tables as indexes into `nodes`. Each pair occurs once. */
    edges: z.array(z.object({ from: z.int().min(0), to: z.int().min(0) })),
  })
  .refine(({ nodes, edges }) => edges.every(({ from, to }) => from < nodes.length && to < nodes.length), 'an edge without a node')
export type GraphPicture = z.infer<typeof graphPictureSchema>

/** A chart or graph that is shown with an answer. */
export const pictureSchema = z.union([chartSchema, graphPictureSchema])
export type Picture = z.infer<typeof pictureSchema>
