import type { NarrowedSchema } from '../../access/narrow-schema.ts'
import type { RunAccess } from '../../access/run-access.ts'
import { accessToSource } from '../../access/source-rights.ts'
import { type DomainPack, NO_DOMAIN } from '../../domain/pack.ts'
import type { OpenedSource } from '../../sources/source.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { narrowedDeps, wholeDeps } from '../narrowed-deps.ts'
import type { RunSource } from '../run/context.ts'

/**
 * Returns the sources that the asker may use, each with the parts that read it with the asker's rights.
 * @param access undefined: no limits
 */
export function runSources(
  sources: readonly OpenedSource[],
  domain: DomainPack,
  access: RunAccess | undefined,
  narrowSchema: (whole: Schema, access: RunAccess) => Promise<NarrowedSchema>,
): readonly RunSource[] {
  return sources.flatMap(source => {
    const { config, guard } = source
    const own = accessToSource(access, config)
    if (own === 'forbidden') return []
    // The operator's definitions are written for the default source.
    const deps = { ...source, domain: config.isDefault ? domain : NO_DOMAIN }
    const data = own === undefined ? wholeDeps(deps) : narrowedDeps(deps, own, narrowSchema)
    return [{ config, parts: { ...data, guard, databases: config.databases, dialect: config.kind } }]
  })
}
