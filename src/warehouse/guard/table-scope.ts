import { REJECTION_LIMITS } from '../limits.ts'
import { nearNames } from '../near-names.ts'
import type { GuardScope } from '../sql-guard.ts'
import { lastPart } from '../table-names.ts'
import { type Rejection, rejection, shown } from './rejection.ts'

/** Returns the table of this name as `database.table` if the query is allowed to read it. Otherwise returns undefined. */
export function tableInScope(identifier: string, scope: GuardScope): string | undefined {
  const table = qualified(identifier, scope)
  return scope.tables.has(table) ? table : undefined
}

/**
 * Rejects a table that the query is not allowed to read. The message is the same whether or not the table exists, so it reveals
 * nothing about other tables. For a known view, it lists the allowed tables behind the view.
 */
export function outOfScope(identifier: string, scope: GuardScope, place: 'from' | 'in'): Rejection {
  const read = scope.views?.get(qualified(identifier, scope))?.map(table => shown(nameIn(scope, table))) ?? []
  if (read.length > 0) {
    const available = `${read.join(', ')}, which ${read.length === 1 ? 'is' : 'are'}`
    return rejection('out_of_scope', `View ${shown(identifier)} is not available; it reads ${available}.`)
  }
  const available = [...scope.tables].sort().map(table => nameIn(scope, table))
  const near = nearNames(lastPart(identifier), new Set([...scope.tables].map(lastPart)))
  const meant = available.filter(table => near.includes(lastPart(table)))
  const question = meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`
  const list =
    available.length === 0
      ? ' No tables are available.'
      : available.length <= REJECTION_LIMITS.maxListedTables
        ? ` Available: ${available.join(', ')}.`
        : ''
  const subject =
    place === 'from'
      ? `Table ${shown(identifier)} is not available`
      : `${shown(identifier)}, alone to the right of IN, is not an available table (a column is compared by = or, if it is an array, by has)`
  return {
    ...rejection('out_of_scope', `${subject}${question === '' ? '.' : question}${list}`),
    near: [...scope.tables].sort().filter(table => near.includes(lastPart(table))),
  }
}

/** Returns a table's name as a model writes it: without the database if that is the current one. */
export function nameIn(scope: GuardScope, table: string): string {
  return table.startsWith(`${scope.database}.`) ? table.slice(scope.database.length + 1) : table
}

function qualified(identifier: string, scope: GuardScope): string {
  return identifier.includes('.') ? identifier : `${scope.database}.${identifier}`
}
