import { z } from 'zod'

/** Discord documents this in topics/opcodes-and-status-codes, "Gateway Opcodes". */
export const OP = {
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  requestMembers: 8,
  invalidSession: 9,
  hello: 10,
  acknowledge: 11,
} as const

/** Discord documents this in topics/opcodes-and-status-codes, "Gateway Close Event Codes". */
export const CLOSE = {
  unknownOpcode: { code: 4001, reason: 'Unknown opcode' },
  decodeError: { code: 4002, reason: 'Decode error' },
  notAuthenticated: { code: 4003, reason: 'Not authenticated' },
  authenticationFailed: { code: 4004, reason: 'Authentication failed' },
  alreadyAuthenticated: { code: 4005, reason: 'Already authenticated' },
  invalidSequence: { code: 4007, reason: 'Invalid seq' },
  rateLimited: { code: 4008, reason: 'Rate limited' },
  timedOut: { code: 4009, reason: 'Session timed out' },
  invalidShard: { code: 4010, reason: 'Invalid shard' },
  invalidVersion: { code: 4012, reason: 'Invalid API version' },
  invalidIntents: { code: 4013, reason: 'Invalid intent(s)' },
  disallowedIntents: { code: 4014, reason: 'Disallowed intent(s)' },
} as const
export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE]

/** Discord documents this in events/gateway-events, "Payload Structure", "Identify", "Resume" and "Heartbeat". */
export const payloadSchema = z.object({ op: z.number().int(), d: z.unknown() })
export const identifySchema = z.object({
  token: z.string(),
  intents: z.number().int(),
  properties: z.record(z.string(), z.unknown()),
  shard: z.tuple([z.number().int().min(0), z.number().int().min(1)]).default([0, 1]),
})
export const resumeSchema = z.object({ token: z.string(), session_id: z.string(), seq: z.number().int() })
export const heartbeatSchema = z.number().int().nullable()
