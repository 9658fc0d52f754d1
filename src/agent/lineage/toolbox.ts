import { BEHIND_A_VIEW, narrowValidator } from '../../access/narrow-warehouse.ts'
import { isLimited, type TableGrant } from '../../access/table-grant.ts'
import { inSlices } from '../../base/slices.ts'
import { plainSentence } from '../../clickhouse/server-failure.ts'
import { columnOrigins } from '../../pipelines/lineage/column-origins.ts'
import type { LineageGraph, LineageNode } from '../../pipelines/lineage/graph.ts'
import { type CostBudget, overBudget } from '../../warehouse/cost/budget.ts'
import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import { estimateByCatalog } from '../../warehouse/cost/estimate-by-catalog.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { PrivateColumnTest } from '../../warehouse/private-columns.ts'
import type { AllowedQuery, QueryValidator } from '../../warehouse/query-validator.ts'
import type { ColumnSchema, Schema } from '../../warehouse/schema.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import type { GuardRejection, SqlGuard } from '../../warehouse/sql-guard.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { boundedCells } from '../query/bounded-cells.ts'
import { costHints } from '../query/narrowing.ts'
import { cellText } from '../write/results-prompt.ts'
import { columnLines } from './column-lines.ts'
import type { Evidence } from './evidence.ts'
import { readGraphSchema } from './graph-tables.ts'
import { unknownLabel, withTableNames } from './label-placeholders.ts'
import { type ToolResult, toolError } from './tool-result.ts'

/** A table of the graph in the form that the model reads. */
export interface GraphNodeView {
  readonly table: string
  readonly label: string
  readonly kind: LineageNode['kind']
  readonly state: LineageNode['state']
  readonly rows: number | null
  readonly rows_now: number | null
  readonly operation_id: string | null
  readonly made_from: readonly string[]
  /** Whether the table is made from tables that the asker may not see. */
  readonly is_hidden: boolean
}

export interface LineageToolboxDeps {
  readonly guard: SqlGuard
  readonly warehouse: Pick<Warehouse, 'read'>
  /** Returns a validator for an investigation's warehouse. That warehouse reads with the asker's roles. */
  readonly validatorOn: (warehouse: Pick<Warehouse, 'read'>) => QueryValidator
  readonly isPrivate: PrivateColumnTest
  readonly budget: CostBudget
}

/** The guard's rejections that mean a forbidden table. All others mean that the SQL is wrong. */
const SCOPE_REJECTIONS: readonly GuardRejection[] = ['out_of_scope', 'table_function']

/**
 * The tools that a model has for one run: list the graph, show SQL and columns, query the tables that still exist. A tool returns
 * errors as results that tell the model what to do next. It throws only if the run is cancelled.
 */
export class LineageToolbox {
  readonly #deps: LineageToolboxDeps
  readonly #graph: LineageGraph
  readonly #validator: QueryValidator
  readonly #isLimited: boolean
  #schema: Promise<Schema> | undefined

  /** @param grants the tables that the asker may see; undefined means all */
  constructor(deps: LineageToolboxDeps, graph: LineageGraph, grants: readonly TableGrant[] | undefined) {
    this.#deps = deps
    this.#graph = graph
    this.#isLimited = isLimited(grants)
    const validator = deps.validatorOn(deps.warehouse)
    this.#validator = this.#isLimited ? narrowValidator(validator, () => undefined) : validator
  }

  listGraphNodes(): ToolResult<{ readonly nodes: readonly GraphNodeView[] }> {
    const { nodes, edges } = this.#graph
    return {
      ok: true,
      nodes: nodes.map(({ table, label, kind, state, rows, rowsNow, operation }) => ({
        table: qualifiedName(table),
        label,
        kind,
        state,
        rows: rows ?? null,
        rows_now: rowsNow ?? null,
        operation_id: operation?.text === undefined ? null : operation.operationId,
        is_hidden: operation !== undefined && operation.text === undefined,
        made_from: edges.filter(({ to }) => to === qualifiedName(table)).map(({ from, role }) => `${role}: ${from}`),
      })),
    }
  }

  /**
   * Traces the columns of each target back to the inputs, and writes their origins in lines. Leaves out targets without logged
   * column lineage.
   */
  columnOrigins(): readonly { readonly label: string; readonly lines: readonly string[] }[] {
    return this.#graph.targets.flatMap(node => {
      const origins = columnOrigins(this.#graph, node)
      const lines = origins === undefined ? [] : columnLines(origins, this.#graph, LINEAGE_LIMITS.columnLines)
      return lines.length === 0 ? [] : [{ label: node.label, lines }]
    })
  }

