import { z } from 'zod'

/** The lines that a program prints, by the contract in `bench/peers/CONTRACT.md`. */
export const peerLineSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready'), name: z.string(), version: z.string() }),
  z.object({
    event: z.literal('usage'),
    cpu_ms: z.number(),
    rss_mb: z.number(),
    heap_mb: z.number(),
    /** The longest block of the program's event loop since the last report, in processor time. Only Clew reports it. */
    longest_block_ms: z.number().optional(),
  }),
  z.object({ event: z.enum(['started', 'plan', 'first_data', 'first_words']), id: z.string(), at: z.number() }),
  z.object({
    event: z.literal('complete'),
    id: z.string(),
    at: z.number(),
    answer: z.string(),
    queries: z.number(),
    /** Whether every query was right at once. Then the schema's time. Only Clew reports them. */
    first_try: z.boolean().optional(),
    schema_ms: z.number().optional(),
  }),
  z.object({ event: z.literal('failed'), id: z.string(), at: z.number(), error: z.string() }),
])
export type PeerLine = z.infer<typeof peerLineSchema>

/** The lines that the program receives. */
export const peerRequestSchema = z.union([
  /** `thread` is the conversation that Clew continues. */
  z.object({ id: z.string(), question: z.string(), thread: z.string().optional() }),
  z.object({ ask: z.literal('usage') }),
])
export type PeerRequest = z.infer<typeof peerRequestSchema>
