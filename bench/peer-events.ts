import { z } from 'zod'

/** The lines that a compared program prints. `bench/peers/CONTRACT.md` describes them. */
export const peerLineSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready'), name: z.string(), version: z.string() }),
  z.object({
    event: z.literal('usage'),
    cpu_ms: z.number(),
    rss_mb: z.number(),
    heap_mb: z.number(),
    /** The longest time for which the program's event loop was blocked since the last report, in processor time. Only Clew reports it. */
    longest_block_ms: z.number().optional(),
  }),
  z.object({ event: z.enum(['started', 'plan', 'first_data', 'first_words']), id: z.string(), at: z.number() }),
  z.object({
    event: z.literal('complete'),
    id: z.string(),
    at: z.number(),
    answer: z.string(),
    queries: z.number(),
    /** `first_try`: whether the first SQL of every query was right. `schema_ms`: the time for the schema. Only Clew reports these. */
    first_try: z.boolean().optional(),
    schema_ms: z.number().optional(),
  }),
  z.object({ event: z.literal('failed'), id: z.string(), at: z.number(), error: z.string() }),
])
export type PeerLine = z.infer<typeof peerLineSchema>

/** The lines that a compared program gets on its standard input. */
export const peerRequestSchema = z.union([
  /** `thread` identifies the conversation to continue. Only Clew uses it. */
  z.object({ id: z.string(), question: z.string(), thread: z.string().optional() }),
  z.object({ ask: z.literal('usage') }),
])
export type PeerRequest = z.infer<typeof peerRequestSchema>
