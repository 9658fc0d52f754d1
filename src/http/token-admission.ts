import type { AccessDecision } from '../access/decision.ts'
import { type AccessPolicy, accessOfRole } from '../access/policy.ts'
import type { Admission } from '../queue/accept/admission.ts'
import { HTTP_PLATFORM } from './place.ts'
import type { Token, Tokens } from './tokens.ts'

/**
 * Decides what a token may read: everything if there are no rules, and otherwise what its role may read. A token of a role that
 * no longer exists is refused.
 */
export function decisionOf({ role }: Pick<Token, 'role'>, policy: AccessPolicy | undefined): AccessDecision {
  const common = { mayPublish: false, isPrivate: false }
  if (policy === undefined && role === null) return { kind: 'granted', roles: [], ...common }
  const access = policy === undefined || role === null ? undefined : accessOfRole(policy, role)
  if (access === undefined) return { kind: 'refused', reason: 'no_role' }
  const { roles, grants, clickhouseRoles } = access
  return { kind: 'granted', roles, access: { grants, clickhouseRoles }, ...common }
}

/**
 * Admits messages over HTTP by the rights of their tokens, and all others as before. The decision is made anew each time, so a
 * token that was revoked after its question gets no answer.
 */
export function admitTokens(
  others: Admission,
  { tokens, policy }: { readonly tokens: Pick<Tokens, 'find'>; readonly policy: AccessPolicy | undefined },
): Admission {
  return {
    async admit(accepted, signal) {
      const { place, author } = accepted.message
      if (place.platform !== HTTP_PLATFORM) return others.admit(accepted, signal)
      const token = await tokens.find(author, signal)
      const decision = token && decisionOf(token, policy)
      return { ...accepted, access: decision?.kind === 'granted' ? decision : { kind: 'refused', reason: 'changed' } }
    },
  }
}
