import { z } from 'zod'
import type { DirectReads, SourceListing } from '../agent/direct-reads.ts'
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
import type { StateStore } from '../store/state-store.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import type { Asked, ConsoleApp, Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { type RerunDeps, rerun } from './rerun.ts'
import type { ConsoleRoute } from './routes.ts'

export interface DataRoutesDeps extends RerunDeps {
  /** Reads data as a viewer. It connects with the first use. */
  readonly reads: () => Promise<Pick<DirectReads, 'listSources' | 'table' | 'domain' | 'checkDomain' | 'runQuery' | 'formatSql'>>
  /** The folder of the reports of `clew evals`. */
  readonly evalsFolder: string
  /** The folder of the domain pack. Undefined if there is none. */
  readonly domainFolder: string | undefined
  readonly proposals: Proposals
  readonly store: StateStore
  readonly lastRunSeconds: number
  /** Returns Unix time in milliseconds. */
  readonly now: () => number
}

/** The answers of the routes. `EvalsJson` has the newest report first. */
export type SourcesJson = readonly SourceListing[]
export type TableJson = Awaited<ReturnType<typeof table>>
export type DomainJson = Awaited<ReturnType<typeof domain>>
export type VerifiedRunJson = Awaited<ReturnType<typeof runVerified>>
export type ProposalsJson = Awaited<ReturnType<typeof openProposals>>
export type EvalsJson = Awaited<ReturnType<typeof readReports>>

const searchSchema = z.object({ search: z.string().trim().min(1).max(200).optional() })
const tableSchema = z.object({ source: z.string().optional(), table: z.string().min(1) })
/** The entry as it is to stand in the file of verified queries. Question and SQL have limits, and so has the rest of it. */
const acceptSchema = z.strictObject({ yaml: z.string().max(2 * SIZES.sqlBytes) })
/** The last run of a verified query from the console, by somebody with the same rights. `error` is null if it has rows. */
const lastRunSchema = z.object({
  ...{ at: z.number(), person: z.string(), ms: z.number(), rows: z.number(), error: z.string().nullable() },
})

/** Who asks, and until when. */
type By = Pick<Asked<ConsoleRoute>, 'viewer' | 'signal'>

/** Adds the routes of sources, tables, the domain pack with what people propose for it, and eval reports. */
export function addDataRoutes(app: ConsoleApp, deps: DataRoutesDeps): void {
  const history = new DefinitionHistory(deps)
  app.add('GET /console/api/data/sources', searchSchema, async ({ viewer: { access }, given, signal }) =>
    (await deps.reads()).listSources({ ...given, access }, signal),
  )
  app.add('GET /console/api/data/table', tableSchema, asked => table(asked, deps))
  app.add('GET /console/api/data/evals', () => readReports(deps.evalsFolder))
  app.add('GET /console/api/data/domain', asked => domain(asked, deps, history))
  app.add('POST /console/api/data/definitions/:id/confirm', async ({ path: { id }, ...by }) => {
    const found = await checkedPack(await packOf(by, deps), by, deps)
    if (!found?.checked.some(each => definitionId(each) === id)) throw noDefinition()
    await history.confirm(id, by.signal)
  })
  app.add('POST /console/api/data/verified/:id/run', ({ path, ...by }) => runVerified(path.id, by, deps))
  app.add('GET /console/api/data/proposals', by => openProposals(by, deps))
  app.add('POST /console/api/data/proposals/:id/accept', acceptSchema, ({ path, given, ...by }) =>
    decide('accepted', path.id, by, deps, async () => {
      const entry = await fittingEntry(given.yaml, by, deps)
      return async () => ({ path: await addVerifiedQuery(deps.domainFolder ?? '', entry) })
    }),
  )
  app.add('POST /console/api/data/proposals/:id/decline', ({ path, ...by }) =>
    decide('declined', path.id, by, deps, async () => async () => ({})),
  )
}

