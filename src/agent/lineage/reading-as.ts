import type { RunAccess } from '../../access/run-access.ts'
import { serverRolesOf } from '../../access/source-rights.ts'
import type { LineageDeps } from './context.ts'

/** Pipelines belong to the default source. */
const PIPELINES_SOURCE = { id: '', isDefault: true }

/** Returns a warehouse that reads with the asker's server roles, if there are any. */
export function readingAs(warehouse: LineageDeps['warehouse'], access: RunAccess | undefined): LineageDeps['warehouse'] {
  const roles = access === undefined ? [] : serverRolesOf(PIPELINES_SOURCE, access)
  return roles.length === 0 ? warehouse : { read: (query, signal) => warehouse.read({ ...query, roles }, signal) }
}
