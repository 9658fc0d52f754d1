import { readFile } from 'node:fs/promises'
import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { core } from 'zod'
import { nearNames } from '../clickhouse/near-names.ts'
import { ConfigurationError } from '../errors.ts'
import { accessFileSchema, type WrittenAccess, type WrittenWorkspace } from './access-file-schema.ts'
import type { AccessPolicy, WorkspaceRules } from './access-policy.ts'

type Path = readonly PropertyKey[]

/** One thing that is wrong, where it stands. */
interface Mistake {
  readonly path: Path
  readonly sentence: string
}

/** More than these are told once those are mended. */
const MOST_TOLD = 20

/** The operator's `access.yaml`. @throws ConfigurationError that names every mistake with its line, and the way out */
export async function readAccessFile(path: string): Promise<AccessPolicy> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`CLEW_ACCESS_FILE is ${path}, which cannot be read.`, { cause: error })
  }
  return parseAccess(text, path)
}

/** @param name of the file, for what is said about it */
export function parseAccess(text: string, name: string): AccessPolicy {
  const lines = new LineCounter()
  // `failsafe`: every value is the text that stands there. An id of Discord's would lose its last digits as a number.
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, uniqueKeys: true, prettyErrors: false })
  const placed = (offset: number, sentence: string) => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}: ${sentence}`
  }
  const fail = (mistakes: readonly string[]) => {
    const more = mistakes.length > MOST_TOLD ? [`and ${mistakes.length - MOST_TOLD} more`] : []
    return new ConfigurationError(
      `${name} is wrong:\n${[...mistakes.slice(0, MOST_TOLD), ...more].map(line => `- ${line}`).join('\n')}\ndocs/access.md tells what belongs into it.`,
    )
  }
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) throw fail(faults.map(fault => placed(fault.pos[0], yamlFault(fault.code, fault.message))))
  const aliases = offsetsOfAliases(document)
  if (aliases.length > 0) throw fail(aliases.map(offset => placed(offset, 'a table that begins with * must be quoted: "*.*"')))
  const inPlace = ({ path, sentence }: Mistake) => placed(offsetOf(document, path), `${pathText(path)} ${sentence}`)

  const parsed = accessFileSchema.safeParse(document.toJS())
  if (!parsed.success) throw fail(parsed.error.issues.flatMap(mistakesOf).map(inPlace))
  const mistakes = mistakesIn(parsed.data)
  if (mistakes.length > 0) throw fail(mistakes.map(inPlace))
  return policyOf(parsed.data)
}

/** Unquoted, what begins with * is a reference to another place of the file. There are none here: they can be made to explode. */
function offsetsOfAliases(document: Document): readonly number[] {
  const offsets: number[] = []
  visit(document, { Alias: (_, alias) => void offsets.push(alias.range?.[0] ?? 0) })
  return offsets
}

function yamlFault(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'stands twice in one list: put it together'
  return message.replace(/\s+/g, ' ')
}

function mistakesOf(issue: core.$ZodIssue): readonly Mistake[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({ path: [...issue.path, key], sentence: 'is no word of this file' }))
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path: issue.path, sentence: message }))
  return [{ path: issue.path, sentence: issue.message }]
}

/** What zod cannot see: names that refer to each other, and ids. */
function mistakesIn(written: WrittenAccess): readonly Mistake[] {
  const names = Object.keys(written.roles)
  const known = new Set(names)
  const unknown = (name: string, path: Path): readonly Mistake[] => {
    if (known.has(name)) return []
    const near = nearNames(name, names)
    const meant = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${names.join(', ') || 'none'}.`
    return [{ path, sentence: `gives the role ${JSON.stringify(name)}, which is not under roles; ${meant}` }]
  }
  const seen = new Set<string>()
  const ofWorkspaces = written.workspaces.flatMap((rules, index) => {
    const path = ['workspaces', index]
    const id = `${rules.platform}/${rules.workspace}`
    const twice = seen.has(id) ? [{ path, sentence: `is ${id} once more: put both together` }] : []
    seen.add(id)
    return [...twice, ...mistakesOfIds(rules, path), ...KINDS.flatMap(kind => unknownRoles(rules, kind, path, unknown))]
  })
  const ofDefault = written.default === undefined ? [] : unknown(written.default, ['default'])
  return [...ofDefault, ...mistakesOfServerRoles(written), ...ofWorkspaces]
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

