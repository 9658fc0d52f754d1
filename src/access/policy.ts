import { createHash } from 'node:crypto'
import type { RunAccess } from './run-access.ts'
import type { TableGrant } from './table-grant.ts'

/** The operator's `access.yaml` after all checks. */
export interface AccessPolicy {
  /** The role of people who have no other role. Undefined: Clew refuses to answer them. */
  readonly defaultRole: string | undefined
  readonly roles: ReadonlyMap<string, AccessRole>
  readonly workspaces: readonly WorkspaceRules[]
  /** All tables of all sources that there are. */
  readonly everything: readonly TableGrant[]
}

export interface AccessRole {
  readonly grant: TableGrant
  /** The server role for the queries of people with this role. In one file, either every role has one or none has. */
  readonly clickhouseRole: string | undefined
  /** The server roles of other sources than the default one, as `crm/reader_eu`. */
  readonly serverRoles?: readonly string[]
  /** Whether people with this role may share their private answers with the channel. */
  readonly mayPublish: boolean
  /** Whether people with this role may see everybody's runs and the state of the processes in the console. */
  readonly mayOperate?: boolean
  /** Whether people with this role may accept, edit and decline definitions in the console. */
  readonly mayDefine?: boolean
}

/** The roles of a workspace's people, groups and channels, by their ids. */
export interface WorkspaceRules {
  readonly platform: string
  readonly workspace: string
  readonly users: ReadonlyMap<string, readonly string[]>
  readonly groups: ReadonlyMap<string, readonly string[]>
  readonly channels: ReadonlyMap<string, readonly string[]>
}

export interface Access extends RunAccess {
  readonly roles: readonly string[]
  readonly mayPublish: boolean
}

export interface Person {
  readonly user: string
  /** The person's groups. Groups that the rules do not name are left out. */
  readonly groups: readonly string[]
  readonly channel?: string
}

/** Returns two lists: a person's own roles in a workspace, and the roles of the channel in which the person asks. */
export function rolesIn(rules: WorkspaceRules | undefined, { user, groups, channel }: Person) {
  const own = [rules?.users.get(user) ?? [], ...groups.map(group => rules?.groups.get(group) ?? [])].flat()
  const ofChannel = channel === undefined ? [] : (rules?.channels.get(channel) ?? [])
  return { own, ofChannel }
}

/**
 * Adds up the rights of several roles. A person without own roles has the default role. The channel's roles are always added.
 * @returns undefined if there is no role at all
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
    clickhouseRoles: [
      ...new Set(known.flatMap(({ clickhouseRole, serverRoles = [] }) => [clickhouseRole ?? [], serverRoles].flat())),
    ],
    mayPublish: known.some(({ mayPublish }) => mayPublish),
  }
}

/** Returns the rights of one role. Undefined if there is no role of this name. */
export function accessOfRole(policy: AccessPolicy, name: string): Access | undefined {
  return policy.roles.has(name) ? accessOf(policy, { own: [name], ofChannel: [] }) : undefined
}

/** Returns what people with these roles may do in the console. */
export function consoleRightsOf(policy: AccessPolicy, roles: readonly string[]) {
  const held = roles.flatMap(name => policy.roles.get(name) ?? [])
  return { operate: held.some(({ mayOperate = false }) => mayOperate), define: held.some(({ mayDefine = false }) => mayDefine) }
}

/**
 * Finds the rules of a workspace.
 * @returns undefined if the file does not list the workspace
 */
export function rulesOf(policy: AccessPolicy, platform: string, workspace: string): WorkspaceRules | undefined {
  return policy.workspaces.find(rules => rules.platform === platform && rules.workspace === workspace)
}

/** Returns a short digest of the rules. It changes when the rules change. */
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
