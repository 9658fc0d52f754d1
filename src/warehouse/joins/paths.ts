import { JOIN_LIMITS } from '../limits.ts'
import type { TableSchema, ValueOverlap } from '../schema.ts'
import { type JoinCandidate, joinCandidates } from './candidates.ts'
import { isUnique } from './is-unique.ts'
import { ownKey } from './join-index.ts'
import { singularWords } from './key-names.ts'

/**
 * A way to join two tables. A `reference` leads from many rows to one. A `shared` identifier, such as `trace_id`, leads from many
 * rows to many.
 */
export interface JoinPath {
  readonly columns: readonly string[]
  readonly to: TableSchema
  readonly toColumns: readonly string[]
  readonly kind: 'reference' | 'shared'
  /** The share of the compared values that also occur in the joined table. Null if no values were compared. */
  readonly found: number | null
  /** True if at least 90 percent of the compared values occur in the joined table, and each occurs there only once. */
  readonly isSure: boolean
}

interface Weighed extends JoinPath {
  readonly from: TableSchema
  readonly basis: JoinCandidate<TableSchema>['basis']
}

/**
 * At least this share of the compared values must occur in the other table. The weaker the evidence for a join, the higher the
 * share must be.
 */
const LEAST_FOUND = { declared: 0, comment: 0.2, name: 0.5, likely: 0.8, shared: 0.9 } as const
const BASES = ['declared', 'comment', 'name', 'likely', 'shared'] as const

/**
 * Finds the best join of each column, from names, comments and statistics. Uses only the given tables. So if an asker is allowed
 * to see only some tables, the joins reveal no others.
 */
export function joinPaths(tables: readonly TableSchema[]): ReadonlyMap<TableSchema, readonly JoinPath[]> {
  const weighed = joinCandidates(tables).flatMap(candidate => weigh(candidate) ?? [])
  const best = new Map<TableSchema, Map<string, Weighed>>()
  for (const path of weighed) {
    const ofTable = best.get(path.from) ?? new Map<string, Weighed>()
    best.set(path.from, ofTable)
    const key = path.columns.join('\0')
    const before = ofTable.get(key)
    if (before === undefined || isBetter(path, before)) ofTable.set(key, path)
  }
  return new Map(
    [...best].map(([table, paths]) => {
      const own = [...paths.values()]
      return [table, own.filter(path => !isReversed(path, best) && !isTold(path, own))]
    }),
  )
}

function weigh(candidate: JoinCandidate<TableSchema>): Weighed | undefined {
  const { basis, from, to, columns, toColumns } = candidate
  if (basis === 'declared') return { ...candidate, found: 1, kind: 'reference', isSure: true }
  const overlap = from.overlaps?.find(each => isOf(each, candidate))
  const found = overlap === undefined || overlap.values === 0 ? null : overlap.found / overlap.values
  const isEach = isUnique(to, toColumns)
  const path = { ...candidate, found }
  if (found !== null && (found < LEAST_FOUND[basis] || (basis === 'likely' && (overlap?.values ?? 0) < JOIN_LIMITS.values)))
    return undefined
  if (basis === 'shared' || isEach === false) {
    const isShared = basis === 'shared' || basis === 'comment'
    const isMany = (overlap?.values ?? 0) >= JOIN_LIMITS.identifiers && isUnique(from, columns) === false && isEach === false
    return isShared && isMany && columns.length === 1 ? { ...path, kind: 'shared', isSure: false } : undefined
  }
  // A join over several columns is dropped if one of its columns alone identifies the rows: a join over that column is simpler.
  if (toColumns.length > 1 && (isEach !== true || toColumns.some(name => isUnique(to, [name]) === true))) return undefined
  const isWeak = basis === 'likely' || (isNameOf(toColumns) && ownKey(to)?.name !== toColumns[0])
  if (found === null && isWeak) return undefined
  return { ...path, kind: 'reference', isSure: found !== null && found >= JOIN_LIMITS.sureShare && isEach === true }
}

function isOf({ columns, table, tableColumns }: ValueOverlap, candidate: JoinCandidate<TableSchema>): boolean {
  const { to } = candidate
  const isSame = (left: readonly string[], right: readonly string[]) => left.join('\0') === right.join('\0')
  return (
    table.name === to.name &&
    table.database === to.database &&
    isSame(columns, candidate.columns) &&
    isSame(tableColumns, candidate.toColumns)
  )
}

function isBetter(path: Weighed, before: Weighed): boolean {
  if (path.isSure !== before.isSure) return path.isSure
  const [basis, basisBefore] = [BASES.indexOf(path.basis), BASES.indexOf(before.basis)]
  return basis === basisBefore ? (path.found ?? 0) > (before.found ?? 0) : basis < basisBefore
}

/**
 * Whether a path must be dropped because the opposite path is kept. Two keys may refer to each other; only the direction from the
 * key with fewer values is kept.
 */
function isReversed(path: Weighed, best: ReadonlyMap<TableSchema, ReadonlyMap<string, Weighed>>): boolean {
  const back = best.get(path.to)?.get(path.toColumns.join('\0'))
  if (back?.to !== path.from || back.toColumns.join('\0') !== path.columns.join('\0')) return false
  if (back.found !== path.found) return (back.found ?? 0) > (path.found ?? 0)
  return isBetter(back, path) || (path.from.rows ?? 0) < (path.to.rows ?? 0)
}

/** Whether a path is superfluous: it joins on a table's name column, although another path joins on the same table's key. */
function isTold(path: Weighed, own: readonly Weighed[]): boolean {
  return isNameOf(path.toColumns) && own.some(other => other.to === path.to && !isNameOf(other.toColumns))
}

function isNameOf(columns: readonly string[]): boolean {
  return columns.every(name => singularWords(name).at(-1) === 'name')
}
