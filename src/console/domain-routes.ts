import type { Context } from 'hono'
import { z } from 'zod'
import { newRunId } from '../agent/run/id.ts'
import { ConfigurationError } from '../base/errors.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import type { Decision, Proposal, Proposals } from '../bots/actions/proposals.ts'
import type { CheckedDefinition } from '../domain/check-definitions.ts'
import { DefinitionHistory, definitionId } from '../domain/definition-history.ts'
import { verifiedQueryOf, verifiedQuerySchema } from '../domain/files.ts'
import { type DomainPack, loadDomainPack, NO_DOMAIN } from '../domain/pack.ts'
import { queryParameterSchema } from '../domain/query-parameters.ts'
import { verifiedQueryFaults } from '../domain/verified-query-faults.ts'
import { addVerifiedQuery, verifiedQueryYaml, whyNotWritable } from '../domain/verified-query-file.ts'
import { whyNotRun } from '../domain/why-not-run.ts'
import { Problem } from '../http/problem.ts'
import type { TurnClient } from '../http/turn-client.ts'
import type { McpParts } from '../mcp/parts.ts'
import type { StateStore } from '../store/state-store.ts'
import { type ConsoleApp, readBody, type Viewer } from './app.ts'
import { type DataRoutesDeps, readable } from './data-routes.ts'
import { CONSOLE_LIMITS } from './limits.ts'

export interface DomainRoutesDeps extends Pick<DataRoutesDeps, 'reads'>, Pick<McpParts, 'countQuery' | 'recorded'> {
  /** The folder of the domain pack. Undefined if there is none. */
  readonly domainFolder: string | undefined
  readonly proposals: Proposals
  readonly store: StateStore
  readonly turns: Pick<TurnClient, 'count'>
  readonly lastRunSeconds: number
  /** Returns Unix time in milliseconds. */
  readonly now: () => number
}

const acceptSchema = z.strictObject({
  question: z.string().trim().min(1),
  sql: z.string().trim().min(1),
  /** The list of parameters as YAML. Empty if the query has none. */
  parameters: z.string(),
  verified_by: z.string().trim().min(1).max(100),
})
/** The last run of a verified query from the console, by somebody with the same rights. `error` is null if it has rows. */
const lastRunSchema = z.object({
  ...{ at: z.number(), person: z.string(), ms: z.number(), rows: z.number(), error: z.string().nullable() },
})

/** `GET …/data/domain`, `GET …/data/proposals`, and the answer to a run of a verified query. */
export type DomainJson = Awaited<ReturnType<typeof domainJson>>
export type ProposalsJson = Awaited<ReturnType<typeof proposalsJson>>
export type VerifiedRunJson = Awaited<ReturnType<typeof runVerified>>

/** Adds the routes of the domain pack, and of what people propose for it. */
export function addDomainRoutes(app: ConsoleApp, deps: DomainRoutesDeps): void {
  const { proposals, now } = deps
  const history = new DefinitionHistory(deps)
  app.add('GET /console/api/data/domain', async context => context.json(await domainJson(context.get('viewer'), deps, history)))
  app.add('POST /console/api/data/definitions/:id/confirm', async context => {
    await history.confirm(context.req.param('id'), limited())
    return context.body(null, 204)
  })
  app.add('POST /console/api/data/verified/:id/run', async context =>
    context.json(await runVerified(context.get('viewer'), context.req.param('id'), deps)),
  )
  app.add('GET /console/api/data/proposals', async context => context.json(await proposalsJson(context.get('viewer'), deps)))
  const decide = async (id: string, viewer: Viewer, decision: Decision['decision'], work?: () => Promise<object>) => {
    const proposed = (await proposals.all(limited())).filter(each => each.id === id)
    if ((await visibleTo(viewer, proposed, deps)).length === 0)
      throw new Problem(404, 'no_proposal', 'There is no such proposal any more, or you may not see it.')
    const decided = await proposals.decision(id, limited())
    if (decided !== undefined) throw new Problem(409, 'decided', `${decided.person} has ${decided.decision} it already.`)
    const done = await work?.()
    await proposals.decide(id, { decision, person: viewer.person, at: now() }, limited())
    return done ?? {}
  }
  app.add('POST /console/api/data/proposals/:id/accept', async context => {
    const viewer = context.get('viewer')
    return context.json(await decide(context.req.param('id'), viewer, 'accepted', () => accept(context, viewer, deps)))
  })
  app.add('POST /console/api/data/proposals/:id/decline', async context =>
    context.json(await decide(context.req.param('id'), context.get('viewer'), 'declined')),
  )
}

function limited(): AbortSignal {
  return AbortSignal.timeout(CONSOLE_LIMITS.requestMs)
}

const NO_PACK = 'There is no domain pack: set CLEW_DOMAIN_DIR to its folder. docs/domain.md tells what it holds.'

/** @throws ConfigurationError if there is no pack, or if it is invalid */
async function packOf(folder: string | undefined): Promise<DomainPack> {
  if (folder === undefined) throw new ConfigurationError(NO_PACK)
  return loadDomainPack(folder)
}

