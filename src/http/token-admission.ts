import type { AccessControl } from '../access/control.ts'
import type { AccessDecision } from '../access/decision.ts'
import { type AccessPolicy, accessOfRole } from '../access/policy.ts'
import type { Admission } from '../queue/accept/admission.ts'
import { HTTP_PLATFORM } from './place.ts'
import type { Token, Tokens } from './tokens.ts'

/** The rules of access decide over tokens. `policy` is undefined if there are none. */
export interface TokenRules {
  readonly policy: AccessPolicy | undefined
  readonly accessControl: Pick<AccessControl, 'decide'>
}

/**
 * Decides what a token may read. Without rules, that is everything. A token with a workspace stands for a person of it, who may
 * read the same as in a direct conversation. Any other may read what its role may, and is refused if the role no longer exists.
 * @throws StoreError
 */
export async function decisionOf(
  token: Pick<Token, 'role' | 'person' | 'workspace'>,
  { policy, accessControl }: TokenRules,
  signal: AbortSignal,
): Promise<AccessDecision> {
  const { role, person, workspace } = token
  const common = { mayPublish: false, isPrivate: false, ...(person !== undefined && { person }) }
  if (person !== undefined && workspace !== undefined) {
    const [platform = '', user = ''] = person.split('/').map(decodeURIComponent)
    const decision = await accessControl.decide({ platform, workspace, channel: '', isDirect: true }, user, signal)
    return decision.kind === 'granted' ? { ...decision, ...common } : decision
  }
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
  { tokens, rules }: { readonly tokens: Pick<Tokens, 'find'>; readonly rules: TokenRules },
): Admission {
  return {
    async admit(accepted, signal) {
      const { place, author } = accepted.message
      if (place.platform !== HTTP_PLATFORM) return others.admit(accepted, signal)
      const token = await tokens.find(author, signal)
      const decision = token && (await decisionOf(token, rules, signal))
      return { ...accepted, access: decision?.kind === 'granted' ? decision : { kind: 'refused', reason: 'changed' } }
    },
  }
}
