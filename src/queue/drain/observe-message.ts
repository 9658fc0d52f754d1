import { reportOf, withoutResult } from '../../agent/observed-analyst.ts'
import { asRun } from '../../base/watched-work.ts'
import type { Reply } from '../../chat/reply.ts'
import type { Observation, Observe } from '../../telemetry/observation.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import { askerName } from '../asker.ts'
import { STOPPED } from '../run-cancellation.ts'

/** Codes of replies that refuse a message by a rule, and do not come from a fault. */
export const REFUSAL_CODES: readonly string[] = [
  'no_role',
  'people_unknown',
  'changed',
  'too_many_questions',
  'cap_reached',
  'thread_full',
  'question_too_long',
]

/** Reports the decision about the author's rights. Reports nothing if there are no rules. */
export function observeAccess(accepted: AcceptedMessage, observe: Observe | undefined): void {
  const { message, access } = accepted
  if (access === undefined) return
  const decision = access.kind === 'refused' ? access.reason : 'allowed'
  observeFor(accepted, { kind: 'access', platform: message.place.platform, decision }, observe)
}

/** Reports that a message got its final reply, `durationMs` after it was accepted. */
export function observeReply(accepted: AcceptedMessage, reply: Reply, durationMs: number, observe: Observe | undefined): void {
  observeFor(accepted, { kind: 'answer', ...reportOfReply(reply), durationMs }, observe)
}

function reportOfReply(reply: Reply) {
  if (reply.kind === 'answer') return reply.result === undefined ? withoutResult('answered') : reportOf(reply.result)
  const code = reply.kind === 'error' ? reply.code : 'fault'
  return withoutResult(code === STOPPED ? 'stopped' : REFUSAL_CODES.includes(code) ? 'refused' : 'failed', code)
}

/** The observation counts for the author, although the message is not being answered at this moment. */
function observeFor(accepted: AcceptedMessage, observation: Observation, observe: Observe | undefined): void {
  if (observe !== undefined) void asRun(subjectOf(accepted), async () => observe(observation))
}

/** For whom and for what a message is answered. */
export function subjectOf({ runId, message: { place, author }, access }: AcceptedMessage) {
  const role = access?.kind === 'granted' ? { role: access.roles.join(' ') } : {}
  const person = (access?.kind === 'granted' && access.person) || askerName(place, author)
  return { id: runId, person, place, ...role }
}
