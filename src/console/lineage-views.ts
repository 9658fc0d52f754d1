import type { RunAccess } from '../access/run-access.ts'
import { isLimited } from '../access/table-grant.ts'
import { columnLines } from '../agent/lineage/column-lines.ts'
import type { LineageDeps } from '../agent/lineage/context.ts'
import { linksBetween, picturedTable } from '../agent/lineage/graph-picture.ts'
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
import { rowsWith, whyNull } from './why-null.ts'

/** The answers of the routes. Nodes are named `database.table`; their places are in pixels. */
export type JobRunJson = ReturnType<typeof runJson>
export type RunGraphJson = Awaited<ReturnType<LineageViews['graph']>>
export type GraphNodeJson = RunGraphJson['nodes'][number]
export type NodeJson = Awaited<ReturnType<LineageViews['node']>>
/** How many rows of each table hold a value. Null: the table could not be searched. */
export type HoldersJson = Readonly<Record<string, number | null>>

/** Rows that hold a value, or have NULL in a column. Otherwise the first ones. */
interface WantedRows {
  readonly holds?: string | undefined
  readonly null_in?: string | undefined
}

/** How many rows and columns a table shows, how many tables are searched, and how many queries of a request run at a time. */
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
    // The name of another program's run may be hidden, so the name comes from what the viewer may see.
    return (await this.#openSeen(listed, signal)).map(({ run, graph }) => runJson({ ...run, job: graph.run.job }))
  }

  /** @throws PipelineError if there is no such run, or if the viewer may not see it; WarehouseError */
  async graph(id: string, signal: AbortSignal) {
    const { graph } = await this.#open(id, signal)
    const { run, nodes } = graph
    const listed = await this.#deps.listRuns(run.job, signal)
    const shown = { ...run, replayOf: listed.find(each => each.id === run.id)?.replayOf }
    const compared = await this.#openSeen(comparable(shown, listed), signal)
    const links = linksBetween(nodes, graph)
    const placed = await this.#deps.place({ labels: nodes.map(({ label }) => label), links }, signal)
    return {
      run: { ...runJson(shown), error: run.error, hidden: run.isPartial },
      compared: compared.map(({ run: other }) => ({ role: other.role, run: runJson(other) })),
      width: placed.width,
      height: placed.height,
      nodes: nodes.map((node, index) => {
        const counts = compared.map(other => other.graph.nodes.find(({ label }) => label === node.label)?.rows)
        const drift = compared.flatMap((other, at) => driftSentence(node.rows, counts[at], other.run.role))
        return {
          ...{ ...picturedTable(node), table: qualifiedName(node.table), state: node.state, rows_now: node.rowsNow ?? null },
          /** In the order of `compared`. */
          rows_compared: counts.map(rows => rows ?? null),
          drift: node.state === 'live' ? [...drift, ...driftSentence(node.rows, node.rowsNow, 'now')] : drift,
          ...(placed.boxes[index] ?? { x: 0, y: 0, width: 0, height: 0, lines: [] }),
        }
      }),
      lines: links.map((link, index) => ({ ...link, path: placed.paths[index] ?? '' })),
    }
  }

  /** Shows a table with some of its rows. @throws as `graph` does */
  async node(id: string, name: string, wanted: WantedRows, signal: AbortSignal) {
    const { graph, node, tools } = await this.#openTable(id, name, signal)
    const schema = await tools.getSchema(name, signal)
    const known = schema.ok ? schema.columns.slice(0, LIMITS.columns) : []
    const select = async (columns: readonly string[], where: string) => {
      const sql = `SELECT ${columns.join(', ')} FROM ${quoteTable(node.table)} WHERE ${where}`
      return columns.length === 0 ? undefined : tools.queryTable('E1', sql, LIMITS.rows, signal)
    }
    const nullable = known.filter(({ type }) => type.includes('Nullable(')).map(column => column.name)
    const nulls = await select(nullable.map(countOfNulls), 'true')
    const { holds, null_in: nullIn } = wanted
    const ofValue = holds === undefined ? 'true' : await rowsWith(holds, name, tools, signal)
    const condition = nullIn === undefined ? ofValue : `isNull(${quoteIdentifier(nullIn)})`
    const names = known.map(column => quoteIdentifier(column.name))
    const rows = await select(names, condition)
    const origins = node.kind === 'input' ? undefined : columnOrigins(graph, node)
    const logged = (origins?.fields ?? []).map(({ column }) => ({ name: column, type: '', comment: '' }))
    const { operation } = node
    const text = operation?.isMade === true ? operation.text : undefined
    return {
      made_by: text === undefined ? null : { template: text.template, sql: text.sql, error: text.error },
      columns: (known.length > 0 ? known : logged).map(column => {
        const fields = origins?.fields.filter(field => field.column === column.name) ?? []
        const count = nulls?.ok ? nulls.evidence.rows[0]?.[nullable.indexOf(column.name)] : undefined
        return {
          ...column,
          nulls: count === undefined ? null : Number(count),
          from: columnLines({ fields, dataset: [] }, graph, 1)[0]?.split(' ← ')[1] ?? null,
        }
      }),
      rows: rows?.ok ? { columns: rows.evidence.columns.map(column => column.name), rows: rows.evidence.rows } : null,
      notes: notesOf(node, rows?.ok === true ? rows.note : (rows?.message ?? (schema.ok ? '' : schema.message))),
    }
  }

  /** Follows a NULL of a table's row back to its cause. @throws as `graph` does */
  async why(id: string, name: string, asked: { readonly column: string; readonly key: string }, signal: AbortSignal) {
    const { graph, node, tools } = await this.#openTable(id, name, signal)
    return whyNull(graph, node, asked, tools, signal)
  }

  /** Counts the rows of each table that hold a value. @throws as `graph` does */
  async holders(id: string, value: string, signal: AbortSignal): Promise<HoldersJson> {
    const { graph, tools } = await this.#open(id, signal)
    const holders: Record<string, number | null> = {}
    const search = (node: LineageNode) => async () => {
      const table = qualifiedName(node.table)
      const sql = `SELECT count() FROM ${quoteTable(node.table)} WHERE ${await rowsWith(value, table, tools, signal)}`
      const counted = await tools.queryTable('E1', sql, 1, signal)
      holders[table] = counted.ok ? Number(counted.evidence.rows[0]?.[0]) : null
    }
    const live = graph.nodes.filter(({ state }) => state !== 'gone').slice(0, LIMITS.searchedTables)
    await runAtMost(LIMITS.atOnce, live.map(search))
    return holders
  }

  async #open(id: string, signal: AbortSignal) {
    const asker = this.#grants === undefined ? {} : { grants: this.#grants }
    const run = await findRun(this.#deps, { job: id, ...asker }, signal)
    const graph = await openGraph(this.#deps, run, asker, signal)
    return { graph, tools: new LineageToolbox(this.#deps, graph, this.#grants) }
  }

  /** @throws PipelineError also if the run has no such table */
  async #openTable(id: string, name: string, signal: AbortSignal) {
    const { graph, tools } = await this.#open(id, signal)
    const node = graph.find(name)
    if (node === undefined) throw new PipelineError(`The run ${graph.run.id} has no table ${name}.`, { kind: 'not_found' })
    return { graph, node, tools }
  }

  /** Opens those runs that the viewer may see. */
  async #openSeen<Run extends ListedRun>(runs: readonly Run[], signal: AbortSignal) {
    const graphs = new Map<Run, LineageGraph>()
    const work = runs.map(run => async () => {
      const opened = await this.#open(run.id, signal).catch(noneIfHidden)
      if (opened !== undefined) graphs.set(run, opened.graph)
    })
    await runAtMost(LIMITS.atOnce, work)
    return runs.flatMap(run => {
      const graph = graphs.get(run)
      return graph === undefined ? [] : [{ run, graph }]
    })
  }
}

