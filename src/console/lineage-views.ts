import type { RunAccess } from '../access/run-access.ts'
import { isLimited } from '../access/table-grant.ts'
import { columnLines } from '../agent/lineage/column-lines.ts'
import type { LineageDeps } from '../agent/lineage/context.ts'
import { findRun } from '../agent/lineage/investigate.ts'
import { openGraph } from '../agent/lineage/open-graph.ts'
import { readingAs } from '../agent/lineage/reading-as.ts'
import { LineageToolbox } from '../agent/lineage/toolbox.ts'
import type { PlacedGraph, UnplacedGraph } from '../charts/graph/place-graph.ts'
import { PipelineError } from '../pipelines/error.ts'
import { columnOrigins } from '../pipelines/lineage/column-origins.ts'
import type { LineageGraph, LineageNode } from '../pipelines/lineage/graph.ts'
import type { ListedRun, ListRuns } from '../pipelines/lineage/source.ts'
import { runAtMost } from '../pipelines/run-at-most.ts'
import { quoteIdentifier, quoteTable } from '../warehouse/sql/quote-identifier.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import { quotedValue, whyNull } from './why-null.ts'

/** The answers of the routes. Nodes are named `database.table`; their places are in pixels. */
export type JobRunJson = ReturnType<typeof runJson>
export type RunGraphJson = Awaited<ReturnType<LineageViews['graph']>>
export type GraphNodeJson = RunGraphJson['nodes'][number]
export type NodeJson = Awaited<ReturnType<LineageViews['node']>>
/** How many rows of each table hold a value. Null: the table could not be searched. */
export type HoldersJson = Readonly<Record<string, number | null>>

/** How many rows a table shows, how many columns and tables are looked at, and how many queries of a request run at a time. */
const LIMITS = { rows: 50, columns: 200, searchedTables: 100, atOnce: 4 } as const

export type LineageViewsDeps = Pick<LineageDeps, 'source' | 'guard' | 'warehouse' | 'validatorOn' | 'isPrivate' | 'budget'> & {
  readonly listRuns: ListRuns
  readonly place: (graph: UnplacedGraph, signal: AbortSignal) => Promise<PlacedGraph>
}

/** Runs of pipelines as one viewer may see them: exactly what an investigation may show the same person. */
export class LineageViews {
  readonly #deps: LineageViewsDeps
  readonly #grants: RunAccess['grants'] | undefined

  constructor(deps: LineageViewsDeps, access: RunAccess | undefined) {
    this.#deps = { ...deps, warehouse: readingAs(deps.warehouse, access) }
    this.#grants = access?.grants
  }

