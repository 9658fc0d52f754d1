import { createHash } from 'node:crypto'
import type { RunAccess } from './run-access.ts'
import type { TableGrant } from './table-grant.ts'

/** What the operator's `access.yaml` says, checked. */
export interface AccessPolicy {
  /** Of people whom neither their id nor a group of theirs gives a role; undefined: they are refused. */
  readonly defaultRole: string | undefined
  readonly roles: ReadonlyMap<string, AccessRole>
  readonly workspaces: readonly WorkspaceRules[]
}

export interface AccessRole {
  readonly grant: TableGrant
  /** The server's role whose rights count for its reads. Either every role has one or none has. */
  readonly clickhouseRole: string | undefined
  /** Whether its people may show the channel a private answer to them. */
  readonly mayPublish: boolean
}

/** Ids as the platform gives them, each with the names of its roles. */
export interface WorkspaceRules {
  readonly platform: 'slack' | 'discord'
  readonly workspace: string
  readonly users: ReadonlyMap<string, readonly string[]>
  readonly groups: ReadonlyMap<string, readonly string[]>
  readonly channels: ReadonlyMap<string, readonly string[]>
}

/** What somebody may do. */
export interface Access extends RunAccess {
  readonly roles: readonly string[]
  readonly mayPublish: boolean
}

/** Somebody in a workspace, and the channel where they ask. */
export interface Person {
  readonly user: string
  /** Their groups, of those that the rules know. */
  readonly groups: readonly string[]
  readonly channel?: string
}

/** A person's own roles in one workspace and those of the channel where they ask. */
export function rolesIn(rules: WorkspaceRules | undefined, { user, groups, channel }: Person) {
  const own = [rules?.users.get(user) ?? [], ...groups.map(group => rules?.groups.get(group) ?? [])].flat()
  const ofChannel = channel === undefined ? [] : (rules?.channels.get(channel) ?? [])
  return { own, ofChannel }
}

/**
 * What roles give together: all their tables, and the server's roles of all. Those of the channel are added to somebody's own, or to the default role.
 * @returns undefined where there is no role at all
 */
export function accessOf(
  policy: AccessPolicy,
  { own, ofChannel }: { readonly own: readonly string[]; readonly ofChannel: readonly string[] },
): Access | undefined {
  const base = own.length > 0 || policy.defaultRole === undefined ? own : [policy.defaultRole]
  const roles = [...new Set([...base, ...ofChannel])].sort()
  const known = roles.flatMap(name => policy.roles.get(name) ?? [])
  if (known.length === 0) return undefined
  return {
    roles,
    grants: known.map(({ grant }) => grant),
    clickhouseRoles: [...new Set(known.flatMap(({ clickhouseRole }) => clickhouseRole ?? []))],
    mayPublish: known.some(({ mayPublish }) => mayPublish),
  }
}

/** The rules of a workspace; undefined for one that the file does not list. */
export function rulesOf(policy: AccessPolicy, platform: string, workspace: string): WorkspaceRules | undefined {
  return policy.workspaces.find(rules => rules.platform === platform && rules.workspace === workspace)
}

/** Short, and the same for the same rules only. */
export function policyKey({ defaultRole, roles, workspaces }: AccessPolicy): string {
  const each = workspaces.map(rules => [
    rules.platform,
    rules.workspace,
    [...rules.users],
    [...rules.groups],
    [...rules.channels],
  ])
  const text = JSON.stringify([defaultRole ?? null, [...roles], each])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
