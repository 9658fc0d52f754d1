import type { Context } from 'hono'
import { z } from 'zod'
import type { CheckedDomain } from '../agent/direct-reads.ts'
import { newRunId } from '../agent/run/id.ts'
import { ConfigurationError } from '../base/errors.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import type { Proposal, Proposals } from '../bots/actions/proposals.ts'
import { missingTables } from '../domain/check-definitions.ts'
import { DefinitionHistory, definitionId } from '../domain/definition-history.ts'
import { entryLines } from '../domain/entry-lines.ts'
import { type DOMAIN_LISTS, verifiedQueryOf, verifiedQuerySchema } from '../domain/files.ts'
import { type DomainPack, loadDomainPack, NO_DOMAIN } from '../domain/pack.ts'
import { queryParameterSchema } from '../domain/query-parameters.ts'
import { verifiedQueryFaults } from '../domain/verified-query-faults.ts'
import { addVerifiedQuery, verifiedQueryYaml, whyNotWritable } from '../domain/verified-query-file.ts'
import { whyNotRun } from '../domain/why-not-run.ts'
import { Problem } from '../http/problem.ts'
import type { TurnClient } from '../http/turn-client.ts'
import type { McpParts } from '../mcp/parts.ts'
import type { StateStore } from '../store/state-store.ts'
import { type ConsoleApp, type ConsoleEnv, readBody, type Viewer } from './app.ts'
import type { AcceptedJson, DefinitionCheck, DomainJson, LastRun, ProposalsJson, VerifiedRunJson } from './data-json.ts'
import { type DataRoutesDeps, readable } from './data-routes.ts'
import { CONSOLE_LIMITS } from './limits.ts'

export interface DomainRoutesDeps extends Pick<DataRoutesDeps, 'reads'> {
  /** The folder of the domain pack. Undefined if there is none. */
  readonly domainFolder: string | undefined
  readonly proposals: Proposals
  readonly store: StateStore
  readonly turns: Pick<TurnClient, 'count'>
  /** Says why the viewer may run no query now, if a cap is reached. */
  readonly countQuery?: McpParts['countQuery']
  /** Waits until the query is in the audit log. Absent if nothing waits for it. */
  readonly recorded?: McpParts['recorded']
  readonly lastRunSeconds: number
  /** Returns Unix time in milliseconds. */
  readonly now: () => number
}

const NO_PACK = 'There is no domain pack: set CLEW_DOMAIN_DIR to its folder. docs/domain.md tells what it holds.'

const acceptSchema = z.strictObject({
  question: z.string().trim().min(1),
  sql: z.string().trim().min(1),
  /** The list of parameters as YAML. Empty if the query has none. */
  parameters: z.string(),
  verified_by: z.string().trim().min(1).max(100),
})
const lastRunSchema = z.object({
  at: z.number(),
  by: z.string(),
  ms: z.number().nullable(),
  rows: z.number().nullable(),
  error: z.string().nullable(),
})

/** Adds the routes of the domain pack and of what people propose for it. */
export function addDomainRoutes(app: ConsoleApp, deps: DomainRoutesDeps): void {
  const { proposals, domainFolder, now } = deps
  const history = new DefinitionHistory(deps)
  app.add('GET /console/api/data/domain', async context => context.json(await domainJson(context.get('viewer'), deps, history)))
  app.add('POST /console/api/data/definitions/:id/confirm', async context => {
    await history.confirm(context.req.param('id'), limited())
    return context.body(null, 204)
  })
  app.add('POST /console/api/data/verified/:id/run', async context =>
    context.json(await runVerified(context.get('viewer'), context.req.param('id'), deps)),
  )
  app.add('GET /console/api/data/proposals', async context => {
    const viewer = context.get('viewer')
    const signal = limited()
    const { verifiedQueries } = await packOf(domainFolder).catch(() => NO_DOMAIN)
    const open = await proposals.open(verifiedQueries, signal)
    const shown = (await visibleTo(viewer, open, deps)).map(({ id, ofRun, question, sql, person, at }) => {
      return { id, run_id: ofRun, question, sql, person, at }
    })
    const readOnly = await whyReadOnly(domainFolder)
    return context.json({ proposals: shown, hidden: open.length - shown.length, read_only: readOnly } satisfies ProposalsJson)
  })
  app.add('POST /console/api/data/proposals/:id/accept', async context => {
    const id = await undecided(context, deps)
    const { person } = context.get('viewer')
    const accepted = await accept(context, deps)
    await proposals.decide(id, { decision: 'accepted', person, at: now() }, limited())
    return context.json(accepted)
  })
  app.add('POST /console/api/data/proposals/:id/decline', async context => {
    const id = await undecided(context, deps)
    const { person } = context.get('viewer')
    await proposals.decide(id, { decision: 'declined', person, at: now() }, limited())
    return context.body(null, 204)
  })
}

