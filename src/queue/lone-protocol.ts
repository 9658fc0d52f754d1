import { z } from 'zod'

/** A message from a worker to its lone process. */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task'), task: z.unknown() }),
  /** To hand back what it has in hand. */
  z.object({ kind: z.literal('stop') }),
])
export type FromWorker = z.infer<typeof fromWorkerSchema>

/** A message from a lone process to its worker. */
export const fromLoneSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['ready', 'alive']) }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), error: z.string() }),
])
export type FromLone = z.infer<typeof fromLoneSchema>
