import type { Mistake } from '../base/text/shape-mistakes.ts'
import { thereAre } from '../base/text/there-are.ts'
import { nearNames } from '../warehouse/near-names.ts'
import type { WrittenAccess } from './file-schema.ts'
import type { SourceRights } from './source-rights.ts'
import { partsOf } from './table-grant.ts'

/** The warehouse without CLEW_SOURCES_FILE. */
const ONLY_SOURCE: SourceRights = { id: '', isDefault: true }

type WrittenRole = WrittenAccess['roles'][string]

/**
 * Finds sources in `access.yaml` that do not exist, that the role may not use, or whose server roles are incomplete.
 * @param sources empty if there is only one source
 */
export function mistakesOfSources({ roles }: WrittenAccess, sources: readonly SourceRights[]): readonly Mistake[] {
  const each = Object.entries(roles).flatMap(([name, role]) => [
    ...mistakesOfTables(name, role, sources),
    ...mistakesOfServerRoles(name, role, sources),
  ])
  const all = sources.length > 0 ? sources : [ONLY_SOURCE]
  return [...each, ...all.flatMap(source => mistakesOfMissingRoles(roles, source))]
}

function mistakesOfTables(name: string, role: WrittenRole, sources: readonly SourceRights[]): readonly Mistake[] {
  return (['tables', 'except'] as const).flatMap(key =>
    role[key].flatMap((pattern, index) => {
      const { source: id } = partsOf(pattern)
      if (id === '' || id === '*') return []
      const path = ['roles', name, key, index]
      const source = sources.find(each => each.id === id)
      if (source === undefined) return [{ path, sentence: `names the source ${id}, ${unknownSource(id, sources)}` }]
      if (source.roles === undefined || source.roles.includes(name) || key === 'except') return []
      return [{ path, sentence: `names the source ${id}, whose roles in CLEW_SOURCES_FILE are ${source.roles.join(', ')}` }]
    }),
  )
}

function mistakesOfServerRoles(name: string, role: WrittenRole, sources: readonly SourceRights[]): readonly Mistake[] {
  return Object.keys(role.server_roles).flatMap(id => {
    const path = ['roles', name, 'server_roles', id]
    const source = sources.find(each => each.id === id)
    if (source === undefined) return [{ path, sentence: `is not a source, ${unknownSource(id, sources)}` }]
    return source.isDefault ? [{ path, sentence: 'is the default source: write its role as clickhouse_role' }] : []
  })
}

/**
 * Finds roles without a server role for a source where others have one. A query with a server role has only its rights, so a
 * person with both kinds of role could not read all granted tables.
 */
function mistakesOfMissingRoles(roles: WrittenAccess['roles'], { id, isDefault }: SourceRights): readonly Mistake[] {
  const isNamed = (source: string) => source === '*' || source === id || (isDefault && source === '')
  const reaching = Object.entries(roles).filter(([, { tables }]) => tables.some(pattern => isNamed(partsOf(pattern).source)))
  const without = reaching.filter(([, role]) => (isDefault ? role.clickhouse_role : role.server_roles[id]) === undefined)
  if (without.length === reaching.length) return []
  const missing = isDefault ? 'clickhouse_role' : `server role for ${id}`
  const sentence = `has no ${missing}, and others have one: give one to every role, or to none`
  return without.map(([name]) => ({ path: ['roles', name], sentence }))
}

function unknownSource(id: string, sources: readonly SourceRights[]): string {
  if (sources.length === 0) return 'but CLEW_SOURCES_FILE is not set'
  const ids = sources.map(source => source.id)
  const near = nearNames(id, ids)
  return `which CLEW_SOURCES_FILE does not have; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : thereAre(ids)}`
}
