import { partsOf } from '../../access/table-grant.ts'
import { errorMessage } from '../../base/errors.ts'
import { memoizePerObject } from '../../base/memoize.ts'
import { sourceCard } from '../../sources/source.ts'
import { abortable } from '../../store/abortable.ts'
import { fitsWhole } from '../../warehouse/catalog/schema-prompt.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { PersonContext, QuestionContext, RunContext, RunSource, SourceInPlan } from '../run/context.ts'
import { RunError } from '../run/error.ts'
import { askDatasource } from '../schema/datasource.ts'
import { focusSchema } from '../schema/focus-schema.ts'
import { loadSchema, tablesAsk } from '../schema/load-schema.ts'
import type { SourcesDraft } from './plan-sources.ts'

const NO_TABLES: Schema = { tables: [], databases: [], serverVersion: '', timeZone: 'UTC', fetchedAt: '' }

/** The parts of a run that follow from the sources of its question. */
export interface SourcedRun {
  readonly context: RunContext
  /** The schema of the only source, or the tables of all sources that the run plans over. */
  readonly schema: Schema
}

/**
 * Finds the sources of the question: one, whose parts the run then has, or several, over which it plans. Without configured
 * sources, loads the schema of the only warehouse.
 * @throws RunError if the asker may use no source; WarehouseError if none can be read
 */
export async function chooseSources(context: RunContext, signal: AbortSignal): Promise<SourcedRun> {
  const { sources, resolver, request } = context
  if (sources === undefined || resolver === undefined) return { context, schema: await loadSchema(context, signal) }
  const [first, ...others] = sources
  if (first === undefined) throw RunError.noSource()
  if (others.length === 0) return inSource(context, first, signal)
  const known = await knownSchemas(context, sources, signal)
  const resolved = await resolver.resolve({
    question: request.question,
    conversationSource: lastSource(context, sources),
    sources: known.map(({ config, schema }) => cardsOf(config)(schema)),
    fits: ids => {
      const schemas = known.filter(({ config }) => ids.includes(config.id)).map(({ schema }) => schema)
      return fitsWhole({ ...NO_TABLES, tables: schemas.flatMap(({ tables }) => tables) })
    },
  })
  const named = known.filter(({ config }) => resolved.slice(0, AGENT_LIMITS.planning.sources).includes(config.id))
  const [only, ...more] = named
  if (only !== undefined && more.length === 0 && !only.isAway) return inSource(context, only, signal)
  // If the only source is away, others may answer a part.
  const planned = more.length === 0 ? [...named, ...known.filter(source => source !== only)] : named
  return overSources(context, planned, signal)
}

/**
 * Returns the run that plans over all sources, because the tables of the chosen one do not hold the answer. Undefined if the run
 * has no other source, or has been told by the person which source is meant.
 */
export async function widerSources(context: RunContext, signal: AbortSignal): Promise<SourcedRun | undefined> {
  const { sources = [], source } = context
  if (sources.length < 2 || source === undefined || context.isSourceGiven === true) return undefined
  const { source: _, ...rest } = context
  const others = sources.filter(({ config }) => config.id !== source.id)
  const ownFirst = [...sources.filter(each => !others.includes(each)), ...others]
  return overSources(rest, await knownSchemas(rest, ownFirst, signal), signal)
}

/** Returns the run with the parts of one source, which it reads from now on. */
export async function inSource(context: RunContext, { config, parts }: RunSource, signal: AbortSignal): Promise<SourcedRun> {
  const { planned: _, ...rest } = context
  const own = { ...rest, ...parts, ...((context.sources?.length ?? 0) > 1 && { source: config }) }
  return { context: own, schema: await loadSchema(own, signal) }
}

/**
 * Returns the run that plans over several sources. Its own parts are those of the default source, or else of the first: verified
 * queries and definitions belong to them.
 */
