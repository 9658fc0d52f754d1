import { z } from 'zod'

/** What a program under `bench/peers/CONTRACT.md` prints, a line each. */
export const peerLineSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready'), name: z.string(), version: z.string() }),
  z.object({
    event: z.literal('usage'),
    cpu_ms: z.number(),
    rss_mb: z.number(),
    heap_mb: z.number(),
    /** For how long its event loop did one thing at most since the last time that this was told, in its processor's time. Clew tells it. */
    longest_block_ms: z.number().optional(),
  }),
  z.object({ event: z.enum(['started', 'plan', 'first_data', 'first_words']), id: z.string(), at: z.number() }),
  z.object({
    event: z.literal('complete'),
    id: z.string(),
    at: z.number(),
    answer: z.string(),
    queries: z.number(),
    /** Every query was right at first, and how long the schema took. Clew tells it. */
    first_try: z.boolean().optional(),
    schema_ms: z.number().optional(),
  }),
  z.object({ event: z.literal('failed'), id: z.string(), at: z.number(), error: z.string() }),
])
export type PeerLine = z.infer<typeof peerLineSchema>

/** What it is told, a line each. */
export const peerRequestSchema = z.union([
  /** `thread`: Clew goes on with that conversation. */
  z.object({ id: z.string(), question: z.string(), thread: z.string().optional() }),
  z.object({ ask: z.literal('usage') }),
])
export type PeerRequest = z.infer<typeof peerRequestSchema>