/** With a server's role only its rights count: a role without one could read nothing of its own beside one that has one. */
function mistakesOfServerRoles({ roles }: WrittenAccess): readonly Mistake[] {
  const rowless = Object.entries(roles).filter(([, role]) => role.own_rows && role.clickhouse_role === undefined)
  const ownRows = rowless.map(([name]) => ({
    path: ['roles', name, 'own_rows'],
    sentence: 'needs a clickhouse_role, whose row policies it stands for',
  }))
  const without = Object.entries(roles).filter(([, role]) => role.clickhouse_role === undefined)
  if (without.length === 0 || without.length === Object.keys(roles).length) return ownRows
  const withoutRole = without.map(([name]) => ({
    path: ['roles', name],
    sentence: 'has no clickhouse_role, and others have one: give one to every role, or to none',
  }))
  return [...ownRows, ...withoutRole]
}

const DISCORD_ID = { pattern: /^\d{17,20}$/, form: 'a number of 17 to 20 digits (Developer Mode → Copy ID)' }
const IDS = {
  slack: {
    workspace: { pattern: /^[TE][A-Z0-9]{2,}$/, form: 'T and capitals (the first part of a workspace’s web address)' },
    users: { pattern: /^[UW][A-Z0-9]{2,}$/, form: 'U or W and capitals (profile → ⋮ → Copy member ID)' },
    groups: { pattern: /^S[A-Z0-9]{2,}$/, form: 'S and capitals (People → User groups → ⋮ → Copy group ID)' },
    channels: { pattern: /^[CG][A-Z0-9]{2,}$/, form: 'C or G and capitals (at the end of the channel’s details)' },
  },
  discord: { workspace: DISCORD_ID, users: DISCORD_ID, groups: DISCORD_ID, channels: DISCORD_ID },
} as const

function mistakesOfIds(rules: WrittenWorkspace, path: Path): readonly Mistake[] {
  const ids = IDS[rules.platform]
  const own = ids.workspace.pattern.test(rules.workspace)
    ? []
    : [{ path: [...path, 'workspace'], sentence: `is no id of ${rules.platform}: it must be ${ids.workspace.form}` }]
  const others = KINDS.flatMap(kind =>
    Object.keys(rules[kind])
      .filter(id => !ids[kind].pattern.test(id))
      .map(id => ({ path: [...path, kind, id], sentence: `is no id of ${rules.platform}: it must be ${ids[kind].form}` })),
  )
  return [...own, ...others]
}

function policyOf({ default: defaultRole, roles, workspaces }: WrittenAccess): AccessPolicy {
  const known = Object.entries(roles).map(
    ([name, { tables, except, clickhouse_role: clickhouseRole, own_rows: hasOwnRows, publish }]) => {
      const rows = hasOwnRows && clickhouseRole !== undefined ? { rows: clickhouseRole } : {}
      return [name, { grant: { tables, except, ...rows }, clickhouseRole, mayPublish: publish }] as const
    },
  )
  return {
    defaultRole,
    roles: new Map(known),
    workspaces: workspaces.map(({ platform, workspace, users, groups, channels }): WorkspaceRules => {
      const [byUser, byGroup, byChannel] = [users, groups, channels].map(each => new Map(Object.entries(each)))
      return { platform, workspace, users: byUser ?? new Map(), groups: byGroup ?? new Map(), channels: byChannel ?? new Map() }
    }),
  }
}

/** Where the last part of a path stands: the key of a mapping, the item of a list; as far as the path leads. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents
  let offset = 0
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === String(part))
      if (pair === undefined) break
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(part)]
      if (isNode(node)) offset = node.range?.[0] ?? offset
    } else break
  }
  return offset
}

/** `workspaces[0].users.U01` */
function pathText(path: Path): string {
  if (path.length === 0) return 'the file'
  return path
    .map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