function limited(): AbortSignal {
  return AbortSignal.timeout(CONSOLE_LIMITS.requestMs)
}

/** @throws ConfigurationError if there is no pack, or if it is invalid */
async function packOf(folder: string | undefined): Promise<DomainPack> {
  if (folder === undefined) throw new ConfigurationError(NO_PACK)
  return loadDomainPack(folder)
}

async function whyReadOnly(folder: string | undefined): Promise<string | null> {
  if (folder === undefined) return NO_PACK
  const why = await whyNotWritable(folder)
  return why === undefined
    ? null
    : `${folder} cannot be written: ${why}. Make it writable for clew serve, or add accepted queries to verified-queries.yaml by hand.`
}

async function domainJson(
  viewer: Viewer,
  { reads, domainFolder, store }: DomainRoutesDeps,
  history: DefinitionHistory,
): Promise<DomainJson> {
  const { access, may } = viewer
  const readOnly = may.define ? await whyReadOnly(domainFolder) : null
  const folder = may.define ? (domainFolder ?? null) : null
  const empty = { folder, read_only: readOnly, overview: '', missing: [], terms: [], metrics: [], verified: [] }
  const pack = await packOf(domainFolder).catch((error: unknown) => {
    if (error instanceof ConfigurationError) return error
    throw error
  })
  // The mistakes of a pack quote it, and so may name tables that the viewer may not see.
  if (pack instanceof ConfigurationError)
    return { ...empty, problem: may.define || domainFolder === undefined ? pack.message : 'The domain pack cannot be read now.' }
  const found = await readable(async signal => (await reads()).checkDomain({ access, pack }, signal))
  if (found === undefined) return { ...empty, problem: 'You may not read the default source, which the definitions are about.' }
  const signal = limited()
  const checks = await checksOf(found, pack, { folder: domainFolder ?? '', history }, signal)
  const { terms, metrics, verifiedQueries, overview } = found.pack
  const checkOf = (entry: object) => checks.get(entry) as DefinitionCheck
  const verified = verifiedQueries.map(async query => {
    const { template, ...rest } = query
    const check = checkOf(query)
    const last_run =
      lastRunSchema.safeParse(parseJson((await store.get(lastRunKey(check.id, viewer), signal)) ?? '')).data ?? null
    const parameters = template?.parameters?.map(({ name }) => name) ?? []
    return { ...rest, ...check, parameters, example_because: whyNotRun(query) ?? null, last_run }
  })
  return {
    ...{ folder, problem: null, read_only: readOnly, overview, missing: missingTables(overview, found.schema) },
    terms: terms.map(term => ({ ...term, ...checkOf(term) })),
    metrics: metrics.map(metric => ({ ...metric, ...checkOf(metric) })),
    verified: await Promise.all(verified),
  }
}

/** Returns the check of each visible definition, with its line in the file of the whole pack. */
async function checksOf(
  { pack: visible, schema, checked }: CheckedDomain,
  whole: DomainPack,
  { folder, history }: { readonly folder: string; readonly history: DefinitionHistory },
  signal: AbortSignal,
): Promise<ReadonlyMap<object, DefinitionCheck>> {
  const lists = { 'glossary.yaml': whole.terms, 'metrics.yaml': whole.metrics, 'verified-queries.yaml': whole.verifiedQueries }
  const places = new Map<object, Pick<DefinitionCheck, 'file' | 'line'>>()
  for (const [file, entries] of Object.entries(lists)) {
    const lines = await entryLines(folder, file as keyof typeof DOMAIN_LISTS)
    entries.forEach((entry, at) => void places.set(entry, { file, line: lines[at] ?? null }))
  }
  const entries: readonly object[] = [...visible.terms, ...visible.metrics, ...visible.verifiedQueries]
  const checks = entries.map(async (entry, at) => {
    const { file = '', line = null } = places.get(entry) ?? {}
    const result = checked[at]
    if (result === undefined) throw new Error('each definition has a check')
    const stale = await history.changes(result, schema, signal)
    return [entry, { id: definitionId(result), file, line, faults: result.faults, stale }] as const
  })
  return new Map(await Promise.all(checks))
}

