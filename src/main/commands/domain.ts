import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseDocument, stringify } from 'yaml'
import { ConfigurationError } from '../../base/errors.ts'
import type { Feedback } from '../../bots/actions/feedback.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { EngineQueryValidator } from '../../clickhouse/validation/engine-query-validator.ts'
import { metricQuery, type VerifiedQuery, verifiedQuerySchema } from '../../domain/files.ts'
import { type DomainPack, loadDomainPack } from '../../domain/pack.ts'
import { verifiedQueryFaults } from '../../domain/verified-query-faults.ts'
import { whyNotRun } from '../../domain/why-not-run.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import { MAIN_LIMITS } from '../limits.ts'
import { wireGuard, wireSchemaSource, wireWarehouse } from '../parts.ts'
import { openStateStore, wireFeedback } from '../store.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

/** `clew domain check`: checks every metric and verified query of the pack against the schema, without running a query. */
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

async function mistakesIn(context: CommandContext, pack: DomainPack): Promise<string[]> {
  const { signal, config } = context
  const warehouse = await wireWarehouse(context, signal)
  const guard = await wireGuard(context, warehouse, signal, sentence => tell(context, sentence))
  const source = wireSchemaSource(context, { warehouse, store: createMemoryStateStore({ now: Date.now }) })
  const schema = await source.load(signal)
  const validator = new EngineQueryValidator({
    warehouse,
    maxRows: config.warehouse.maxRows,
    timeLimitMs: MAIN_LIMITS.domainCheckMs,
  })
  const scope = scopeOfSchema(schema, config.warehouse.databases)
  const queries = [
    ...pack.metrics.map(metric => ({ what: `The metric ${metric.name}`, sql: metricQuery(metric) })),
    ...pack.verifiedQueries.map(({ question, sql }) => ({ what: nameOf(question), sql })),
  ]
  const mistakes = pack.verifiedQueries.flatMap(query =>
    verifiedQueryFaults(query, pack.verifiedQueries, schema).map(fault => `${nameOf(query.question)}: ${fault}`),
  )
  for (const { what, sql } of queries) {
    const verdict = await guard.check(sql, scope, signal)
    if (verdict.verdict === 'reject') {
      mistakes.push(`${what}: ${verdict.message}`)
      continue
    }
    const checked = await validator.check(verdict, { schema }, signal)
    if (checked.verdict === 'invalid') mistakes.push(`${what}: ${checked.message}`)
    if (checked.verdict === 'unchecked') mistakes.push(`${what} could not be checked: ${checked.reason}.`)
  }
  return mistakes
}

function nameOf(question: string): string {
  return `The verified query "${question}"`
}

/** `clew domain proposals`: lists answers that people rated helpful and whose questions are not among the verified ones. */
export async function domainProposalsCommand(context: CommandContext): Promise<number> {
  const { verifiedQueries } = await loadDomainPack(domainFolder(context))
  const known = new Set(verifiedQueries.map(({ question }) => question))
  const proposals = (await helpfulAnswers(context)).filter(({ standaloneQuestion }) => !known.has(standaloneQuestion))
  for (const { runId, standaloneQuestion, sql } of proposals) {
    const queries = sql.map((text, index) => `  Q${index + 1}: ${text.replace(/\s+/g, ' ')}`)
    context.output.write(`${terminalText([`${runId}: ${standaloneQuestion}`, ...queries].join('\n'))}\n`)
  }
  if (proposals.length === 0)
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
  const path = join(domainFolder(context), 'verified-queries.yaml')
  const proposal = (await helpfulAnswers(context)).find(each => each.runId === runId)
  if (proposal === undefined) {
    tell(
      context,
      `Nobody has marked the answer ${runId} as helpful; \`clew domain proposals\` lists the answers that people did.`,
    )
    return EXIT.failed
  }
  const sql = proposal.sql[query - 1]
  if (sql === undefined) throw new ConfigurationError(`${runId} has no query Q${query}: it has ${proposal.sql.length}.`)
  const today = new Date().toISOString().slice(0, 10)
  const entry = verifiedQuerySchema.parse({ question: proposal.standaloneQuestion, sql, verified_by: name, verified_at: today })
  const pack = await loadDomainPack(domainFolder(context))
  if (pack.verifiedQueries.some(known => known.question === entry.question && known.sql === entry.sql)) {
    throw new ConfigurationError(`${path} already has that query of ${runId}.`)
  }
  await addTo(path, entry)
  context.output.write(`It was added to ${path}. Workers read it when they start.\n`)
  return EXIT.answered
}

/**
 * Appends an entry to the file, without changing the text before it.
 * @throws ConfigurationError if the new file would be invalid; then nothing is written
 */
async function addTo(path: string, entry: VerifiedQuery): Promise<void> {
  const before = existsSync(path) ? await readFile(path, 'utf8') : ''
  const known: unknown = parseDocument(before).toJS() ?? []
  const added = `${before === '' || before.endsWith('\n') ? '' : '\n'}${stringify([entry], { lineWidth: 120 })}`
  const document = parseDocument(`${before}${added}`)
  const isRead =
    document.errors.length === 0 && Array.isArray(known) && isDeepStrictEqual(document.toJS(), [...(known as unknown[]), entry])
  if (!isRead) {
    throw new ConfigurationError(
      `${path} cannot take an entry at its end: write it as a list with a line \`- question: …\` for each entry.`,
    )
  }
  await appendFile(path, added)
}

async function helpfulAnswers(context: CommandContext): Promise<readonly Feedback[]> {
  if (context.config.redis.url === undefined) {
    throw new ConfigurationError('Feedback is kept in Redis: set REDIS_URL to the one that the bots and workers use.')
  }
  const given = await wireFeedback(context, await openStateStore(context)).list(context.signal)
  const helpful = given.filter(({ verdict, sql }) => verdict === 'helpful' && sql.length > 0)
  return [...new Map(helpful.map(each => [each.runId, each])).values()]
}

function domainFolder({ config }: CommandContext): string {
  if (config.domainDirectory === undefined) {
    throw new ConfigurationError('There is no domain pack: set CLEW_DOMAIN_DIR to its folder.')
  }
  return config.domainDirectory
}
