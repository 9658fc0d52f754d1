import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Subject } from '../base/watched-work.ts'
import type { Observation } from '../telemetry/observation.ts'

export const auditLineSchema = z.object({
  /** Unix time in milliseconds. */
  at: z.number(),
  id: z.string(),
  kind: z.string(),
  /** `platform/id`. Empty if nobody asked. */
  person: z.string().default(''),
  platform: z.string().default(''),
  channel: z.string().default(''),
  role: z.string().default(''),
  run: z.string().default(''),
  step: z.string().default(''),
  /** The data source of a query. */
  source: z.string().default(''),
  /** The model, button, job or token. */
  subject: z.string().default(''),
  outcome: z.string().default(''),
  sql_sha256: z.string().default(''),
  rows: z.number().default(0),
  bytes: z.number().default(0),
  duration_ms: z.number().default(0),
  tokens_in: z.number().default(0),
  tokens_out: z.number().default(0),
  /** US dollars. Null if no price is known. */
  cost: z.number().nullable().default(null),
})
/** A line of the audit log. It holds no question, row or SQL. */
export type AuditLine = z.output<typeof auditLineSchema>

type OwnFields = Partial<Omit<AuditLine, 'at' | 'id' | 'kind'>>

/**
 * Writes the line of an observation. Undefined for an observation that is only a measurement.
 * @param of.subject for whom the work was done
 */
export function auditLine(
  observation: Observation,
  of: { readonly at: number; readonly id: string; readonly subject: Subject },
): AuditLine | undefined {
  const own = ownFields(observation)
  if (own === undefined) return undefined
  const { person, place, role, run, step } = of.subject
  const shared = { person, role, run, step, platform: place?.platform, channel: place?.channel }
  return auditLineSchema.parse({ ...shared, ...own, kind: observation.kind, at: of.at, id: of.id })
}

function ownFields(done: Observation): OwnFields | undefined {
  switch (done.kind) {
    case 'model_call': {
      const { step, model: subject, outcome, inputTokens, outputTokens, durationMs, cost = null } = done
      return { step, subject, outcome, tokens_in: inputTokens, tokens_out: outputTokens, duration_ms: durationMs, cost }
    }
    case 'query': {
      const { source, sql, outcome, rows, bytesRead: bytes, durationMs } = done
      const sql_sha256 = createHash('sha256').update(sql).digest('hex')
      return { source, sql_sha256, outcome, rows, bytes, duration_ms: durationMs }
    }
    case 'answer':
      return { outcome: done.error ?? done.outcome, duration_ms: done.durationMs }
    case 'press':
      return { platform: done.platform, subject: done.action, outcome: done.outcome }
    case 'access':
      return { platform: done.platform, outcome: done.decision }
    case 'token':
      // A client sends its token with each request. The work that it asks for has lines of its own.
      return done.outcome === 'used' ? undefined : { subject: done.token, outcome: done.outcome }
    case 'replay':
      return { subject: done.job, outcome: done.outcome, duration_ms: done.durationMs }
    case 'draft':
      return { outcome: done.outcome }
    default:
      return undefined
  }
}
