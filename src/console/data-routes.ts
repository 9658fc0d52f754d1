import { z } from 'zod'
import { type DirectReads, RefusedRead, type SourceListing } from '../agent/direct-reads.ts'
import { runErrorSentence } from '../agent/run/describe-run-error.ts'
import { ConfigurationError } from '../base/errors.ts'
import { SIZES } from '../base/sizes.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import type { Decision, Proposal, Proposals } from '../bots/actions/proposals.ts'
import type { CheckedDefinition } from '../domain/check-definitions.ts'
import { DefinitionHistory, definitionId } from '../domain/definition-history.ts'
import { verifiedQueryOf, verifiedQuerySchema } from '../domain/files.ts'
import { type DomainPack, loadDomainPack, NO_DOMAIN } from '../domain/pack.ts'
import { verifiedQueryFaults } from '../domain/verified-query-faults.ts'
import { addVerifiedQuery, verifiedQueryYaml, whyNotWritable } from '../domain/verified-query-file.ts'
import { whyNotRun } from '../domain/why-not-run.ts'
import { readReports } from '../evals/stored-reports.ts'
import { Problem } from '../http/problem.ts'
import type { TurnClient } from '../http/turn-client.ts'
import type { McpParts } from '../mcp/parts.ts'
import type { StateStore } from '../store/state-store.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import { type ConsoleApp, readBody, readQuery, type Viewer } from './app.ts'
import { CONSOLE_LIMITS, limited } from './limits.ts'
import { rerun } from './rerun.ts'

export interface DataRoutesDeps extends Pick<McpParts, 'countQuery' | 'recorded'> {
  /** Reads data as a viewer. It connects with the first use. */
  readonly reads: () => Promise<Pick<DirectReads, 'listSources' | 'table' | 'domain' | 'checkDomain' | 'runQuery' | 'formatSql'>>
  /** The folder of the reports of `clew evals`. */
  readonly evalsFolder: string
  /** The folder of the domain pack. Undefined if there is none. */
  readonly domainFolder: string | undefined
  readonly proposals: Proposals
  readonly store: StateStore
  readonly turns: Pick<TurnClient, 'count'>
  readonly lastRunSeconds: number
  /** Returns Unix time in milliseconds. */
  readonly now: () => number
}

/** The answers of the routes. `EvalsJson` has the newest report first. */
export type SourcesJson = readonly SourceListing[]
export type TableJson = Awaited<ReturnType<typeof tableJson>>
export type DomainJson = Awaited<ReturnType<typeof domainJson>>
export type VerifiedRunJson = Awaited<ReturnType<typeof runVerified>>
export type ProposalsJson = Awaited<ReturnType<typeof proposalsJson>>
export type EvalsJson = Awaited<ReturnType<typeof readReports>>

const searchSchema = z.object({ search: z.string().trim().min(1).max(200).optional() })
const tableSchema = z.object({ source: z.string().optional(), table: z.string().min(1) })
/** The entry as it is to stand in the file of verified queries. Question and SQL have limits, and so has the rest of it. */
const acceptSchema = z.strictObject({ yaml: z.string().max(2 * SIZES.sqlBytes) })
/** The last run of a verified query from the console, by somebody with the same rights. `error` is null if it has rows. */
const lastRunSchema = z.object({
  ...{ at: z.number(), person: z.string(), ms: z.number(), rows: z.number(), error: z.string().nullable() },
})

