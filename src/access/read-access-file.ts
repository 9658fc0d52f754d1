import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '../base/errors.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import type { Mistake } from '../base/text/shape-mistakes.ts'
import { thereAre } from '../base/text/there-are.ts'
import { nearNames } from '../warehouse/near-names.ts'
import { accessFileSchema, type WrittenAccess, type WrittenWorkspace } from './file-schema.ts'
import { ACCESS_LIMITS } from './limits.ts'
import type { PlatformIds } from './platform-ids.ts'
import type { AccessPolicy, AccessRole, WorkspaceRules } from './policy.ts'
import { mistakesOfSources } from './source-mistakes.ts'
import { limitedToSources, type SourceRights } from './source-rights.ts'
import { EVERYTHING, EVERYTHING_OF_ALL } from './table-grant.ts'

type Path = readonly PropertyKey[]

/**
 * Reads the operator's `access.yaml`.
 * @throws ConfigurationError that lists each mistake with its line and a remedy
 */
export async function readAccessFile(
  path: string,
  platforms: readonly PlatformIds[],
  sources: readonly SourceRights[] = [],
): Promise<AccessPolicy> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`CLEW_ACCESS_FILE is ${path}, which cannot be read.`, { cause: error })
  }
  return parseAccess(text, path, platforms, sources)
}

/**
 * Parses the text of `access.yaml`. Refuses YAML aliases (`*name`), because they can expand without limit.
 * @param name the file's name, for messages
 * @param platforms the platforms that the file may name
 * @param sources the data sources that the file may name; empty if there is only one
 */
export function parseAccess(
  text: string,
  name: string,
  platforms: readonly PlatformIds[],
  sources: readonly SourceRights[] = [],
): AccessPolicy {
  const fail = (mistakes: readonly string[]) => {
    const more = mistakes.length > ACCESS_LIMITS.toldMistakes ? [`and ${mistakes.length - ACCESS_LIMITS.toldMistakes} more`] : []
    return new ConfigurationError(
      `${name} is wrong:\n${[...mistakes.slice(0, ACCESS_LIMITS.toldMistakes), ...more].map(line => `- ${line}`).join('\n')}\ndocs/access.md tells what belongs into it.`,
    )
  }
  const names = platforms.map(platform => platform.name)
  const read = readYaml(text, accessFileSchema(names), {
    isTextOnly: true,
    noAliases: 'a table that begins with * must be quoted: "*.*"',
  })
  if (!read.ok) throw fail(read.mistakes)
  const mistakes = [...mistakesIn(read.value, platforms), ...mistakesOfSources(read.value, sources)]
  if (mistakes.length > 0) throw fail(mistakes.map(read.placed))
  checkRolesOfSources(sources, Object.keys(read.value.roles), name)
  return policyOf(read.value, sources)
}

/** @throws ConfigurationError if a source is limited to a role that does not exist */
function checkRolesOfSources(sources: readonly SourceRights[], known: readonly string[], name: string): void {
  for (const { id, roles = [] } of sources) {
    const unknown = roles.find(role => !known.includes(role))
    if (unknown === undefined) continue
    const near = nearNames(unknown, known)
    const meant = near.length > 0 ? `. Did you mean ${near.join(' or ')}?` : `: ${thereAre(known)}.`
    throw new ConfigurationError(
      `CLEW_SOURCES_FILE limits the source ${id} to the role ${JSON.stringify(unknown)}, which ${name} does not have${meant}`,
    )
  }
}

