import { z } from 'zod'
import type { Report } from '../base/check.ts'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { embeddedDirectory, openUncheckedWarehouse } from '../clickhouse/open-warehouse.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { nearNames } from '../warehouse/near-names.ts'
import { readRows } from '../warehouse/read-rows.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { ACCESS_LIMITS } from './limits.ts'
import type { PeopleDirectory } from './people-directory.ts'
import type { PlatformIds } from './platform-ids.ts'
import type { AccessPolicy } from './policy.ts'
import { readAccessFile } from './read-access-file.ts'
import type { SourceRights } from './source-rights.ts'
import { fitsTable, isGranted, partsOf } from './table-grant.ts'

export interface AccessCheckOptions {
  /** The path in the variable CLEW_ACCESS_FILE. Undefined: there are no access rules. */
  readonly file: string | undefined
  readonly platforms: readonly PlatformIds[]
  /** The data sources of CLEW_SOURCES_FILE. Only the default one is compared with the server. */
  readonly sources: readonly SourceRights[] | undefined
  /**
   * The values of the variables CLICKHOUSE_URL and CLICKHOUSE_DATABASE. Without a URL, the rules are not compared with the
   * server.
   */
  readonly url: string | undefined
  readonly databases: readonly string[]
  readonly maxBytes: number
  /** Functions that look up people and groups, by the name of their platform. */
  readonly people: Readonly<Record<string, PeopleDirectory>>
  readonly logger: Logger
}

const tableRow = z.object({ database: z.string(), name: z.string() })
type Table = z.infer<typeof tableRow>

/**
 * Compares the access rules with the warehouse's tables, the server's roles and the platforms' groups.
 * @throws ConfigurationError
 */
export async function checkAccess(options: AccessCheckOptions, report: Report, signal: AbortSignal): Promise<void> {
  if (options.file === undefined) {
    const advice = 'Set CLEW_ACCESS_FILE to a file like access.example.yaml to have roles; docs/access.md tells how.'
    const found = 'whoever can write to Clew may ask about everything'
    report({ check: 'rules', state: 'not_configured', found, advice })
    return
  }
  const policy = await readAccessFile(options.file, options.platforms, options.sources)
  const others =
    policy.defaultRole === undefined ? 'people without one are refused' : `people without one have ${policy.defaultRole}`
  const [roles, workspaces] = [policy.roles.size, policy.workspaces.length]
  report({
    check: 'rules',
    state: 'ok',
    found: `${roles} ${roles === 1 ? 'role' : 'roles'}, ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}; ${others}`,
  })
  await checkGroups(policy, options.people, report, signal)
  if (options.url === undefined) return
  const connection = {
    ...options,
    url: options.url,
    database: options.databases[0] ?? 'default',
    timeoutMs: ACCESS_LIMITS.checkMs,
  }
  const warehouse = await openUncheckedWarehouse(connection, signal)
  try {
    const tables = await visibleTables(warehouse, options.databases, [], signal)
    checkPatterns(policy, tables, report)
    const isEmbedded = embeddedDirectory(options.url) !== undefined
    for (const name of policy.roles.keys())
      await checkServerRole(policy, name, { warehouse, tables, isEmbedded, ...options }, report, signal)
  } finally {
    await warehouse.close()
  }
}

/**
 * Lists the tables that the given server roles may read. Without roles, lists those that the warehouse's reading user may read.
 * The server shows only readable tables in `system.tables`, so its rows are the answer.
 */
async function visibleTables(
  warehouse: Warehouse,
  databases: readonly string[],
  roles: readonly string[],
  signal: AbortSignal,
): Promise<readonly Table[]> {
  const sql = 'SELECT database, name FROM system.tables WHERE database IN {databases:Array(String)} AND NOT is_temporary'
  const query = { sql, parameters: { databases }, database: 'system', ...(roles.length === 0 ? {} : { roles }) }
  return readRows(warehouse, query, tableRow, signal)
}

/**
 * Reports patterns that match no table, because they may be misspelt. A misspelt grant does not give access to its table. A
 * misspelt exception leaves its table readable.
 */
