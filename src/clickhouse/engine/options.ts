import { z } from 'zod'

/**
 * The options of the engine's process, as JSON in its only argument. Other users of the machine can read the arguments of a
 * process, so no option is secret.
 */
export const engineOptionsSchema = z.strictObject({
  directory: z.string().min(1),
  /** Whether the directory was made for this engine alone. It is then removed when the engine stops. */
  temporary: z.boolean(),
  /** The time limit of the reading user's queries, in seconds. It becomes the setting max_execution_time. */
  readerSeconds: z.number().positive(),
})

export type EngineOptions = z.infer<typeof engineOptionsSchema>

/** The single line that the engine's process prints: when it serves requests, or when its start has failed. */
export const engineStartSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('ready') }),
  /** The data directory could not be opened, probably because another engine uses it. */
  z.object({ outcome: z.literal('taken'), message: z.string() }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
])

export type EngineStart = z.infer<typeof engineStartSchema>

/** The content of the file `engine.json` in the data directory. Only the file's owner can read it. */
export const engineStateSchema = z.object({
  instance: z.string(),
  pid: z.number().int(),
  port: z.number().int(),
  /**
   * The key with which the engine proves that it is the program on the port. A client sends its password only after this proof.
   */
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
