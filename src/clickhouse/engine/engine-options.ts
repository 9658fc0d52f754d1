import { z } from 'zod'

/** What a starter tells the engine process, as the JSON of its one argument. Nothing secret: arguments can be read by others. */
export const engineOptionsSchema = z.strictObject({
  directory: z.string().min(1),
  /** The directory is the engine's own and goes when the engine ends. */
  temporary: z.boolean(),
  /** Lets the owner inject faults and read what was received, and adds the users that play other servers. For tests. */
  testing: z.boolean(),
  /** max_execution_time of the reader's profile. */
  readerSeconds: z.number().positive(),
})

export type EngineOptions = z.infer<typeof engineOptionsSchema>

/** The engine's one line on standard output, once it serves or has failed to. */
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
  /** Proves to a client that what answers on the port is this engine, before any password is sent. */
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