/** Adds the routes of sources, tables, the domain pack with what people propose for it, and eval reports. */
export function addDataRoutes(app: ConsoleApp, deps: DataRoutesDeps): void {
  const { reads, proposals, now } = deps
  const history = new DefinitionHistory(deps)
  app.add('GET /console/api/data/sources', async context => {
    const asked = { ...readQuery(context, searchSchema), access: context.get('viewer').access }
    return context.json(await readable(async signal => (await reads()).listSources(asked, signal)))
  })
  app.add('GET /console/api/data/table', async context =>
    context.json(await tableJson(context.get('viewer'), readQuery(context, tableSchema), reads)),
  )
  app.add('GET /console/api/data/evals', async context => context.json(await readReports(deps.evalsFolder)))
  app.add('GET /console/api/data/domain', async context => context.json(await domainJson(context.get('viewer'), deps, history)))
  app.add('POST /console/api/data/definitions/:id/confirm', async context => {
    const viewer = context.get('viewer')
    const id = context.req.param('id')
    const found = await readable(async signal => {
      const pack = await packOf(deps.domainFolder, viewer)
      return (await reads()).checkDomain({ access: viewer.access, pack }, signal)
    })
    if (!found?.checked.some(each => definitionId(each) === id)) throw noDefinition()
    await history.confirm(id, limited())
    return context.body(null, 204)
  })
  app.add('POST /console/api/data/verified/:id/run', async context =>
    context.json(await runVerified(context.get('viewer'), context.req.param('id'), deps)),
  )
  app.add('GET /console/api/data/proposals', async context => context.json(await proposalsJson(context.get('viewer'), deps)))
  const proposalOf = async (id: string, viewer: Viewer) => {
    const proposed = (await proposals.all(limited())).filter(each => each.id === id)
    if ((await visibleTo(viewer, proposed, deps)).length === 0)
      throw new Problem(404, 'no_proposal', 'There is no such proposal any more, or you may not see it.')
    return async (decision: Decision['decision'], work: () => Promise<object>) => {
      const by = { decision, person: viewer.person, at: now() }
      const decided = await readable(() => proposals.decide(id, by, work, limited()))
      if (decided === undefined) throw new Problem(409, 'decided', await proposals.whyNotOpen(id, limited()))
      return decided.done
    }
  }
  app.add('POST /console/api/data/proposals/:id/accept', async context => {
    const viewer = context.get('viewer')
    const { yaml } = await readBody(context, acceptSchema)
    const decide = await proposalOf(context.req.param('id'), viewer)
    const entry = await fittingEntry(yaml, viewer, deps)
    const work = async () => ({ path: await addVerifiedQuery(deps.domainFolder ?? '', entry) })
    return context.json(await decide('accepted', work))
  })
  app.add('POST /console/api/data/proposals/:id/decline', async context => {
    const decide = await proposalOf(context.req.param('id'), context.get('viewer'))
    return context.json(await decide('declined', async () => ({})))
  })
}

/**
 * Does work that reads data, within its time limit.
 * @throws Problem with a sentence for people, if the data cannot be read now
 */
async function readable<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  try {
    return await work(AbortSignal.timeout(CONSOLE_LIMITS.dataMs))
  } catch (error) {
    if (error instanceof ConfigurationError) throw new Problem(409, 'not_configured', error.message)
    if (error instanceof WarehouseError) throw new Problem(503, 'data_unavailable', runErrorSentence(error, 'en'))
    if (error instanceof RefusedRead) throw new Problem(404, 'no_table', error.message)
    throw error
  }
}

async function tableJson({ access }: Viewer, asked: z.infer<typeof tableSchema>, reads: DataRoutesDeps['reads']) {
  const { table, joins } = await readable(async signal => (await reads()).table({ access, ...asked }, signal))
  const shown = joins.map(({ columns, to, toColumns, found: share }) => {
    return { columns, to: `${qualifiedName(to)}.${toColumns.join(', ')}`, found: share }
  })
  return { table, joins: shown }
}

const NO_PACK = 'There is no domain pack: set CLEW_DOMAIN_DIR to its folder. docs/domain.md tells what it holds.'

/**
 * @throws ConfigurationError if there is no pack, or if it is invalid. Its mistakes quote it, and so may name tables that the
 * viewer may not see. So only those who can mend it read them
 */
async function packOf(folder: string | undefined, { may }: Viewer): Promise<DomainPack> {
  if (folder === undefined) throw new ConfigurationError(NO_PACK)
  return loadDomainPack(folder).catch((error: unknown) => {
    const isTold = may.define || !(error instanceof ConfigurationError)
    throw isTold ? error : new ConfigurationError('The domain pack cannot be read now.')
  })
}

/** Shows the domain pack as it is on disk now. `problem` says why it cannot be shown, with the way out. */
async function domainJson(viewer: Viewer, deps: DataRoutesDeps, history: DefinitionHistory) {
  const { access, may } = viewer
  const { reads, domainFolder, store } = deps
  const pack = await packOf(domainFolder, viewer).catch((error: unknown) => {
    if (error instanceof ConfigurationError) return error
    throw error
  })
  const isWrong = pack instanceof ConfigurationError
  const found = isWrong ? undefined : await readable(async signal => (await reads()).checkDomain({ access, pack }, signal))
  const problem = isWrong ? pack.message : found ? null : 'You may not read the default source, which the definitions are about.'
  const signal = limited()
  const described = async (checked: CheckedDefinition) => {
    const id = definitionId(checked)
    const text = checked.kind === 'verified' ? await store.get(lastRunKey(id, viewer), signal) : undefined
    return {
      ...{ ...checked, id, stale: found ? await history.changes(checked, found.schema, signal) : null },
      example_because: (checked.kind === 'verified' && whyNotRun(checked.entry)) || null,
      last_run: lastRunSchema.safeParse(parseJson(text ?? '')).data ?? null,
    }
  }
  const definitions = await Promise.all((found?.checked ?? []).map(described))
  return { folder: may.define ? (domainFolder ?? null) : null, problem, overview: found?.pack.overview ?? '', definitions }
}

