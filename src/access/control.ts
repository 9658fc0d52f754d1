import { StoreError } from '../store/store-error.ts'
import type { AccessDecision } from './decision.ts'
import { type KnownPeople, PeopleUnknownError } from './known-people.ts'
import { type Access, type AccessPolicy, accessOf, rolesIn, rulesOf, type WorkspaceRules } from './policy.ts'
import type { RunAccess } from './run-access.ts'
import { EVERYTHING_OF_ALL, grantsCover, showsAsMuch } from './table-grant.ts'

/** The place where a person asked a question or pressed a button. */
export interface AccessPlace {
  readonly platform: string
  readonly workspace: string
  readonly channel: string
  readonly isDirect: boolean
}

/**
 * Whether a place is outside all workspaces, as direct conversations are on some platforms. Its `workspace` is then the
 * platform's name.
 */
export function isOutsideWorkspaces({ platform, workspace }: Pick<AccessPlace, 'platform' | 'workspace'>): boolean {
  return workspace === platform
}

/** Decides who may do what, by the operator's rules. Asks the platforms for groups and members. */
export class AccessControl {
  readonly #policy: AccessPolicy | undefined
  readonly #people: Pick<KnownPeople, 'groupsOf' | 'channelMembers'>

  /** @param deps.policy undefined if there are no rules; then everybody may do everything */
  constructor(deps: {
    readonly policy: AccessPolicy | undefined
    readonly people: Pick<KnownPeople, 'groupsOf' | 'channelMembers'>
  }) {
    this.#policy = deps.policy
    this.#people = deps.people
  }

  /**
   * Decides whether to answer a question, and whether the answer is private.
   * @param before the rights from the first decision about this message; used again if the asker still has all of them
   * @throws StoreError
   */
  async decide(place: AccessPlace, user: string, signal: AbortSignal, before?: RunAccess): Promise<AccessDecision> {
    const policy = this.#policy
    if (policy === undefined) return { kind: 'granted', roles: [], mayPublish: true, isPrivate: false }
    try {
      const now = await this.#accessOf(policy, place, user, signal)
      if (now === undefined) return { kind: 'refused', reason: 'no_role' }
      const access = before !== undefined && includes(now, before) ? { ...now, ...before } : now
      const { roles, grants, clickhouseRoles, mayPublish } = access
      const isPrivate = !(await this.#mayAllSee(policy, place, { user, grants }, signal))
      return { kind: 'granted', roles, access: { grants, clickhouseRoles }, mayPublish, isPrivate }
    } catch (error) {
      if (!(error instanceof PeopleUnknownError)) throw error
      return { kind: 'refused', reason: 'people_unknown' }
    }
  }

  /**
   * Whether a person is in the channel. Undefined if the platform cannot tell.
   * @throws StoreError
   */
  async isMember(place: AccessPlace, user: string, signal: AbortSignal): Promise<boolean | undefined> {
    try {
      return (await this.#people.channelMembers(place, signal))?.includes(user)
    } catch (error) {
      if (error instanceof StoreError || signal.aborted) throw error
      return undefined
    }
  }

  /**
   * Whether a person may see an answer. The person needs rights to each table (`database.table`, or `crm/database.table` of another
   * source) that the answer's queries read.
   * If these tables are unknown, the person needs all rights of the asker.
   * @throws StoreError
   */
  async mayRead(
    place: AccessPlace,
    user: string,
    read: { readonly tables: readonly string[] | undefined; readonly access: RunAccess | undefined },
    signal: AbortSignal,
  ): Promise<boolean> {
    const of = read.access?.grants
    const maySee = ({ grants }: Access) =>
      read.tables === undefined
        ? grantsCover(grants, of ?? this.#policy?.everything ?? [])
        : read.tables.every(table => showsAsMuch(grants, of ?? EVERYTHING_OF_ALL, table))
    return this.#may(place, user, maySee, signal)
  }

  /**
   * Whether a person may share a private answer with the channel.
   * @throws StoreError
   */
  async mayPublish(place: AccessPlace, user: string, signal: AbortSignal): Promise<boolean> {
    return this.#may(place, user, ({ mayPublish }) => mayPublish, signal)
  }

  async #may(place: AccessPlace, user: string, allows: (access: Access) => boolean, signal: AbortSignal): Promise<boolean> {
    if (this.#policy === undefined) return true
    try {
      const access = await this.#accessOf(this.#policy, place, user, signal)
      return access !== undefined && allows(access)
    } catch (error) {
      if (!(error instanceof PeopleUnknownError)) throw error
      return false
    }
  }

  async #accessOf(policy: AccessPolicy, place: AccessPlace, user: string, signal: AbortSignal): Promise<Access | undefined> {
    const each = rulesFor(policy, place).map(async rules => {
      const groups = (await this.#people.groupsOf(rules, [user], signal)).get(user) ?? []
      return rolesIn(rules, { user, groups, channel: place.channel })
    })
    const found = await Promise.all(each)
    return accessOf(policy, { own: found.flatMap(({ own }) => own), ofChannel: found.flatMap(({ ofChannel }) => ofChannel) })
  }

  /**
   * Whether everybody in the channel may see as much as the asker. If the rules give roles to the channel, these roles decide. If
   * the platform does not list the members, everybody in the workspace must have the rights. False if the platform cannot answer.
   */
  async #mayAllSee(
    policy: AccessPolicy,
    place: AccessPlace,
    asker: Pick<Access, 'grants'> & { readonly user: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    if (place.isDirect) return true
    const rules = rulesOf(policy, place.platform, place.workspace)
    const ofChannel = rules?.channels.get(place.channel)
    const maySee = (own: readonly string[]) => {
      const access = accessOf(policy, { own, ofChannel: [] })
      return access !== undefined && grantsCover(access.grants, asker.grants)
    }
    if (ofChannel !== undefined) return maySee(ofChannel)
    try {
      const members = await this.#people.channelMembers(place, signal)
      if (members === undefined) return rolesOfAnyone(rules, asker.user).every(maySee)
      const groups = rules === undefined ? undefined : await this.#people.groupsOf(rules, members, signal)
      return members.every(user => maySee(rolesIn(rules, { user, groups: groups?.get(user) ?? [] }).own))
    } catch (error) {
      if (error instanceof StoreError || signal.aborted) throw error
      return false
    }
  }
}

/**
 * Returns the sets of roles that people may have: no role, the roles of each listed person, and the roles of each group. Each
 * person has at least all roles of one of these sets. So if every set has enough rights, everybody has them. The person `but` is
 * left out.
 */
function rolesOfAnyone(rules: WorkspaceRules | undefined, but: string): readonly (readonly string[])[] {
  const others = [...(rules?.users ?? [])].flatMap(([user, roles]) => (user === but ? [] : [roles]))
  return [[], ...others, ...(rules?.groups.values() ?? [])]
}

function includes(now: RunAccess, before: RunAccess): boolean {
  return grantsCover(now.grants, before.grants) && before.clickhouseRoles.every(role => now.clickhouseRoles.includes(role))
}

/**
 * Returns the rules for a place. For a direct conversation outside all workspaces, these are the rules of all workspaces of the
 * platform.
 */
function rulesFor(policy: AccessPolicy, place: AccessPlace): readonly WorkspaceRules[] {
  const ofPlatform = policy.workspaces.filter(rules => rules.platform === place.platform)
  return isOutsideWorkspaces(place) ? ofPlatform : ofPlatform.filter(rules => rules.workspace === place.workspace)
}
