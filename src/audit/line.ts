import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Subject } from '../base/watched-work.ts'
import type { Observation } from '../telemetry/observation.ts'

const text = z.string().default('')
const count = z.coerce.number().default(0)

export const auditLineSchema = z.object({
  /** Unix time in milliseconds. */
  at: z.number(),
  id: z.string(),
  kind: z.string(),
  /** `platform/id`. Empty if nobody asked. */
  person: text,
  platform: text,
  channel: text,
  role: text,
  run: text,
  step: text,
  /** The data source of a query. */
  source: text,
  /** The model, button, job or token. */
  subject: text,
  outcome: text,
  sql_sha256: text,
  rows: count,
  bytes: count,
  duration_ms: count,
  tokens_in: count,
  tokens_out: count,
  /** US dollars. Null if no price is known. */
  cost: z.number().nullable().default(null),
})
/** A line of the audit log. It holds no question, row or SQL. */
export type AuditLine = z.output<typeof auditLineSchema>

const EMPTY = auditLineSchema.parse({ at: 0, id: '', kind: '' })

type OwnFields = Partial<Omit<AuditLine, 'at' | 'id' | 'kind'>>

/**
 * Writes the line of an observation. Undefined for an observation that is only a measurement.
 * @param subject for whom the work was done
 * @param at Unix time in milliseconds
 */
export function auditLine(observation: Observation, { place, ...subject }: Subject, at: number): AuditLine | undefined {
  const own = ownFields(observation)
  if (own === undefined) return undefined
  const { platform = '', channel = '' } = place ?? {}
  return { ...EMPTY, ...subject, at, id: randomUUID(), kind: observation.kind, platform, channel, ...own }
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