async function table({ viewer: { access }, given, signal }: By & { given: z.infer<typeof tableSchema> }, deps: DataRoutesDeps) {
  const found = await (await deps.reads()).table({ access, ...given }, signal)
  const joins = found.joins.map(({ columns, to, toColumns, found: share }) => {
    return { columns, to: `${qualifiedName(to)}.${toColumns.join(', ')}`, found: share }
  })
  return { table: found.table, joins }
}

const NO_PACK = 'There is no domain pack: set CLEW_DOMAIN_DIR to its folder. docs/domain.md tells what it holds.'

/**
 * @throws ConfigurationError if there is no pack, or if it is invalid. Its mistakes quote it, and so may name tables that the
 * viewer may not see. So only those who can mend it read them
 */
async function packOf({ viewer }: By, { domainFolder }: DataRoutesDeps): Promise<DomainPack> {
  if (domainFolder === undefined) throw new ConfigurationError(NO_PACK)
  return loadDomainPack(domainFolder).catch((error: unknown) => {
    const isTold = viewer.may.define || !(error instanceof ConfigurationError)
    throw isTold ? error : new ConfigurationError('The domain pack cannot be read now.')
  })
}

/** Checks definitions, without those that name a hidden table. Undefined if the viewer may not read the default source. */
async function checkedPack(pack: DomainPack, { viewer: { access }, signal }: By, { reads }: DataRoutesDeps) {
  return (await reads()).checkDomain({ access, pack }, signal)
}

/** Shows the domain pack as it is on disk now. `problem` says why it cannot be shown, with the way out. */
async function domain(by: By, deps: DataRoutesDeps, history: DefinitionHistory) {
  const { viewer, signal } = by
  const pack = await packOf(by, deps).catch((error: unknown) => {
    if (error instanceof ConfigurationError) return error
    throw error
  })
  const isWrong = pack instanceof ConfigurationError
  const found = isWrong ? undefined : await checkedPack(pack, by, deps)
  const problem = isWrong ? pack.message : found ? null : 'You may not read the default source, which the definitions are about.'
  const described = async (checked: CheckedDefinition) => {
    const id = definitionId(checked)
    const text = checked.kind === 'verified' ? await deps.store.get(lastRunKey(id, viewer), signal) : undefined
    return {
      ...{ ...checked, id, stale: found ? await history.changes(checked, found.schema, signal) : null },
      example_because: (checked.kind === 'verified' && whyNotRun(checked.entry)) || null,
      last_run: lastRunSchema.safeParse(parseJson(text ?? '')).data ?? null,
    }
  }
  const definitions = await Promise.all((found?.checked ?? []).map(described))
  const folder = (viewer.may.define && deps.domainFolder) || null
  return { folder, problem, overview: found?.pack.overview ?? '', definitions }
}

function lastRunKey(id: string, { rights }: Pick<Viewer, 'rights'>): string {
  return `definition:${id}:run:${rights ?? 'all'}`
}

/** Runs a verified query as the viewer. Its parameters have the values of their examples. */
async function runVerified(id: string, by: By, deps: DataRoutesDeps) {
  const { viewer, signal } = by
  const pack = await (await deps.reads()).domain(viewer.access, signal, await packOf(by, deps))
  const query = pack?.verifiedQueries.find(({ question: name, sql }) => definitionId({ kind: 'verified', name, sql }) === id)
  if (query === undefined) throw noDefinition()
  const ran = await rerun(deps, viewer, { sql: query.sql, maxRows: CONSOLE_LIMITS.verifiedRows }, signal)
  const isRead = ran.kind === 'read'
  const { columns, rows, elapsed_ms: ms } = isRead ? ran : { columns: [], rows: [], elapsed_ms: 0 }
  const last_run = { at: deps.now(), person: viewer.person, ms, rows: rows.length, error: isRead ? null : ran.message }
  await deps.store.set(lastRunKey(id, viewer), JSON.stringify(last_run), deps.lastRunSeconds, signal)
  return { last_run, columns, rows }
}