  /** Returns the runs of a job, or the latest run of each job. Leaves out runs that the viewer may not open. */
  async runs(job: string | undefined, signal: AbortSignal): Promise<readonly JobRunJson[]> {
    const listed = await this.#deps.listRuns(job, signal)
    if (!isLimited(this.#grants)) return listed.map(runJson)
    const graphs = await this.#openSeen(listed, signal)
    return listed.flatMap(run => {
      const graph = graphs.get(run.id)
      // The name of another program's run may be hidden, so the name comes from what the viewer may see.
      return graph === undefined ? [] : [runJson({ ...run, job: graph.run.job })]
    })
  }

  /** @throws PipelineError if there is no such run, or if the viewer may not see it; WarehouseError */
  async graph(id: string, signal: AbortSignal) {
    const graph = await this.#open(id, signal)
    const { run, nodes, edges } = graph
    const listed = await this.#deps.listRuns(run.job, signal)
    const shown = { ...run, replayOf: listed.find(each => each.id === run.id)?.replayOf }
    const others = comparable(shown, listed)
    const graphs = await this.#openSeen(
      others.map(each => each.run),
      signal,
    )
    const compared = others.filter(each => graphs.has(each.run.id))
    const places = new Map(nodes.map(({ table }, place) => [qualifiedName(table), place]))
    const links = edges.map(({ from, to }) => ({ from: places.get(from) ?? 0, to: places.get(to) ?? 0 }))
    const pairs = [...new Map(links.map(link => [`${link.from} ${link.to}`, link])).values()]
    const placed = await this.#deps.place({ labels: nodes.map(({ label }) => label), links: pairs }, signal)
    return {
      run: { ...runJson(shown), error: run.error, hidden: run.isPartial },
      compared: compared.map(({ role, run: other }) => ({ role, run: runJson(other) })),
      width: placed.width,
      height: placed.height,
      nodes: nodes.map((node, index) => {
        const counts = compared.map(other => rowsOf(graphs.get(other.run.id), node.label))
        const drift = compared.flatMap(({ role }, at) => driftSentence(node.rows, counts[at], role))
        return {
          ...nodeJson(node),
          /** In the order of `compared`. */
          rows_compared: counts,
          drift: node.state === 'live' ? [...drift, ...driftSentence(node.rows, node.rowsNow, 'now')] : drift,
          ...(placed.boxes[index] ?? { x: 0, y: 0, width: 0, height: 0, lines: [] }),
        }
      }),
      lines: pairs.map((pair, index) => ({ ...pair, path: placed.paths[index] ?? '' })),
    }
  }

  /**
   * @param wanted the rows to show: those that hold a value, or those with NULL in a column
   * @throws as `graph` does
   */
  async node(
    id: string,
    table: string,
    wanted: { readonly holds?: string | undefined; readonly null_in?: string | undefined },
    signal: AbortSignal,
  ) {
    const graph = await this.#open(id, signal)
    const node = found(graph, table)
    const tools = new LineageToolbox(this.#deps, graph, this.#grants)
    const schema = await tools.getSchema(table, signal)
    const known = schema.ok ? schema.columns.slice(0, LIMITS.columns) : []
    const names = known.map(({ name }) => name)
    const condition = wanted.null_in === undefined ? holds(wanted.holds, names) : `isNull(${quoteIdentifier(wanted.null_in)})`
    const query = (columns: readonly string[], where: string) =>
      tools.queryTable('E1', `SELECT ${columns.join(', ')} FROM ${quoteTable(node.table)} WHERE ${where}`, LIMITS.rows, signal)
    const nullable = known.filter(({ type }) => type.includes('Nullable(')).map(({ name }) => name)
    const nulls = nullable.length === 0 ? undefined : await query(nullable.map(countOfNulls), 'true')
    const rows = names.length === 0 ? undefined : await query(names.map(quoteIdentifier), condition)
    const origins = node.kind === 'input' ? undefined : columnOrigins(graph, node)
    const columns =
      known.length > 0 ? known : (origins?.fields ?? []).map(({ column: name }) => ({ name, type: '', comment: '' }))
    const text = node.operation?.isMade === true ? node.operation.text : undefined
    return {
      made_by: text === undefined ? null : { template: text.template, sql: text.sql, error: text.error },
      columns: columns.map(column => {
        const fields = origins?.fields.filter(field => field.column === column.name) ?? []
        const count = nulls?.ok ? nulls.evidence.rows[0]?.[nullable.indexOf(column.name)] : undefined
        return {
          ...column,
          nulls: count === undefined ? null : Number(count),
          from: columnLines({ fields, dataset: [] }, graph, 1)[0]?.split(' ← ')[1] ?? null,
        }
      }),
      rows: rows?.ok ? { columns: rows.evidence.columns.map(({ name }) => name), rows: rows.evidence.rows } : null,
      notes: notesOf(node, rows?.ok === true ? rows.note : (rows?.message ?? (schema.ok ? '' : schema.message))),
    }
  }

  /** Follows a NULL of a table's row back to its cause. @throws as `graph` does */
  async why(id: string, table: string, asked: { readonly column: string; readonly key: string }, signal: AbortSignal) {
    const graph = await this.#open(id, signal)
    const tools = new LineageToolbox(this.#deps, graph, this.#grants)
    const rowsWith = async (value: string, name: string) => holds(value, await columnsOf(tools, name, signal))
    return whyNull(graph, found(graph, table), asked, { tools, rowsWith }, signal)
  }

  /** Counts the rows of each table that hold a value. @throws as `graph` does */
  async holders(id: string, value: string, signal: AbortSignal): Promise<HoldersJson> {
    const graph = await this.#open(id, signal)
    const tools = new LineageToolbox(this.#deps, graph, this.#grants)
    const holders: Record<string, number | null> = {}
    const search = (node: LineageNode) => async () => {
      const table = qualifiedName(node.table)
      const names = await columnsOf(tools, table, signal)
      const sql = `SELECT count() FROM ${quoteTable(node.table)} WHERE ${holds(value, names)}`
      const counted = await tools.queryTable('E1', sql, 1, signal)
      holders[table] = counted.ok ? Number(counted.evidence.rows[0]?.[0]) : null
    }
    const live = graph.nodes.filter(({ state }) => state !== 'gone').slice(0, LIMITS.searchedTables)
    await runAtMost(LIMITS.atOnce, live.map(search))
    return holders
  }

  async #open(id: string, signal: AbortSignal): Promise<LineageGraph> {
    const asker = this.#grants === undefined ? {} : { grants: this.#grants }
    const run = await findRun(this.#deps, { job: id, ...asker }, signal)
    return openGraph(this.#deps, run, asker, signal)
  }

  /** Opens those runs that the viewer may see. Returns their graphs by the ids of the runs. */
  async #openSeen(runs: readonly ListedRun[], signal: AbortSignal): Promise<ReadonlyMap<string, LineageGraph>> {
    const graphs = new Map<string, LineageGraph>()
    const open = (id: string) => async () => {
      const graph = await this.#open(id, signal).catch((error: unknown) => {
        if (!(error instanceof PipelineError)) throw error
      })
      if (graph !== undefined) graphs.set(id, graph)
    }
    await runAtMost(
      LIMITS.atOnce,
      runs.map(({ id }) => open(id)),
    )
    return graphs
  }
}

/** @throws PipelineError if the run has no such table */
function found(graph: LineageGraph, table: string): LineageNode {
  const node = graph.find(table)
  if (node === undefined) throw new PipelineError(`The run ${graph.run.id} has no table ${table}.`, { kind: 'not_found' })
  return node
}

async function columnsOf(tools: LineageToolbox, table: string, signal: AbortSignal): Promise<readonly string[]> {
  const schema = await tools.getSchema(table, signal)
  return schema.ok ? schema.columns.slice(0, LIMITS.columns).map(({ name }) => name) : []
}

type Compared = 'before' | 'replay' | 'original'

/** Finds the runs whose numbers of rows stand beside those of a run: its original, or the run before it and its latest replay. */
function comparable(
  run: ListedRun,
  listed: readonly ListedRun[],
): readonly { readonly role: Compared; readonly run: ListedRun }[] {
  const ended = listed.filter(({ id, status }) => id !== run.id && status === 'COMPLETED')
  const startOf = ({ startedAt }: ListedRun) => startedAt?.getTime() ?? 0
  const found: Record<Compared, ListedRun | undefined> = {
    original: listed.find(({ id }) => id === run.replayOf),
    before: ended.find(each => run.replayOf === undefined && each.replayOf === undefined && startOf(each) < startOf(run)),
    replay: ended.find(({ replayOf }) => replayOf === run.id),
  }
  return (['original', 'before', 'replay'] as const).flatMap(role => {
    const other = found[role]
    return other === undefined ? [] : [{ role, run: other }]
  })
}

function runJson({ id, job, status, startedAt, finishedAt, replayOf, isRepeatable }: ListedRun) {
  return {
    id,
    job,
    status,
    started_at: startedAt?.toISOString() ?? null,
    ms: startedAt === undefined || finishedAt === undefined ? null : finishedAt.getTime() - startedAt.getTime(),
    /** The run that this one repeats. */
    replay_of: replayOf ?? null,
    by_clew: isRepeatable,
  }
}

function nodeJson({ table, label, kind, state, rows, rowsNow, operation }: LineageNode) {
  return {
    table: qualifiedName(table),
    label,
    kind: kind === 'input' && operation?.isMade !== true ? ('outside' as const) : kind,
    state,
    rows: rows ?? null,
    rows_now: rowsNow ?? null,
    failed: operation?.hasFailed === true,
    hidden: operation !== undefined && operation.text === undefined,
  }
}

function rowsOf(graph: LineageGraph | undefined, label: string): number | null {
  return graph?.nodes.find(node => node.label === label)?.rows ?? null
}

/** A run before this one read other inputs, so its numbers are no drift. */
function driftSentence(rows: number | undefined, other: number | null | undefined, when: Compared | 'now'): readonly string[] {
  if (rows === undefined || other === null || other === undefined || other === rows || when === 'before') return []
  const where = { now: 'It holds', replay: 'The replay has', original: 'The original run had' }[when]
  const difference = Math.abs(other - rows)
  const more = `${difference} ${other > rows ? 'more' : 'fewer'}`
  return [`${where} ${other} ${other === 1 ? 'row' : 'rows'}${when === 'now' ? ' now' : ''}, ${more} than this run.`]
}

function countOfNulls(column: string): string {
  return `countIf(isNull(${quoteIdentifier(column)}))`
}

/** Returns the condition for rows that hold a value in any column. */
function holds(value: string | undefined, columns: readonly string[]): string {
  if (value === undefined) return 'true'
  return columns.map(column => `toString(${quoteIdentifier(column)}) = ${quotedValue(value)}`).join(' OR ') || 'false'
}

function notesOf({ state, operation }: LineageNode, note: string): readonly string[] {
  const hidden = operation !== undefined && operation.text === undefined
  return [
    ...(hidden ? ['It reads a source that you may not see, so its SQL and columns are hidden.'] : []),
    state === 'gone' ? 'Its rows were dropped at the end of the run. A replay keeps them.' : note,
  ].filter(sentence => sentence !== '')
}
