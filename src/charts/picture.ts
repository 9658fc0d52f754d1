import { z } from 'zod'
import { languageSchema } from '../words/language.ts'
import { chartSchema } from './chart.ts'

/** The role of a table in a run. `outside`: the run reads it, and somebody else fills it. */
export const TABLE_KINDS = ['outside', 'input', 'intermediate', 'target'] as const
/** Whether the run's rows still exist. `replayed`: they were made again since; `replaced`: another run's rows are there. */
export const TABLE_STATES = ['live', 'replayed', 'replaced', 'gone'] as const

const tableSchema = z.object({
  label: z.string(),
  kind: z.enum(TABLE_KINDS),
  state: z.enum(TABLE_STATES),
  /** The rows that the run found or wrote; null if unknown. */
  rows: z.number().nullable(),
  /** Whether the operation that writes it failed. */
  failed: z.boolean(),
  /** Whether the fault is said to be here. */
  suspected: z.boolean(),
})
export type PicturedTable = z.infer<typeof tableSchema>

/** The tables of a pipeline's run, and the flow of rows between them. */
export const graphPictureSchema = z
  .object({
    kind: z.literal('graph'),
    title: z.string(),
    /** The language of its words. Default: English. */
    language: languageSchema.optional(),
    nodes: z.array(tableSchema).min(1),
    /** Indexes into `nodes`, each pair once. */
    edges: z.array(z.object({ from: z.int().min(0), to: z.int().min(0) })),
  })
  .refine(({ nodes, edges }) => edges.every(({ from, to }) => from < nodes.length && to < nodes.length), 'an edge without a node')
export type GraphPicture = z.infer<typeof graphPictureSchema>

/** A picture next to an answer's words. */
export const pictureSchema = z.union([chartSchema, graphPictureSchema])
export type Picture = z.infer<typeof pictureSchema>