async function overSources(context: RunContext, known: readonly SourceInPlan[], signal: AbortSignal): Promise<SourcedRun> {
  const ask = tablesAsk(context.request)
  const planned = await Promise.all(
    known.slice(0, AGENT_LIMITS.planning.sources).map(async source => ({
      ...source,
      schema: source.isAway ? source.schema : await focusSchema({ ...context, ...source.parts }, source.schema, ask, signal),
    })),
  )
  const standing = planned.find(({ config }) => config.isDefault) ?? planned[0]
  if (standing === undefined) throw RunError.noSource()
  // Work ahead of time would be for one source only.
  return { context: { ...context, ...standing.parts, planned, speculation: false }, schema: tablesOfAll(planned, standing) }
}

/**
 * Asks the person which source is meant. Undefined if the plan does not want to know, or names no two sources.
 * @throws InterruptError
 */
export async function chosenSource(
  context: PersonContext & QuestionContext,
  sources: readonly SourceInPlan[],
  asked: SourcesDraft['datasource'],
  question: string,
  signal: AbortSignal,
): Promise<SourceInPlan | undefined> {
  const named = sources.filter(({ config }) => asked?.sources.includes(config.id) === true)
  if (asked === null || named.length < 2) return undefined
  const choices = named.map(({ config: { id: name, description: about } }) => ({ name, about }))
  const id = await askDatasource(context, question, { question: asked.question, choices }, signal)
  return named.find(({ config }) => config.id === id)
}

/**
 * Loads the schemas of all sources. A source that cannot be read has its last known tables, or none: the plan may still ask it,
 * and the answer then says what is missing.
 * @throws WarehouseError if none can be read
 */
async function knownSchemas({ logger, log, request }: RunContext, sources: readonly RunSource[], signal: AbortSignal) {
  const access = request.access ?? ''
  const faults: WarehouseError[] = []
  const known = await Promise.all(
    sources.map(async source => {
      const last = lastSchemas(source.config)
      const timeout = AbortSignal.timeout(AGENT_LIMITS.planning.sourceWaitMs)
      try {
        const schema = await abortable(source.parts.schemaSource.load(signal), AbortSignal.any([signal, timeout]))
        last.set(access, schema)
        return { ...source, schema, isAway: false }
      } catch (error) {
        if (signal.aborted || !(error instanceof WarehouseError || timeout.aborted)) throw error
        logger.warn({ source: source.config.id, error: errorMessage(error), run: log.runId }, 'a data source cannot be read')
        const late = `The source ${source.config.id} did not answer in time.`
        faults.push(error instanceof WarehouseError ? error : new WarehouseError(late, { kind: 'unavailable' }))
        return { ...source, schema: last.get(access) ?? NO_TABLES, isAway: true }
      }
    }),
  )
  const [fault] = faults
  if (faults.length === sources.length && fault !== undefined) throw fault
  return known
}

/**
 * The last schema of each source, by the asker's rights. A question still finds a source that is away by its tables. Rights are
 * few, so nothing is removed.
 */
const lastSchemas = memoizePerObject((_: RunSource['config']) => new Map<string, Schema>())
/** The card of a source by its schema. The resolver caches its index by the cards. */
const cardsOf = memoizePerObject((config: RunSource['config']) =>
  memoizePerObject((schema: Schema) => sourceCard(config, schema)),
)

/** Returns the source of the last answer. Undefined if it read several, or none. */
function lastSource({ request }: RunContext, sources: readonly RunSource[]): string | undefined {
  const tables = request.conversation.turns.at(-1)?.queries.flatMap(query => query.tables ?? []) ?? []
  const ids = new Set(tables.map(table => partsOf(table).source))
  const [only, ...others] = sources.filter(({ config }) => ids.has(config.isDefault ? '' : config.id))
  return others.length === 0 ? only?.config.id : undefined
}

/** Returns the tables of all sources as one schema. Tables of another source than the standing one have its id before them. */
function tablesOfAll(sources: readonly SourceInPlan[], standing: SourceInPlan): Schema {
  const inPlan = (source: SourceInPlan, table: TableSchema) =>
    source === standing ? table : { ...table, database: `${source.config.id}/${table.database}` }
  const tables = sources.flatMap(source =>
    (source.schema.focus?.tables.map(({ table }) => table) ?? source.schema.tables).map(table => inPlan(source, table)),
  )
  const { focus: _, ...schema } = standing.schema
  return { ...schema, tables }
}
