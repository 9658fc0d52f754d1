import type { NarrowedSchema } from '../access/narrow-schema.ts'
import { narrowCost, narrowWarehouse } from '../access/narrow-warehouse.ts'
import type { RunAccess } from '../access/run-access.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { type DomainPack, NO_DOMAIN } from './domain-pack.ts'
import type { AgentDeps, QueryChecks } from './run-context.ts'

/**
 * The parts of a run that may see some tables only. Whatever a step shows, suggests, looks up or reads, it takes from these; so no step needs to know of
 * access, and none can forget it.
 */
export function narrowedDeps(
  deps: AgentDeps & { readonly checksOn: (warehouse: AgentDeps['warehouse']) => QueryChecks },
  access: RunAccess,
  narrowSchema: (whole: Schema, access: RunAccess) => NarrowedSchema,
): AgentDeps {
  let narrowed: NarrowedSchema | undefined
  const narrow = (whole: Schema) => {
    narrowed = narrowSchema(whole, access)
    return narrowed.schema
  }
  const { schemaSource } = deps
  const warehouse = narrowWarehouse(deps.warehouse, access.clickhouseRoles, () => narrowed)
  const { validator, cost } = deps.checksOn(warehouse)
  return {
    ...deps,
    warehouse,
    validator,
    cost: narrowCost(cost, () => narrowed),
    schemaSource: {
      load: async signal => narrow(await schemaSource.load(signal)),
      refresh: async signal => narrow(await schemaSource.refresh(signal)),
    },
    /** What the operator wrote is for everybody, but for lines about tables that the asker does not know. */
    get domain() {
      return narrowed === undefined ? NO_DOMAIN : narrowDomain(deps.domain, narrowed)
    },
  }
}

function narrowDomain({ overview, full, questions }: DomainPack, { hidden }: NarrowedSchema): DomainPack {
  return {
    overview: hidden.linesWithout(overview),
    full: hidden.linesWithout(full),
    questions: questions.filter(question => hidden.linesWithout(question) !== ''),
  }
}
