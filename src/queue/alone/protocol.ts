import { z } from 'zod'

/** From a worker to its lone process. */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task'), task: z.unknown() }),
  z.object({ kind: z.literal('stop') }),
])
export type FromWorker = z.infer<typeof fromWorkerSchema>

/** From a lone process to its worker. */
export const fromLoneSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['ready', 'alive']) }),
  /** A task without a result has no value: it comes as JSON. */
  z.object({ kind: z.literal('done'), value: z.unknown().optional() }),
  /** Only text crosses the boundary. BullMQ's UnrecoverableError comes as `retryable: false`. */
  z.object({ kind: z.literal('failed'), error: z.string(), retryable: z.boolean() }),
])
export type FromLone = z.infer<typeof fromLoneSchema>