/** Shows the domain pack as it is on disk now. `problem` says why it cannot be shown, with the way out. */
async function domainJson(viewer: Viewer, deps: DomainRoutesDeps, history: DefinitionHistory) {
  const { access, may } = viewer
  const { reads, domainFolder, store } = deps
  const pack = await packOf(domainFolder).catch((error: unknown) => {
    if (error instanceof ConfigurationError) return error
    throw error
  })
  const isWrong = pack instanceof ConfigurationError
  const found = isWrong ? undefined : await readable(async signal => (await reads()).checkDomain({ access, pack }, signal))
  // The mistakes of a pack quote it, and so may name tables that the viewer may not see.
  const mistakes = isWrong && (may.define || domainFolder === undefined) ? pack.message : 'The domain pack cannot be read now.'
  const problem = isWrong ? mistakes : found ? null : 'You may not read the default source, which the definitions are about.'
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
  return { folder: may.define ? domainFolder : undefined, problem, overview: found?.pack.overview ?? '', definitions }
}

function lastRunKey(id: string, { rights }: Pick<Viewer, 'rights'>): string {
  return `definition:${id}:run:${rights ?? 'all'}`
}

/** Runs a verified query as the viewer. Its parameters have the values of their examples. */
async function runVerified(viewer: Viewer, id: string, deps: DomainRoutesDeps) {
  const { person, access, caller } = viewer
  const ran = await readable(async signal => {
    const reads = await deps.reads()
    const pack = await reads.domain(access, signal, await packOf(deps.domainFolder))
    const query = pack?.verifiedQueries.find(({ question: name, sql }) => definitionId({ kind: 'verified', name, sql }) === id)
    if (query === undefined) throw new Problem(404, 'no_definition', 'This verified query is not there any more.')
    await deps.turns.count(caller, newRunId(), signal)
    const refused = await deps.countQuery?.(signal)
    const read = refused ?? (await reads.runQuery({ access, sql: query.sql, maxRows: CONSOLE_LIMITS.verifiedRows }, signal))
    await deps.recorded?.(signal)
    return read
  })
  const isRead = ran.kind === 'read'
  const { columns, rows, elapsed_ms: ms } = isRead ? ran : { columns: [], rows: [], elapsed_ms: 0 }
  const last_run = { at: deps.now(), person, ms, rows: rows.length, error: isRead ? null : ran.message }
  await deps.store.set(lastRunKey(id, viewer), JSON.stringify(last_run), deps.lastRunSeconds, limited())
  return { last_run, columns, rows }
}

/** Lists the proposals that the viewer may see, and counts the others. `read_only` says why none can be accepted. */
async function proposalsJson(viewer: Viewer, deps: DomainRoutesDeps) {
  const { domainFolder } = deps
  const { verifiedQueries } = await packOf(domainFolder).catch(() => NO_DOMAIN)
  const open = await deps.proposals.open(verifiedQueries, limited())
  const proposals = await visibleTo(viewer, open, deps)
  const read_only = domainFolder === undefined ? NO_PACK : await whyNotWritable(domainFolder)
  return { proposals, hidden: open.length - proposals.length, read_only }
}

/** Returns the proposals that the viewer may see: open or own ones, whose SQL names no table that is hidden from the viewer. */
async function visibleTo(
  { person, access }: Viewer,
  proposals: readonly Proposal[],
  { reads }: Pick<DomainRoutesDeps, 'reads'>,
): Promise<readonly Proposal[]> {
  const seen = proposals.filter(each => each.isOpen || each.person === person || each.asker === person)
  const queries = seen.map(({ question, sql }) => ({ question, sql, verified_by: '', verified_at: '' }))
  const pack = { ...NO_DOMAIN, verifiedQueries: queries }
  const narrowed = await readable(async signal => (await reads()).domain(access, signal, pack))
  const kept = new Set<object>(narrowed?.verifiedQueries)
  return seen.filter((_, at) => kept.has(queries[at] ?? {}))
}

/** Checks a proposed query as the viewer and adds it to the file. @throws Problem if it does not fit, or cannot be written */
async function accept(context: Context, { access }: Viewer, { domainFolder, reads, now }: DomainRoutesDeps) {
  const { parameters: written, ...rest } = await readBody(context, acceptSchema)
  const parameters = readYaml(written, z.array(queryParameterSchema), { empty: [] })
  if (!parameters.ok) throw doesNotFit(parameters.mistakes)
  const verified_at = new Date(now()).toISOString().slice(0, 10)
  const own = parameters.value.length > 0 && { parameters: parameters.value }
  const entry = verifiedQuerySchema.safeParse({ ...rest, verified_at, ...own })
  if (!entry.success) throw doesNotFit(entry.error.issues.map(({ message }) => message))
  const query = verifiedQueryOf(entry.data)
  const faults = await readable(async signal => {
    const { verifiedQueries } = await packOf(domainFolder)
    const found = await (await reads()).checkDomain({ access, pack: { ...NO_DOMAIN, verifiedQueries: [query] } }, signal)
    const [checked] = found?.checked ?? []
    if (found === undefined || checked === undefined) return ['It names a table that you may not read.']
    return [...checked.faults, ...verifiedQueryFaults(query, verifiedQueries, found.schema)]
  })
  if (faults.length > 0) throw doesNotFit([...new Set(faults)])
  const yaml = verifiedQueryYaml(entry.data)
  const path = await addVerifiedQuery(domainFolder ?? '', entry.data).catch((error: unknown) => {
    if (!(error instanceof ConfigurationError)) throw error
    throw new Problem(409, 'not_written', `${error.message}\n\n${yaml}`)
  })
  return { path, yaml }
}

function doesNotFit(mistakes: readonly string[]): Problem {
  return new Problem(422, 'does_not_fit', mistakes.join('\n'))
}
