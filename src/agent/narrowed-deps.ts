import type { NarrowedSchema } from '../access/narrow-schema.ts'
import { narrowValidator, narrowWarehouse } from '../access/narrow-warehouse.ts'
import type { RunAccess } from '../access/run-access.ts'
import { accessToSource } from '../access/source-rights.ts'
import { memoizePerObject } from '../base/memoize.ts'
import { type DomainPack, NO_DOMAIN } from '../domain/pack.ts'
import type { OpenedSource } from '../sources/source.ts'
import type { QueryValidator } from '../warehouse/query-validator.ts'
import type { Schema } from '../warehouse/schema.ts'
import { type SchemaSource, withSchemas } from '../warehouse/schema-source.ts'
import type { RunContext, RunSource } from './run/context.ts'

/** The parts that give access to all of the operator's data. A run gets only the share that its asker may see. */
export interface DataDeps {
  readonly warehouse: RunContext['warehouse']
  /** Returns a validator for a run's warehouse, which reads with the asker's roles. */
  readonly validatorOn: (warehouse: RunContext['warehouse']) => QueryValidator
  readonly schemaSource: SchemaSource
  readonly domain: DomainPack
}

/** The parts of a run that depend on the asker's rights. */
export type DataParts = Pick<RunContext, 'warehouse' | 'validator' | 'schemaSource' | 'domain'>

type NarrowSchema = (whole: Schema, access: RunAccess) => Promise<NarrowedSchema>

/**
 * Returns these parts with the asker's rights. The run gets no others, so no step can exceed the limits.
 * @param access undefined: the asker may read everything
 */
export function dataParts(deps: DataDeps, access: RunAccess | undefined, narrowSchema: NarrowSchema): DataParts {
  return access === undefined ? wholeParts(deps) : narrowedParts(deps, access, narrowSchema)
}

/**
 * Returns the sources that the asker may use, each with the parts that read it with the asker's rights.
 * @param domain the operator's definitions, which are written for the default source
 * @param access undefined: no limits
 */
export function runSources(
  sources: readonly OpenedSource[],
  domain: DomainPack,
  access: RunAccess | undefined,
  narrowSchema: NarrowSchema,
): readonly RunSource[] {
  return sources.flatMap(source => {
    const { config, guard } = source
    const own = accessToSource(access, config)
    if (own === 'forbidden') return []
    const data = dataParts({ ...source, domain: config.isDefault ? domain : NO_DOMAIN }, own, narrowSchema)
    return [{ config, parts: { ...data, guard, databases: config.databases, dialect: config.kind } }]
  })
}

const wholeParts = memoizePerObject(({ warehouse, validatorOn, schemaSource, domain }: DataDeps): DataParts => {
  return { warehouse, schemaSource, validator: validatorOn(warehouse), domain: () => domain }
})

function narrowedParts(deps: DataDeps, access: RunAccess, narrowSchema: NarrowSchema): DataParts {
  let narrowed: NarrowedSchema | undefined
  const narrow = async (whole: Schema) => {
    narrowed = await narrowSchema(whole, access)
    return narrowed.schema
  }
  const warehouse = narrowWarehouse(deps.warehouse, access.clickhouseRoles, () => narrowed)
  return {
    warehouse,
    validator: narrowValidator(deps.validatorOn(warehouse), () => narrowed),
    schemaSource: withSchemas(deps.schemaSource, narrow),
    /** The operator's definitions and texts, without the lines about hidden tables. */
    domain: () => (narrowed === undefined ? NO_DOMAIN : narrowDomain(deps.domain, narrowed)),
  }
}

function narrowDomain({ overview, full, terms, metrics, verifiedQueries }: DomainPack, { hidden }: NarrowedSchema): DomainPack {
  // Searches the texts themselves, not their JSON. In JSON, a line break is `\n`, and its `n` would look like a letter of the
  // next name.
  const isKnown = (entry: object) => !textsIn(entry).some(text => hidden.areIn(text))
  return {
    overview: hidden.linesWithout(overview),
    full: hidden.linesWithout(full),
    terms: terms.filter(isKnown),
    metrics: metrics.filter(isKnown),
    verifiedQueries: verifiedQueries.filter(isKnown),
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}
