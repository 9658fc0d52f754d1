import { z } from 'zod'

/**
 * The options of the engine's process. The process gets them as JSON in its only argument. Other users of the machine can read arguments, so no
 * option is secret.
 */
export const engineOptionsSchema = z.strictObject({
  directory: z.string().min(1),
  /** Whether the directory belongs to this engine alone. If so, it is removed when the engine ends. */
  temporary: z.boolean(),
  /** The setting max_execution_time in the profile of the reading user. */
  readerSeconds: z.number().positive(),
})

export type EngineOptions = z.infer<typeof engineOptionsSchema>

/** The only line that the engine's process prints on standard output. The line comes once the engine serves or has failed. */
export const engineStartSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('ready') }),
  /** The directory could not be opened. Most likely another engine holds it. */
  z.object({ outcome: z.literal('taken'), message: z.string() }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
])

export type EngineStart = z.infer<typeof engineStartSchema>

/** The content of `engine.json`, a file beside the data. Only the file's owner can read it. */
export const engineStateSchema = z.object({
  instance: z.string(),
  pid: z.number().int(),
  port: z.number().int(),
  /** The engine proves with this key that it is the program on the port. Only then does a client send a password. */
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
