import type { NarrowedSchema } from '../access/narrow-schema.ts'
import { narrowValidator, narrowWarehouse } from '../access/narrow-warehouse.ts'
import type { RunAccess } from '../access/run-access.ts'
import { type DomainPack, NO_DOMAIN } from '../domain/pack.ts'
import type { QueryValidator } from '../warehouse/query-validator.ts'
import type { Schema } from '../warehouse/schema.ts'
import { type SchemaSource, withSchemas } from '../warehouse/schema-source.ts'
import type { RunContext } from './run/context.ts'

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

/** Returns these parts for an asker who may read everything. */
export function wholeDeps({ warehouse, validatorOn, schemaSource, domain }: DataDeps): DataParts {
  return { warehouse, schemaSource, validator: validatorOn(warehouse), domain: () => domain }
}

/** Returns these parts for an asker with limited rights. The run gets no others, so no step can exceed the limits. */
export function narrowedDeps(
  deps: DataDeps,
  access: RunAccess,
  narrowSchema: (whole: Schema, access: RunAccess) => Promise<NarrowedSchema>,
): DataParts {
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
