import type { RunAccess } from './run-access.ts'
import { covers, exclude, partsOf, type TableGrant } from './table-grant.ts'

/** A data source, as the rights know it. */
export interface SourceRights {
  readonly id: string
  /** True for the source that names without a source mean. */
  readonly isDefault: boolean
  /** The roles that may use the source. Undefined: the tables of the roles alone decide. */
  readonly roles?: readonly string[]
}

/**
 * Returns the rights to one source, in its own terms: `crm/shop.*` becomes `shop.*`. Undefined means no limits, as in `access`.
 * @returns `forbidden` if the rights leave nothing of the source; then nothing may tell that it exists
 */
export function accessToSource(access: RunAccess | undefined, source: SourceRights): RunAccess | undefined | 'forbidden' {
  if (access === undefined) return undefined
  const grants = access.grants.flatMap((grant): readonly TableGrant[] => {
    const except = patternsOf(source, grant.except)
    const tables = patternsOf(source, grant.tables).filter(pattern => !except.some(left => covers(left, pattern)))
    return tables.length === 0 ? [] : [{ ...grant, tables, except }]
  })
  return grants.length === 0 ? 'forbidden' : { grants, clickhouseRoles: serverRolesOf(source, access) }
}

/** Returns the names of the server roles that reads of a source are sent with. */
export function serverRolesOf({ id, isDefault }: SourceRights, { clickhouseRoles }: RunAccess): readonly string[] {
  if (isDefault) return clickhouseRoles.filter(role => !role.includes('/'))
  return clickhouseRoles.flatMap(role => (role.startsWith(`${id}/`) ? [role.slice(id.length + 1)] : []))
}

/** Returns the name of a source's table in rights and records: `shop.orders` of the default source, `crm/shop.orders` of others. */
export function tableOfSource({ id, isDefault }: SourceRights, table: string): string {
  return isDefault ? table : `${id}/${table}`
}

/**
 * Applies the sources to a role's grant. Patterns that name the default source lose its name. Sources whose `roles` leave this
 * role out become exceptions.
 */
export function limitedToSources(grant: TableGrant, role: string, sources: readonly SourceRights[]): TableGrant {
  const standing = sources.find(({ isDefault }) => isDefault)?.id
  const plain = (pattern: string) => {
    const { source, database, name } = partsOf(pattern)
    return source === standing ? `${database}.${name}` : pattern
  }
  const tables = grant.tables.map(plain)
  const closed = sources
    .filter(({ roles }) => roles !== undefined && !roles.includes(role))
    .map(source => tableOfSource(source, '*.*'))
    .filter(all => tables.some(pattern => !exclude(all, pattern)))
  return { ...grant, tables, except: [...grant.except.map(plain), ...closed] }
}

/** Returns the patterns that may fit tables of a source, without its name. */
function patternsOf({ id, isDefault }: SourceRights, patterns: readonly string[]): readonly string[] {
  return patterns.flatMap(pattern => {
    const { source, database, name } = partsOf(pattern)
    return source === '*' || source === (isDefault ? '' : id) ? [`${database}.${name}`] : []
  })
}
