import { z } from 'zod'

/**
 * The options of the engine's process. The process gets the options as JSON in its only argument. Other users of the machine can read arguments, so
 * no option is secret.
 */
export const engineOptionsSchema = z.strictObject({
  directory: z.string().min(1),
  /** True if the directory belongs to this engine only. Such a directory is removed when the engine ends. */
  temporary: z.boolean(),
  /** The setting max_execution_time in the profile of the reading user. */
  readerSeconds: z.number().positive(),
})

export type EngineOptions = z.infer<typeof engineOptionsSchema>

/** The single line that the engine's process prints on standard output, once it serves or has failed. */
export const engineStartSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('ready') }),
  /** The directory could not be opened, most likely because another engine holds it. */
  z.object({ outcome: z.literal('taken'), message: z.string() }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
])

export type EngineStart = z.infer<typeof engineStartSchema>

/** The content of `engine.json`, which lies beside the data. Only its owner can read the file. */
export const engineStateSchema = z.object({
  instance: z.string(),
  pid: z.number().int(),
  port: z.number().int(),
  /** With this key, the engine proves that it is the program at the port, before a client sends a password. */
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