/** Lists the proposals that the viewer may see, and counts the others. `read_only` says why none can be accepted. */
async function openProposals(by: By, deps: DataRoutesDeps) {
  const { verifiedQueries } = await packOf(by, deps).catch(() => NO_DOMAIN)
  const open = await deps.proposals.open(verifiedQueries, by.signal)
  const seen = await visibleTo(by, open, deps)
  const yamlOf = ({ question, sql }: Proposal) => verifiedQueryYaml({ question, sql, ...verifiedBy(by, deps) })
  const proposals = seen.map(each => ({ ...each, yaml: yamlOf(each) }))
  const read_only = deps.domainFolder === undefined ? NO_PACK : await whyNotWritable(deps.domainFolder)
  return { proposals, hidden: open.length - seen.length, read_only }
}

/** Returns the proposals that the viewer may see: open or own ones, whose SQL names no table that is hidden from the viewer. */
async function visibleTo({ viewer, signal }: By, proposals: readonly Proposal[], { reads }: DataRoutesDeps) {
  const { person, access } = viewer
  const seen = proposals.filter(each => each.isOpen || each.person === person || each.asker === person)
  const queries = seen.map(({ question, sql }) => ({ question, sql, verified_by: '', verified_at: '' }))
  const narrowed = await (await reads()).domain(access, signal, { ...NO_DOMAIN, verifiedQueries: queries })
  const kept = new Set<object>(narrowed?.verifiedQueries)
  return seen.filter((_, at) => kept.has(queries[at] ?? {}))
}

/** @param prepare checks what a decision needs, and returns the work that it does */
async function decide(
  decision: Decision['decision'],
  id: string,
  by: By,
  deps: DataRoutesDeps,
  prepare: () => Promise<() => Promise<object>>,
): Promise<object> {
  const { proposals, now } = deps
  const proposed = (await proposals.all(by.signal)).filter(each => each.id === id)
  if ((await visibleTo(by, proposed, deps)).length === 0)
    throw new Problem(404, 'no_proposal', 'There is no such proposal any more, or you may not see it.')
  const work = await prepare()
  const decided = await proposals.decide(id, { decision, person: by.viewer.person, at: now() }, work, by.signal)
  if (decided === undefined) throw new Problem(409, 'decided', await proposals.whyNotOpen(id, by.signal))
  return decided.done
}

/** Returns the entry as the viewer's own, of today. @throws Problem if it does not fit what the viewer may read */
async function fittingEntry(yaml: string, by: By, deps: DataRoutesDeps) {
  const read = readYaml(yaml, z.tuple([verifiedQuerySchema]), { noAliases: 'write the text itself instead of an alias' })
  if (!read.ok) throw doesNotFit(read.mistakes)
  const entry = { ...read.value[0], ...verifiedBy(by, deps) }
  const query = verifiedQueryOf(entry)
  const { verifiedQueries } = await packOf(by, deps)
  const found = await checkedPack({ ...NO_DOMAIN, verifiedQueries: [query] }, by, deps)
  const [checked] = found?.checked ?? []
  if (found === undefined || checked === undefined) throw doesNotFit(['It names a table that you may not read.'])
  const faults = [...checked.faults, ...verifiedQueryFaults(query, verifiedQueries, found.schema)]
  if (faults.length > 0) throw doesNotFit([...new Set(faults)])
  return entry
}

/** Whoever accepts an entry answers for it. */
function verifiedBy({ viewer }: By, { now }: DataRoutesDeps) {
  return { verified_by: viewer.person, verified_at: new Date(now()).toISOString().slice(0, 10) }
}

function noDefinition(): Problem {
  return new Problem(404, 'no_definition', 'This definition is not there any more, or you may not see it.')
}

function doesNotFit(mistakes: readonly string[]): Problem {
  return new Problem(422, 'does_not_fit', mistakes.join(' '))
}