function lastRunKey(id: string, { rights }: Pick<Viewer, 'rights'>): string {
  return `definition:${id}:run:${rights ?? 'all'}`
}

/** Runs a verified query as the viewer. Its parameters have the values of their examples. */
async function runVerified(viewer: Viewer, id: string, deps: DataRoutesDeps) {
  const { person, access } = viewer
  const ran = await readable(async signal => {
    const reads = await deps.reads()
    const pack = await reads.domain(access, signal, await packOf(deps.domainFolder, viewer))
    const query = pack?.verifiedQueries.find(({ question: name, sql }) => definitionId({ kind: 'verified', name, sql }) === id)
    if (query === undefined) throw noDefinition()
    return rerun(deps, viewer, { sql: query.sql, maxRows: CONSOLE_LIMITS.verifiedRows }, signal)
  })
  const isRead = ran.kind === 'read'
  const { columns, rows, elapsed_ms: ms } = isRead ? ran : { columns: [], rows: [], elapsed_ms: 0 }
  const last_run = { at: deps.now(), person, ms, rows: rows.length, error: isRead ? null : ran.message }
  await deps.store.set(lastRunKey(id, viewer), JSON.stringify(last_run), deps.lastRunSeconds, limited())
  return { last_run, columns, rows }
}

/** Lists the proposals that the viewer may see, and counts the others. `read_only` says why none can be accepted. */
async function proposalsJson(viewer: Viewer, deps: DataRoutesDeps) {
  const { domainFolder } = deps
  const { verifiedQueries } = await packOf(domainFolder, viewer).catch(() => NO_DOMAIN)
  const open = await deps.proposals.open(verifiedQueries, limited())
  const seen = await visibleTo(viewer, open, deps)
  const by = verifiedBy(viewer, deps.now())
  const proposals = seen.map(each => ({ ...each, yaml: verifiedQueryYaml({ question: each.question, sql: each.sql, ...by }) }))
  const read_only = domainFolder === undefined ? NO_PACK : await whyNotWritable(domainFolder)
  return { proposals, hidden: open.length - seen.length, read_only }
}

/** Returns the proposals that the viewer may see: open or own ones, whose SQL names no table that is hidden from the viewer. */
async function visibleTo(
  { person, access }: Viewer,
  proposals: readonly Proposal[],
  { reads }: Pick<DataRoutesDeps, 'reads'>,
): Promise<readonly Proposal[]> {
  const seen = proposals.filter(each => each.isOpen || each.person === person || each.asker === person)
  const queries = seen.map(({ question, sql }) => ({ question, sql, verified_by: '', verified_at: '' }))
  const pack = { ...NO_DOMAIN, verifiedQueries: queries }
  const narrowed = await readable(async signal => (await reads()).domain(access, signal, pack))
  const kept = new Set<object>(narrowed?.verifiedQueries)
  return seen.filter((_, at) => kept.has(queries[at] ?? {}))
}

/** Returns the entry as the viewer's own, of today. @throws Problem if it does not fit what the viewer may read */
async function fittingEntry(yaml: string, viewer: Viewer, { domainFolder, reads, now }: DataRoutesDeps) {
  const { access } = viewer
  const read = readYaml(yaml, z.tuple([verifiedQuerySchema]), { noAliases: 'write the text itself instead of an alias' })
  if (!read.ok) throw doesNotFit(read.mistakes)
  const entry = { ...read.value[0], ...verifiedBy(viewer, now()) }
  const query = verifiedQueryOf(entry)
  return readable(async signal => {
    const { verifiedQueries } = await packOf(domainFolder, viewer)
    const found = await (await reads()).checkDomain({ access, pack: { ...NO_DOMAIN, verifiedQueries: [query] } }, signal)
    const [checked] = found?.checked ?? []
    if (found === undefined || checked === undefined) throw doesNotFit(['It names a table that you may not read.'])
    const faults = [...checked.faults, ...verifiedQueryFaults(query, verifiedQueries, found.schema)]
    if (faults.length > 0) throw doesNotFit([...new Set(faults)])
    return entry
  })
}

/** Whoever accepts an entry answers for it. */
function verifiedBy({ person }: Viewer, at: number) {
  return { verified_by: person, verified_at: new Date(at).toISOString().slice(0, 10) }
}

function noDefinition(): Problem {
  return new Problem(404, 'no_definition', 'This definition is not there any more, or you may not see it.')
}

function doesNotFit(mistakes: readonly string[]): Problem {
  return new Problem(422, 'does_not_fit', mistakes.join(' '))
}
