import { ConfigurationError } from '../../base/errors.ts'
import type { Proposals } from '../../bots/actions/proposals.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { EngineQueryValidator } from '../../clickhouse/validation/engine-query-validator.ts'
import { checkDefinitions } from '../../domain/check-definitions.ts'
import { verifiedQuerySchema } from '../../domain/files.ts'
import { type DomainPack, loadDomainPack } from '../../domain/pack.ts'
import { addVerifiedQuery } from '../../domain/verified-query-file.ts'
import { whyNotRun } from '../../domain/why-not-run.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { MAIN_LIMITS } from '../limits.ts'
import { wireGuard, wireSchemaSource, wireWarehouse } from '../parts.ts'
import { openStateStore, wireProposals } from '../store.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

/** `clew domain check`: checks every term, metric and verified query of the pack against the schema, without running a query. */
export async function checkDomainCommand(context: CommandContext): Promise<number> {
  const pack = await loadDomainPack(domainFolder(context))
  const mistakes = await mistakesIn(context, pack)
  for (const mistake of mistakes) context.output.write(`${terminalText(mistake)}\n`)
  const { metrics, verifiedQueries } = pack
  const examples = verifiedQueries.flatMap(query => {
    const why = whyNotRun(query)
    return why === undefined ? [] : [`${nameOf(query.question)} is only an example, and is never run by itself: ${why}.`]
  })
  for (const example of examples) context.output.write(`${terminalText(example)}\n`)
  const counted = `Metrics: ${metrics.length}, verified queries: ${verifiedQueries.length}`
  if (mistakes.length === 0) context.output.write(`${counted}. All of them fit the schema.\n`)
  else tell(context, `${counted}. Mistakes: ${mistakes.length}.`)
  return mistakes.length === 0 ? EXIT.answered : EXIT.failed
}

async function mistakesIn(context: CommandContext, pack: DomainPack): Promise<readonly string[]> {
  const { signal, config } = context
  const warehouse = await wireWarehouse(context, signal)
  const guard = await wireGuard(context, warehouse, signal, sentence => tell(context, sentence))
  const source = wireSchemaSource(context, { warehouse, store: createMemoryStateStore({ now: Date.now }) })
  const validator = new EngineQueryValidator({
    warehouse,
    maxRows: config.warehouse.maxRows,
    timeLimitMs: MAIN_LIMITS.domainCheckMs,
  })
  const deps = { guard, validator, databases: config.warehouse.databases }
  const checked = await checkDefinitions(pack, await source.load(signal), deps, signal)
  return checked.flatMap(({ kind, name, faults }) => {
    const what = { term: `The term ${name}`, metric: `The metric ${name}`, verified: nameOf(name) }[kind]
    return faults.map(fault => `${what}: ${fault}`)
  })
}

function nameOf(question: string): string {
  return `The verified query "${question}"`
}

/** `clew domain proposals`: lists queries of answers that people rated helpful and whose questions are not verified yet. */
export async function domainProposalsCommand(context: CommandContext): Promise<number> {
  const { verifiedQueries } = await loadDomainPack(domainFolder(context))
  const open = await (await openProposals(context)).open(verifiedQueries, context.signal)
  let above = ''
  for (const { runId, query, question, sql } of open) {
    const heading = `${runId}: ${question}`
    const lines = [...(heading === above ? [] : [heading]), `  Q${query}: ${sql.replace(/\s+/g, ' ')}`]
    context.output.write(`${terminalText(lines.join('\n'))}\n`)
    above = heading
  }
  if (open.length === 0)
    context.output.write('There is nothing to propose: nobody has found an answer helpful whose queries are not verified yet.\n')
  return EXIT.answered
}

/**
 * `clew domain verify`: adds a query of a helpful answer to the verified queries. Whoever can write to the pack's folder may do
 * this.
 * @param name the name of the verifier
 * @param query the number of the answer's query, such as 1 for Q1
 */
export async function verifyQueryCommand(
  context: CommandContext,
  runId: string,
  { by: name, query }: { readonly by: string; readonly query: number },
): Promise<number> {
  const { signal } = context
  const folder = domainFolder(context)
  const proposals = await openProposals(context)
  const ofRun = (await proposals.all(signal)).filter(each => each.runId === runId)
  if (ofRun.length === 0) {
    tell(context, `Nobody has marked the answer ${runId} as helpful; \`clew domain proposals\` lists those that somebody has.`)
    return EXIT.failed
  }
  const proposal = ofRun.find(each => each.query === query)
  if (proposal === undefined) throw new ConfigurationError(`${runId} has no query Q${query}: it has ${ofRun.length}.`)
  const { id, question, sql } = proposal
  const now = new Date()
  const entry = verifiedQuerySchema.parse({ question, sql, verified_by: name, verified_at: now.toISOString().slice(0, 10) })
  // An invalid pack is told before it gets longer.
  await loadDomainPack(folder)
  const decision = { decision: 'accepted', person: TERMINAL_PERSON, at: now.getTime() } as const
  const decided = await proposals.decide(id, decision, () => addVerifiedQuery(folder, entry), signal)
  if (decided === undefined) {
    tell(context, await proposals.whyNotOpen(id, signal))
    return EXIT.failed
  }
  context.output.write(`It was added to ${decided.done}. Workers read it when they start.\n`)
  return EXIT.answered
}

async function openProposals(context: CommandContext): Promise<Proposals> {
  if (context.config.redis.url === undefined) {
    throw new ConfigurationError('Feedback is kept in Redis: set REDIS_URL to the one that the bots and workers use.')
  }
  return wireProposals(context, await openStateStore(context))
}

function domainFolder({ config }: CommandContext): string {
  if (config.domainDirectory === undefined) {
    throw new ConfigurationError('There is no domain pack: set CLEW_DOMAIN_DIR to its folder.')
  }
  return config.domainDirectory
}
