import type { ClientBase } from 'pg'
import { WarehouseError } from '../../warehouse/error.ts'
import type { GuardScope, GuardVerdict, SqlGuard } from '../../warehouse/sql-guard.ts'
import type { PostgresConnections } from '../connection.ts'
import { POSTGRES_LIMITS } from '../limits.ts'
import { analyze, type Notice } from '../statement.ts'
import { qualifyTable, refuseByAnalysis } from './analysis-fault.ts'
import { judgeSizes } from './call-sizes.ts'
import { clocksIn } from './clocks.ts'
import { judgeQuery } from './judge-query.ts'
import { parseNodeTree } from './node-tree.ts'
import { judgeQualifiedNames } from './qualified-names.ts'
import { QueryFacts } from './query-facts.ts'
import { lookUpObjects } from './referenced-objects.ts'
import { Refusal, refuseUnknown } from './refusal.ts'
import { readServerObjects, type ServerObjects } from './server-objects.ts'
import { readSqlText, type SqlText } from './sql-text.ts'
import { traceResult } from './trace-columns.ts'

const { timeoutMs, judgedQueries, maxUnqualified } = POSTGRES_LIMITS.guard

/**
 * The SQL guard for a Postgres server. Only the server itself decides what SQL means: it analyzes the query without running it,
 * and prints the analyzed tree, in which every table, column, function and type is an id. docs/sql-guard.md describes it.
 */
export class PostgresSqlGuard implements SqlGuard {
  readonly #connections: PostgresConnections
  #server: ServerObjects | undefined
  /** The scopes of the latest allowed queries, by the text that runs. */
  readonly #judged = new Map<string, GuardScope>()

  constructor(deps: { readonly connections: PostgresConnections }) {
    this.#connections = deps.connections
  }

  /** @throws WarehouseError also for mistakes in names and types, which the server's analysis finds */
  async check(sql: string, scope: GuardScope, signal: AbortSignal): Promise<GuardVerdict> {
    this.#server ??= await this.#connections.withTransaction({ timeoutMs }, readServerObjects, signal)
    const server = this.#server
    let verdict: Allowed | Unqualified = { qualified: sql }
    try {
      for (let names = 0; 'qualified' in verdict; names++) {
        const text = readSqlText(verdict.qualified, name => server.isRefused(name))
        // A failed analysis ends its transaction.
        verdict = await this.#connections.withTransaction(
          { timeoutMs, printTrees: true },
          client => judge(client, text, { server, scope, mayQualify: names < maxUnqualified }),
          signal,
        )
      }
    } catch (error) {
      if (error instanceof Refusal) return error.verdict
      throw error
    }
    this.#remember(verdict.canonical, scope)
    return verdict
  }

  /**
   * Judges a query again in the transaction that runs it, whose locks keep its tables as they are. Another column may have come
   * since the first time. Does nothing for a text that the guard has not judged, such as the program's own.
   * @param client a transaction with `printTrees`
   * @throws WarehouseError if the query is no longer allowed
   */
  async recheck(client: ClientBase, sql: string): Promise<void> {
    const scope = this.#judged.get(sql)
    if (scope === undefined || this.#server === undefined) return
    await judge(client, { sql, pieces: [] }, { server: this.#server, scope, mayQualify: false }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      throw new WarehouseError(`Something has changed since the query was checked. ${error.message}`, { kind: 'query' })
    })
  }

  #remember(canonical: string, scope: GuardScope): void {
    this.#judged.delete(canonical)
    this.#judged.set(canonical, scope)
    const [oldest] = this.#judged.keys()
    if (this.#judged.size > judgedQueries && oldest !== undefined) this.#judged.delete(oldest)
  }
}

type Allowed = Extract<GuardVerdict, { verdict: 'allow' }>

/** The text of a query whose next table is now written with its schema. */
interface Unqualified {
  readonly qualified: string
}

async function judge(
  client: ClientBase,
  text: SqlText,
  { server, scope, mayQualify }: { readonly server: ServerObjects; readonly scope: GuardScope; readonly mayQualify: boolean },
): Promise<Allowed | Unqualified> {
  await judgeQualifiedNames(client, text.pieces, scope)
  let notices: readonly Notice[]
  try {
    notices = await analyze(client, text.sql)
  } catch (error) {
    const qualified = mayQualify ? qualifyTable(error, text.sql, scope) : undefined
    return qualified === undefined ? refuseByAnalysis(error, text, scope) : { qualified }
  }
  const [printed = '', ...others] = notices.flatMap(({ message, detail }) => (message === 'parse tree:' ? [detail] : []))
  const tree = (others.length === 0 && parseNodeTree(printed)) || refuseUnknown()
  const facts = new QueryFacts(tree)
  const referenced = await lookUpObjects(client, facts)
  judgeQuery(facts, { server, referenced }, scope)
  judgeSizes(tree, server)
  return {
    verdict: 'allow',
    canonical: text.sql,
    tables: [...referenced.relations.values()].map(({ name }) => name),
    functions: [...facts.functions].flatMap(oid => server.functions.get(oid) ?? []),
    clocks: clocksIn(tree, text.sql),
    inputs: traceResult(tree, referenced),
  }
}
