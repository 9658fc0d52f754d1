import { z } from 'zod'

/** The engine process takes these as JSON in its only argument. Others can read arguments, so nothing here is secret. */
export const engineOptionsSchema = z.strictObject({
  directory: z.string().min(1),
  /** The directory belongs to this engine and is removed with it. */
  temporary: z.boolean(),
  /** max_execution_time in the reader's profile. */
  readerSeconds: z.number().positive(),
})

export type EngineOptions = z.infer<typeof engineOptionsSchema>

/** The single line on standard output, once the engine serves or has failed. */
export const engineStartSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('ready') }),
  /** The directory could not be opened, most likely because another engine holds it. */
  z.object({ outcome: z.literal('taken'), message: z.string() }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
])

export type EngineStart = z.infer<typeof engineStartSchema>

/** Kept in `engine.json` beside the data, readable by its owner only. */
export const engineStateSchema = z.object({
  instance: z.string(),
  pid: z.number().int(),
  port: z.number().int(),
  /** Proves that this engine answers on the port, before any password is sent. */
  proofKey: z.string(),
  passwords: z.object({ reader: z.string(), owner: z.string() }),
})

export type EngineState = z.infer<typeof engineStateSchema>

export const ENGINE_PATHS = {
  data: 'data',
  incoming: 'incoming',
  config: 'engine.xml',
  state: 'engine.json',
  log: 'engine.log',
} as const