function checkPatterns({ roles }: AccessPolicy, tables: readonly Table[], report: Report): void {
  const idle = [...roles].flatMap(([name, { grant }]) =>
    [...grant.tables, ...grant.except]
      .filter(isOfDefaultSource)
      .filter(pattern => !tables.some(table => fitsTable(pattern, table)))
      .map(pattern => `${name}: ${pattern}`),
  )
  if (idle.length === 0) {
    report({ check: 'tables', state: 'ok', found: 'each pattern fits a table' })
    return
  }
  const near = idle.flatMap(line =>
    nearNames(
      line.slice(line.lastIndexOf('.') + 1),
      tables.map(({ name }) => name),
    ),
  )
  const meant = near.length === 0 ? '' : ` Did you mean ${[...new Set(near)].slice(0, ACCESS_LIMITS.namedInCheck).join(' or ')}?`
  const advice = `Correct them, or leave them for tables to come; CLICKHOUSE_DATABASE must name their databases.${meant}`
  report({ check: 'tables', state: 'warning', found: `no table fits ${some(idle)}`, advice })
}

/**
 * Checks that the server role exists, belongs to the warehouse's reading user, and has exactly the rights that the rules grant.
 * With fewer rights, queries fail. With more rights, only the SQL guard protects the other tables.
 */
async function checkServerRole(
  { roles }: AccessPolicy,
  name: string,
  given: {
    readonly warehouse: Warehouse
    readonly tables: readonly Table[]
    readonly databases: readonly string[]
    readonly isEmbedded: boolean
  },
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const role = roles.get(name)
  if (role?.clickhouseRole === undefined) return
  const { clickhouseRole, grant } = role
  const check = `role ${name}`
  let own: readonly Table[]
  try {
    own = await visibleTables(given.warehouse, given.databases, [clickhouseRole], signal)
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error
    const advice = given.isEmbedded
      ? 'The embedded engine knows no roles: leave clickhouse_role out. The SQL guard keeps to the rules without them.'
      : `Apply deploy/clickhouse/scope-role.sql for it: CREATE ROLE ${clickhouseRole}; GRANT SELECT …; GRANT ${clickhouseRole} TO the user of CLICKHOUSE_URL.`
    report({ check, state: 'failed', found: `reads with ${clickhouseRole} fail: ${error.message}`, advice })
    return
  }
  const has = new Set(own.map(nameOf))
  const missing = given.tables.filter(table => isGranted([grant], table) && !has.has(nameOf(table))).map(nameOf)
  const excess = own.filter(table => !isGranted([grant], table)).map(nameOf)
  if (missing.length > 0) {
    const advice = `Grant it what is missing, or take it out of ${name}: its questions will be denied.`
    report({ check, state: 'warning', found: `${clickhouseRole} may not read ${some(missing)}`, advice })
  }
  if (excess.length > 0) {
    const advice = `Take it back (REVOKE SELECT ON … FROM ${clickhouseRole}), or only the SQL guard stands before it.`
    report({ check, state: 'warning', found: `${clickhouseRole} may also read ${some(excess)}`, advice })
  }
  if (missing.length + excess.length === 0) report({ check, state: 'ok', found: `${clickhouseRole} may read what the rules say` })
}

/** Checks that each group in the rules has members. Skips platforms that do not list a group's members. */
async function checkGroups(
  { workspaces }: AccessPolicy,
  people: AccessCheckOptions['people'],
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  for (const rules of workspaces) {
    const groups = people[rules.platform]?.groups
    if (groups?.by !== 'group' || rules.groups.size === 0) continue
    const check = `groups of ${rules.platform}/${rules.workspace}`
    try {
      const members = await Promise.all(
        [...rules.groups.keys()].map(async id => ({ id, count: (await groups.membersOf(id, signal)).length })),
      )
      const empty = members.filter(({ count }) => count === 0).map(({ id }) => id)
      if (empty.length === 0) report({ check, state: 'ok', found: 'each has members' })
      else
        report({ check, state: 'warning', found: `nobody is in ${some(empty)}`, advice: 'Compare the ids; a group may be gone.' })
    } catch (error) {
      const advice = `Until it can be asked, people whose groups are not known are refused. ${groups.needs ?? ''}`.trim()
      report({ check, state: 'failed', found: `it does not say who is in them: ${errorMessage(error)}`, advice })
    }
  }
}

function isOfDefaultSource(pattern: string): boolean {
  return ['', '*'].includes(partsOf(pattern).source)
}

function nameOf({ database, name }: Table): string {
  return `${database}.${name}`
}

function some(names: readonly string[]): string {
  const more = names.length - ACCESS_LIMITS.namedInCheck
  return more > 0 ? `${names.slice(0, ACCESS_LIMITS.namedInCheck).join(', ')} and ${more} more` : names.join(', ')
}
