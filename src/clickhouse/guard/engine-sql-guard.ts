import { type Rejection, rejection } from '../../warehouse/guard/rejection.ts'
import { splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import type { GuardScope, SqlGuard } from '../../warehouse/sql-guard.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { ParsedVerdict } from '../parsed-query.ts'
import { askCanonical, askQueryTree } from './ask-engine.ts'
import { findCostFault } from './calls/call-costs.ts'
import { type FunctionList, readFunctionList } from './calls/function-list.ts'
import { CLOCKS } from './calls/function-rules.ts'
import { asksForOutput, findTokenFault, renamesColumns } from './canonical-check.ts'
import { isKnownEngineVersion } from './engine-version.ts'
import { MatcherMarks } from './matcher-marks.ts'
import { findTextFault } from './source-text.ts'
import { readQueryTree } from './tree/read-query-tree.ts'
import { walkQueryTree } from './tree/walk-query-tree.ts'
import { UnusualNames } from './unusual-names.ts'

/**
 * The SQL guard for a ClickHouse engine. Only the engine itself decides what SQL means: it prints the SQL as it has parsed it,
 * and the query tree with unresolved names. The guard never runs the SQL. docs/sql-guard.md describes its layers.
 */
export class EngineSqlGuard implements SqlGuard {
  readonly #warehouse: Warehouse
  #functions: FunctionList | undefined

  constructor(deps: { readonly warehouse: Warehouse }) {
    this.#warehouse = deps.warehouse
  }

  async check(sql: string, scope: GuardScope, signal: AbortSignal): Promise<ParsedVerdict> {
    const textFault = findTextFault(sql)
    if (textFault !== undefined) return textFault

    const canonical = await askCanonical(this.#warehouse, sql, signal)
    if (typeof canonical !== 'string') return canonical

    const tokens = splitTokens(canonical)
    if (tokens === undefined) return rejection('not_understood', 'The query as the engine prints it is not understood.')
    const tokenFault = findTokenFault(tokens)
    if (tokenFault !== undefined) return tokenFault

    const matchers = new MatcherMarks(canonical, tokens, scope)
    const names = new UnusualNames(matchers.text, matchers.tokens)
    const lines = await askQueryTree(this.#warehouse, names.text, signal)
    if (isRejection(lines)) return asksForOutput(tokens) ? NO_OUTPUT : { ...lines, message: names.writtenText(lines.message) }
    const read = readQueryTree(lines)
    if (isRejection(read)) return { ...read, message: names.writtenText(read.message) }
    const tree = matchers.readTree(read)
    const nameFault = names.findFault(tree)
    if (nameFault !== undefined) return nameFault

    const functions = await this.#functionList(signal)
    const walked = walkQueryTree(tree, {
      scope,
      functions,
      written: name => names.written(name),
      renamesColumns: renamesColumns(tokens),
    })
    if (isRejection(walked)) return { ...walked, message: names.writtenText(walked.message) }
    const costFault = findCostFault(walked.tree, functions)
    if (costFault !== undefined) return costFault
    const { matched, ...found } = walked
    return {
      ...{ verdict: 'allow', canonical: matchers.expanded(matched), ...found, tree: names.writtenTree(walked.tree) },
      clocks: found.functions.filter(name => CLOCKS.has(name)),
    }
  }

  /**
   * Returns the engine's version, and whether the guard was tested on it. The version is read only once.
   * @throws WarehouseError
   */
  async engine(signal: AbortSignal): Promise<{ readonly version: string; readonly known: boolean }> {
    const { version } = await this.#functionList(signal)
    return { version, known: isKnownEngineVersion(version) }
  }

  /** Returns the engine's functions, and caches them. Concurrent first calls may each read them. A failed read is not cached. */
  async #functionList(signal: AbortSignal): Promise<FunctionList> {
    this.#functions ??= await readFunctionList(this.#warehouse, signal)
    return this.#functions
  }
}

const NO_OUTPUT = rejection('output', 'FORMAT and INTO OUTFILE are not allowed; leave the clause out.')

function isRejection(value: object): value is Rejection {
  return 'verdict' in value && value.verdict === 'reject'
}