function noneIfHidden(error: unknown): undefined {
  if (!(error instanceof PipelineError)) throw error
}

type Compared = 'before' | 'replay' | 'original' | 'now'

/** Finds the runs whose numbers of rows stand beside those of a run: its original, or the run before it and its latest replay. */
function comparable(run: ListedRun, listed: readonly ListedRun[]) {
  const ended = listed.filter(({ id, status }) => id !== run.id && status === 'COMPLETED')
  const startOf = ({ startedAt }: ListedRun) => startedAt?.getTime() ?? 0
  const before = ended.find(each => run.replayOf === undefined && each.replayOf === undefined && startOf(each) < startOf(run))
  const found = [
    ['original', listed.find(({ id }) => id === run.replayOf)],
    ['before', before],
    ['replay', ended.find(({ replayOf }) => replayOf === run.id)],
  ] as const
  return found.flatMap(([role, other]) => (other === undefined ? [] : [{ ...other, role }]))
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

/** A run before this one read other inputs, so its numbers are no drift. */
function driftSentence(rows: number | undefined, other: number | undefined, when: Compared): readonly string[] {
  if (rows === undefined || other === undefined || other === rows || when === 'before') return []
  const where = { now: 'It holds', replay: 'The replay has', original: 'The original run had' }[when]
  const difference = Math.abs(other - rows)
  const more = `${difference} ${other > rows ? 'more' : 'fewer'}`
  return [`${where} ${other} ${other === 1 ? 'row' : 'rows'}${when === 'now' ? ' now' : ''}, ${more} than this run.`]
}

function countOfNulls(column: string): string {
  return `countIf(isNull(${quoteIdentifier(column)}))`
}

function notesOf({ state, operation }: LineageNode, note: string): readonly string[] {
  const hidden = operation !== undefined && operation.text === undefined
  return [
    ...(hidden ? ['It reads a source that you may not see, so its SQL and columns are hidden.'] : []),
    state === 'gone' ? 'Its rows were dropped at the end of the run. A replay keeps them.' : note,
  ].filter(sentence => sentence !== '')
}
