import { z } from 'zod'
import { languageSchema } from '../words/language.ts'
import { chartSchema } from './chart.ts'

/** What a table is to a run. `outside`: filled by somebody else, and only read. */
export const TABLE_KINDS = ['outside', 'input', 'intermediate', 'target'] as const
/** Whether the rows that the run left can still be looked at. `replayed`: no longer as they were, but made again since; `replaced`: another run's stand there. */
export const TABLE_STATES = ['live', 'replayed', 'replaced', 'gone'] as const

const tableSchema = z.object({
  label: z.string(),
  kind: z.enum(TABLE_KINDS),
  state: z.enum(TABLE_STATES),
  /** That the run found or wrote; null where that is not known. */
  rows: z.number().nullable(),
  /** Whether what should have written it failed. */
  failed: z.boolean(),
  /** Whether the fault is said to be here. */
  suspected: z.boolean(),
})
export type PicturedTable = z.infer<typeof tableSchema>

/** The tables of a pipeline's run and how rows went through them. */
export const graphPictureSchema = z
  .object({
    kind: z.literal('graph'),
    title: z.string(),
    /** The language of the words on it; English when absent. */
    language: languageSchema.optional(),
    nodes: z.array(tableSchema).min(1),
    /** By places in `nodes`, each pair once. */
    edges: z.array(z.object({ from: z.int().min(0), to: z.int().min(0) })),
  })
  .refine(({ nodes, edges }) => edges.every(({ from, to }) => from < nodes.length && to < nodes.length), 'an edge without a node')
export type GraphPicture = z.infer<typeof graphPictureSchema>

/** What an answer may show beside its words. */
export const pictureSchema = z.union([chartSchema, graphPictureSchema])
export type Picture = z.infer<typeof pictureSchema>
