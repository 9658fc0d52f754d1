import { z } from 'zod'

/** The messages that a worker sends to its lone process. */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task'), task: z.unknown() }),
  z.object({ kind: z.literal('stop') }),
])
export type FromWorker = z.infer<typeof fromWorkerSchema>

/** The messages that a lone process sends to its worker. */
export const fromLoneSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['ready', 'alive']) }),
  /** JSON has no `undefined`, so a task without a result has no `value`. */
  z.object({ kind: z.literal('done'), value: z.unknown().optional() }),
  /** Only the error's text is sent to the other process. `retryable` is false for BullMQ's UnrecoverableError. */
  z.object({ kind: z.literal('failed'), error: z.string(), retryable: z.boolean() }),
])
export type FromLone = z.infer<typeof fromLoneSchema>