/** Finds mistakes that the schema cannot find: names that do not exist, and malformed ids. */
function mistakesIn(written: WrittenAccess, platforms: readonly PlatformIds[]): readonly Mistake[] {
  const names = Object.keys(written.roles)
  const known = new Set(names)
  const unknown = (name: string, path: Path): readonly Mistake[] => {
    if (known.has(name)) return []
    const near = nearNames(name, names)
    const meant = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `${thereAre(names)}.`
    return [{ path, sentence: `gives the role ${JSON.stringify(name)}, which is not under roles; ${meant}` }]
  }
  const seen = new Set<string>()
  const ofWorkspaces = written.workspaces.flatMap((rules, index) => {
    const path = ['workspaces', index]
    const id = `${rules.platform}/${rules.workspace}`
    const twice = seen.has(id) ? [{ path, sentence: `is ${id} once more: put both together` }] : []
    seen.add(id)
    return [
      ...twice,
      ...mistakesOfIds(rules, path, platforms),
      ...KINDS.flatMap(kind => unknownRoles(rules, kind, path, unknown)),
    ]
  })
  const ofDefault = written.default === undefined ? [] : unknown(written.default, ['default'])
  return [...ofDefault, ...mistakesOfOwnRows(written), ...ofWorkspaces]
}

const KINDS = ['users', 'groups', 'channels'] as const

function unknownRoles(
  rules: WrittenWorkspace,
  kind: (typeof KINDS)[number],
  path: Path,
  unknown: (name: string, path: Path) => readonly Mistake[],
): readonly Mistake[] {
  return Object.entries(rules[kind]).flatMap(([id, roles]) => roles.flatMap(role => unknown(role, [...path, kind, id])))
}

function mistakesOfOwnRows({ roles }: WrittenAccess): readonly Mistake[] {
  return Object.entries(roles).flatMap(([name, { own_rows: hasOwnRows, clickhouse_role: own, server_roles: others }]) =>
    hasOwnRows && own === undefined && Object.keys(others).length === 0
      ? [
          {
            path: ['roles', name, 'own_rows'],
            sentence: 'needs a clickhouse_role or server_roles, whose row policies it stands for',
          },
        ]
      : [],
  )
}

function mistakesOfIds(rules: WrittenWorkspace, path: Path, platforms: readonly PlatformIds[]): readonly Mistake[] {
  const ids = platforms.find(({ name }) => name === rules.platform)?.ids
  if (ids === undefined) return []
  const own = ids.workspace.pattern.test(rules.workspace)
    ? []
    : [{ path: [...path, 'workspace'], sentence: `is not an id of ${rules.platform}: it must be ${ids.workspace.form}` }]
  const others = KINDS.flatMap(kind =>
    Object.keys(rules[kind])
      .filter(id => !ids[kind].pattern.test(id))
      .map(id => ({ path: [...path, kind, id], sentence: `is not an id of ${rules.platform}: it must be ${ids[kind].form}` })),
  )
  return [...own, ...others]
}

function policyOf({ default: defaultRole, roles, workspaces }: WrittenAccess, sources: readonly SourceRights[]): AccessPolicy {
  return {
    defaultRole,
    roles: new Map(Object.entries(roles).map(([name, role]) => [name, roleOf(name, role, sources)])),
    workspaces: workspaces.map(({ platform, workspace, users, groups, channels }): WorkspaceRules => {
      const [byUser, byGroup, byChannel] = [users, groups, channels].map(each => new Map(Object.entries(each)))
      return { platform, workspace, users: byUser ?? new Map(), groups: byGroup ?? new Map(), channels: byChannel ?? new Map() }
    }),
    everything: sources.length > 1 ? EVERYTHING_OF_ALL : EVERYTHING,
  }
}

function roleOf(name: string, role: WrittenAccess['roles'][string], sources: readonly SourceRights[]): AccessRole {
  const { tables, except, clickhouse_role: clickhouseRole, own_rows: hasOwnRows, publish: mayPublish } = role
  const serverRoles = Object.entries(role.server_roles).map(([source, serverRole]) => `${source}/${serverRole}`)
  // Rows are compared as a whole. So people see the same rows only if all their server roles are the same.
  const rows = hasOwnRows ? { rows: [clickhouseRole ?? [], serverRoles].flat().sort().join(' ') } : {}
  const grant = limitedToSources({ tables, except, ...rows }, name, sources)
  return {
    grant,
    clickhouseRole,
    mayPublish,
    ...(role.operate && { mayOperate: true }),
    ...(role.define && { mayDefine: true }),
    ...(serverRoles.length > 0 && { serverRoles }),
  }
}