function lastRunKey(id: string, { rights }: Pick<Viewer, 'rights'>): string {
  return `definition:${id}:run:${rights ?? 'all'}`
}

/** Runs a verified query as the viewer. Its parameters have the values of their examples. */
async function runVerified(viewer: Viewer, id: string, deps: DomainRoutesDeps): Promise<VerifiedRunJson> {
  const { person, access, caller } = viewer
  const at = deps.now()
  const ran = await readable(async signal => {
    await deps.turns.count(caller, newRunId(), signal)
    const refusal = await deps.countQuery?.(signal)
    if (refusal !== undefined) throw new Problem(429, 'cap_reached', refusal.message)
    const reads = await deps.reads()
    const pack = await reads.domain(access, signal, await packOf(deps.domainFolder))
    const query = pack?.verifiedQueries.find(({ question: name, sql }) => definitionId({ kind: 'verified', name, sql }) === id)
    if (query === undefined) throw new Problem(404, 'no_definition', 'This verified query is not there any more.')
    const read = await reads.runQuery({ access, sql: query.sql, maxRows: CONSOLE_LIMITS.verifiedRows }, signal)
    await deps.recorded?.(signal)
    return read
  })
  const found =
    ran.kind === 'read'
      ? { ms: ran.elapsed_ms, rows: ran.rows.length, error: null }
      : { ms: null, rows: null, error: ran.message }
  const last_run: LastRun = { at, by: person, ...found }
  await deps.store.set(lastRunKey(id, viewer), JSON.stringify(last_run), deps.lastRunSeconds, limited())
  return ran.kind === 'read'
    ? { last_run, columns: ran.columns.map(({ name }) => name), rows: ran.rows }
    : { last_run, columns: [], rows: [] }
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

/** Returns the id of the proposal in the path. @throws Problem if there is none to decide about for this viewer */
async function undecided(context: Context<ConsoleEnv, '/:id'>, deps: DomainRoutesDeps): Promise<string> {
  const signal = limited()
  const id = context.req.param('id')
  const proposed = (await deps.proposals.all(signal)).filter(each => each.id === id)
  if ((await visibleTo(context.get('viewer'), proposed, deps)).length === 0)
    throw new Problem(404, 'no_proposal', 'There is no such proposal any more, or you may not see it.')
  const decided = await deps.proposals.decision(id, signal)
  if (decided !== undefined) throw new Problem(409, 'decided', `${decided.person} has ${decided.decision} it already.`)
  return id
}

/** Checks a proposed query as the viewer and adds it to the file. @throws Problem if it does not fit, or cannot be written */
async function accept(context: Context<ConsoleEnv>, { domainFolder, reads, now }: DomainRoutesDeps): Promise<AcceptedJson> {
  const { access } = context.get('viewer')
  const { parameters: written, ...rest } = await readBody(context, acceptSchema)
  const parameters = readYaml(written, z.array(queryParameterSchema), { empty: [] })
  if (!parameters.ok) throw refused(parameters.mistakes)
  const entry = verifiedQuerySchema.safeParse({
    ...rest,
    verified_at: new Date(now()).toISOString().slice(0, 10),
    ...(parameters.value.length > 0 && { parameters: parameters.value }),
  })
  if (!entry.success) throw refused(entry.error.issues.map(({ message }) => message))
  const query = verifiedQueryOf(entry.data)
  const faults = await readable(async signal => {
    const { verifiedQueries } = await packOf(domainFolder)
    const found = await (await reads()).checkDomain({ access, pack: { ...NO_DOMAIN, verifiedQueries: [query] } }, signal)
    const [checked] = found?.checked ?? []
    if (found === undefined || checked === undefined) return ['It names a table that you may not read.']
    return [...new Set([...checked.faults, ...verifiedQueryFaults(query, verifiedQueries, found.schema)])]
  })
  if (faults.length > 0) throw refused(faults)
  const yaml = verifiedQueryYaml(entry.data)
  try {
    return { path: await addVerifiedQuery(domainFolder ?? '', entry.data), yaml }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new Problem(409, 'not_written', error.message, { more: { yaml } })
  }
}

function refused(mistakes: readonly string[]): Problem {
  return new Problem(422, 'does_not_fit', mistakes.join('\n'))
}