  /** Returns the labels of the tables that a tool call names in its arguments. */
  tablesOf({ operation_id: operation, table, sql }: Readonly<Record<string, unknown>>): readonly string[] {
    const named = [operation, table].flatMap(name => (typeof name === 'string' ? (this.#find(name) ?? []) : []))
    const words =
      typeof sql === 'string'
        ? withTableNames(sql, this.#graph)
            .replaceAll('`', '')
            .split(/[^\w.]+/)
        : []
    const read = this.#graph.nodes.filter(node => words.includes(qualifiedName(node.table)) || words.includes(node.table.name))
    return [...named, ...read].map(({ label }) => label)
  }

  /** @param name the id of an operation, or the name or label of its output table */
  getOperationSql(name: string): ToolResult<{
    readonly operation_id: string
    readonly result: string
    readonly template: string
    readonly sql: string
    readonly inputs: Readonly<Record<string, string>>
    /** Where the columns come from, one line each. Empty if the origins are not logged. */
    readonly columns: readonly string[]
    readonly rows: number
    readonly error: string
  }> {
    const node = this.#find(name)
    if (node === undefined) return this.#notFound(name)
    const { operation } = node
    if (operation?.isMade !== true) {
      return toolError('not_found', `${node.label} was not made by this run: it was there already, filled by somebody else.`)
    }
    const { operationId, result, inputs, rows, text } = operation
    if (text === undefined) {
      return toolError('hidden', `How ${node.label} is made is hidden: it reads a source that the asker may not see.`)
    }
    const { template, sql, columnLineage, error } = text
    return {
      ok: true,
      operation_id: operationId,
      result: qualifiedName(result),
      inputs: Object.fromEntries(inputs.map(({ role, table }) => [role, qualifiedName(table)])),
      columns: columnLineage === undefined ? [] : columnLines(columnLineage, this.#graph, LINEAGE_LIMITS.columnLines),
      rows: rows ?? 0,
      error,
      // The long texts come last, because a long result is cut at its end.
      template: template.slice(0, LINEAGE_LIMITS.sqlCharacters),
      sql: sql.slice(0, LINEAGE_LIMITS.sqlCharacters),
    }
  }

  async getSchema(
    name: string,
    signal: AbortSignal,
  ): Promise<
    ToolResult<{ readonly table: string; readonly columns: readonly Pick<ColumnSchema, 'name' | 'type' | 'comment'>[] }>
  > {
    const node = this.#graph.find(name)
    if (node === undefined) return this.#notFound(name)
    if (node.state === 'gone') return this.#notLive(node)
    return this.#attempt(async () => {
      const { tables } = await this.#readSchema(signal)
      const columns = tables.find(table => qualifiedName(table) === qualifiedName(node.table))?.columns ?? []
      const shown = columns.filter(({ isPrivate }) => !isPrivate)
      return {
        ok: true,
        table: qualifiedName(node.table),
        // If the asker's rights are limited, the comments are left out, because they may name hidden tables.
        columns: shown.map(({ name: column, type, comment }) => ({
          name: column,
          type,
          comment: this.#isLimited ? '' : comment,
        })),
      }
    }, signal)
  }

  /**
   * Runs the model's SQL on the tables that still exist.
   * @param id the id by which the answer may cite the rows
   * @param written the SQL, which names tables by `{{ label }}` or by their names
   */
  async queryTable(
    id: string,
    written: string,
    rowLimit: number | undefined,
    signal: AbortSignal,
  ): Promise<ToolResult<{ readonly evidence: Evidence; readonly note: string }>> {
    const { guard, warehouse } = this.#deps
    const sql = withTableNames(written, this.#graph)
    return this.#attempt(async () => {
      const schema = await this.#readSchema(signal)
      const scope = scopeOfSchema(schema, [this.#graph.nodes[0]?.table.database ?? 'default'])
      const verdict = await guard.check(sql, scope, signal)
      if (verdict.verdict === 'reject') return this.#rejected(verdict.code, verdict.message, sql)
      const fault = await this.#check(verdict, schema, signal)
      if (fault !== undefined) return fault
      const maxRows = Math.min(Math.max(1, Math.trunc(rowLimit ?? LINEAGE_LIMITS.defaultRows)), LINEAGE_LIMITS.mostRows)
      const query = { sql: verdict.canonical, maxRows, timeoutMs: LINEAGE_LIMITS.queryTimeoutMs }
      const { columns, truncated, ...read } = await this.#told(verdict, schema, () => warehouse.read(query, signal))
      const rows = await inSlices(boundedCells({ columns, rows: read.rows }))
      const replaced = this.#graph.nodes.filter(
        ({ table, state }) => state === 'replaced' && verdict.tables.includes(qualifiedName(table)),
      )
      const notes = [
        ...(truncated ? [`Only the first ${maxRows} rows: there are more.`] : []),
        ...replaced.map(({ label }) => `${label} holds another run's rows by now, not those that this run saw.`),
      ]
      const labels = verdict.tables.map(name => this.#graph.find(name)?.label ?? name)
      return {
        ok: true,
        evidence: { id, table: labels.join(', '), sql: verdict.canonical, columns, rows, truncated },
        note: notes.join(' '),
      }
    }, signal)
  }

  /** Checks a query's names, types and cost. Returns undefined if the query is allowed to run. */
  async #check(query: AllowedQuery, schema: Schema, signal: AbortSignal): Promise<ToolResult<never> | undefined> {
    const { budget } = this.#deps
    const isAffordable = (cost: CostEstimate) => overBudget(cost, budget) === null
    const check = () => this.#validator.check(query, { schema, isAffordable, asItStands: true }, signal)
    const checked = await this.#told(query, schema, check)
    if (checked.verdict === 'invalid') {
      return toolError('query_failed', this.#readsBehindView(query, schema) ? BEHIND_A_VIEW : checked.message)
    }
    const { cost } = checked
    const estimate = cost.verdict === 'estimated' ? cost.estimate : estimateByCatalog(query.tables, schema)
    const excess = overBudget(estimate, budget)
    if (excess === null) return undefined
    const hints = costHints(estimate, schema).join('\n')
    return toolError(
      'too_expensive',
      `The query was not run: it ${excess}. Read fewer columns, or only the rows that matter by a condition on what its tables are ordered or partitioned by.\n${hints}`,
    )
  }

  /**
   * Whether an asker with limited rights reads a view. Such an asker may see the view, but not the tables behind it. Errors of
   * the view may name and quote these tables.
   */
  #readsBehindView({ tables }: AllowedQuery, schema: Schema): boolean {
    const isPlain = (table: string) =>
      schema.tables.some(each => qualifiedName(each) === table && each.engine.endsWith('MergeTree'))
    return this.#isLimited && !tables.every(isPlain)
  }

  async #told<Value>(query: AllowedQuery, schema: Schema, ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof WarehouseError) || !this.#readsBehindView(query, schema)) throw error
      throw new WarehouseError(BEHIND_A_VIEW, { kind: error.kind, cause: error })
    }
  }

  #rejected(code: GuardRejection, message: string, sql: string): ToolResult<never> {
    const dead = this.#graph.nodes.find(({ table, state }) => state === 'gone' && sql.includes(table.name))
    if (dead !== undefined) return this.#notLive(dead)
    const unknown = unknownLabel(sql, this.#graph)
    if (unknown !== undefined) return this.#notFound(unknown)
    return toolError(SCOPE_REJECTIONS.includes(code) ? 'out_of_scope' : 'not_select', message)
  }

  #find(name: string): LineageNode | undefined {
    return this.#graph.nodes.find(({ operation }) => operation?.operationId === name) ?? this.#graph.find(name)
  }

  #notFound(name: string): ToolResult<never> {
    const labels = this.#graph.nodes.map(({ label }) => label).join(', ')
    return toolError('not_found', `There is no ${cellText(name.slice(0, 100))} in this run. Its tables are: ${labels}.`)
  }

  #notLive({ label, operation }: LineageNode): ToolResult<never> {
    if (operation !== undefined && operation.text === undefined) {
      return toolError('not_live', `The rows of ${label} are gone, or the asker may not see them.`)
    }
    return toolError(
      'not_live',
      `The rows of ${label} were dropped with the end of the job. Find the cause in what is there or, where only they can tell, call request_full_replay.`,
    )
  }

  #readSchema(signal: AbortSignal): Promise<Schema> {
    this.#schema ??= readGraphSchema(this.#deps, this.#graph, signal).catch((error: unknown) => {
      this.#schema = undefined
      throw error
    })
    return this.#schema
  }

  async #attempt<Value>(work: () => Promise<ToolResult<Value>>, signal: AbortSignal): Promise<ToolResult<Value>> {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
      return toolError('query_failed', plainSentence(error))
    }
  }
}
