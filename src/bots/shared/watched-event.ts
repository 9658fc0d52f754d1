import { z } from 'zod'
import { asRun, asStep } from '../../base/watched-work.ts'

/** How platforms name what they send. */
const namedSchema = z.object({
  type: z.unknown().optional(),
  event: z.object({ type: z.string() }).optional(),
  event_id: z.string().optional(),
  trigger_id: z.string().optional(),
  id: z.string().optional(),
})

/** Reads and accepts an event of a platform in sight of the watch over the event loop: if a step keeps that, the log names the event. */
export function asEvent<Value>(platform: string, payload: unknown, work: () => Promise<Value>): Promise<Value> {
  const { type, event, event_id, trigger_id, id } = namedSchema.safeParse(payload).data ?? {}
  const named = event_id ?? trigger_id ?? id ?? 'without an id'
  return asRun({ id: named.slice(0, 100) }, () =>
    asStep(`${platform} ${String(event?.type ?? type ?? 'event').slice(0, 50)}`, work),
  )
}
