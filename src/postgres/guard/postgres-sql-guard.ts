import type { ClientBase } from 'pg'
import { WarehouseError } from '../../warehouse/error.ts'
import type { GuardScope, GuardVerdict, SqlGuard } from '../../warehouse/sql-guard.ts'
import type { PostgresConnections } from '../connection.ts'
import { POSTGRES_LIMITS } from '../limits.ts'
import { analyze, type Notice } from '../statement.ts'
import { faultOfAnalysis, qualifyTable } from './analysis-fault.ts'
import { findSizeFault } from './call-sizes.ts'
import { judgeQuery, TREE_FAULTS } from './judge-query.ts'
import { parseNodeTree } from './node-tree.ts'
import { judgeQualifiedNames } from './qualified-names.ts'
import { readQueryFacts } from './query-facts.ts'
import { lookUpObjects } from './referenced-objects.ts'
import { readServerObjects, type ServerObjects } from './server-objects.ts'
import { readSqlText, type SqlText } from './sql-text.ts'

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
    let verdict: GuardVerdict | Unqualified = { qualified: sql }
    for (let names = 0; 'qualified' in verdict; names++) {
      const text = readSqlText(verdict.qualified, name => server.isRefused(name))
      if ('verdict' in text) return text
      // A failed analysis ends its transaction.
      verdict = await this.#connections.withTransaction(
        { timeoutMs, printTrees: true },
        client => judge(client, text, { server, scope, mayQualify: names < maxUnqualified }),
        signal,
      )
    }
    if (verdict.verdict === 'allow') this.#remember(verdict.canonical, scope)
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
    const verdict = await judge(client, { sql, pieces: [] }, { server: this.#server, scope, mayQualify: false })
    if ('qualified' in verdict || verdict.verdict === 'allow') return
    throw new WarehouseError(`Something has changed since the query was checked. ${verdict.message}`, { kind: 'query' })
  }

  #remember(canonical: string, scope: GuardScope): void {
    this.#judged.delete(canonical)
    this.#judged.set(canonical, scope)
    const [oldest] = this.#judged.keys()
    if (this.#judged.size > judgedQueries && oldest !== undefined) this.#judged.delete(oldest)
  }
}

/** The text of a query whose next table is now written with its schema. */
interface Unqualified {
  readonly qualified: string
}

async function judge(
  client: ClientBase,
  text: SqlText,
  { server, scope, mayQualify }: { readonly server: ServerObjects; readonly scope: GuardScope; readonly mayQualify: boolean },
): Promise<GuardVerdict | Unqualified> {
  const refused = await judgeQualifiedNames(client, text.pieces, scope)
  if (refused !== undefined) return refused
  let notices: readonly Notice[]
  try {
    notices = await analyze(client, text.sql)
  } catch (error) {
    const qualified = mayQualify ? qualifyTable(error, text.sql, scope) : undefined
    if (qualified !== undefined) return { qualified }
    const fault = faultOfAnalysis(error, text, scope)
    if (fault === undefined) throw error
    return fault
  }
  const tree = parseNodeTree(printedTree(notices) ?? '')
  const facts = tree === undefined ? 'unknown' : readQueryFacts(tree)
  if (tree === undefined || typeof facts === 'string') return TREE_FAULTS[typeof facts === 'string' ? facts : 'unknown']
  const referenced = await lookUpObjects(client, facts)
  const fault = judgeQuery(facts, { server, referenced }, scope) ?? findSizeFault(tree, server)
  if (fault !== undefined) return fault
  return {
    verdict: 'allow',
    canonical: text.sql,
    tables: [...referenced.relations.values()].map(({ name }) => name),
    functions: [...facts.functions].flatMap(oid => server.functions.get(oid) ?? []),
  }
}

/** Returns the tree of the only statement. */
function printedTree(notices: readonly Notice[]): string | undefined {
  const trees = notices.filter(({ message }) => message === 'parse tree:')
  return trees.length === 1 ? trees[0]?.detail : undefined
}
