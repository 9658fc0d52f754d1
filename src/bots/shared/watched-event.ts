import { z } from 'zod'
import { asRun, asStep } from '../../base/watched-work.ts'

/** An event's name and kind. The platforms have different fields for them. */
const namedSchema = z.object({
  type: z.unknown().optional(),
  event: z.object({ type: z.string() }).optional(),
  event_id: z.string().optional(),
  trigger_id: z.string().optional(),
  id: z.string().optional(),
})

/** Handles a platform's event as named work. If the work blocks the event loop, the log shows the name. */
export function asEvent<Value>(platform: string, payload: unknown, work: () => Promise<Value>): Promise<Value> {
  const { type, event, event_id, trigger_id, id } = namedSchema.safeParse(payload).data ?? {}
  const named = event_id ?? trigger_id ?? id ?? 'without an id'
  return asRun({ id: named.slice(0, 100) }, () =>
    asStep(`${platform} ${String(event?.type ?? type ?? 'event').slice(0, 50)}`, work),
  )
}
