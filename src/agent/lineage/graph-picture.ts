import type { GraphPicture, PicturedTable } from '../../charts/picture.ts'
import type { LineageGraph, LineageNode } from '../../pipelines/lineage/graph.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { Language } from '../../words/language.ts'
import { lineageWords } from '../../words/lineage.ts'
import { LINEAGE_LIMITS } from '../limits.ts'

/** Facts for the picture of a run that are not in the run's log. */
export interface GraphMarks {
  readonly suspect?: LineageNode | undefined
  /** The graph of the replay. Its tables still exist. */
  readonly replay?: LineageGraph | undefined
  /** The language of the words in the picture. Default: English. */
  readonly language?: Language | undefined
}

/**
 * Returns the picture of a run's graph. Null if no table is logged. Names in it may contain any characters, so the code that
 * draws them must escape them.
 */
export function graphPicture(graph: LineageGraph, { suspect, replay, language }: GraphMarks = {}): GraphPicture | null {
  const shown = nearest(graph, suspect)
  if (shown.length === 0) return null
  const words = lineageWords(language)
  const part = shown.length < graph.nodes.length ? words.partOfTables(shown.length, graph.nodes.length) : ''
  return {
    kind: 'graph',
    title: `${words.graphTitle(graph.run.job)}${part}`,
    nodes: shown.map(node => picturedTable(node, { suspect, replay })),
    edges: linksBetween(shown, graph),
    ...(language !== undefined && language !== 'en' && { language }),
  }
}

/** Returns each pair of tables between which rows went once, by their places in the list. */
export function linksBetween(nodes: readonly LineageNode[], graph: LineageGraph): GraphPicture['edges'] {
  const places = new Map(nodes.map(({ table }, place) => [qualifiedName(table), place]))
  const links = new Map<string, GraphPicture['edges'][number]>()
  for (const { from: source, to: result } of graph.edges) {
    const [from, to] = [places.get(source), places.get(result)]
    if (from !== undefined && to !== undefined) links.set(`${from} ${to}`, { from, to })
  }
  return [...links.values()]
}

function nearest(graph: LineageGraph, suspect: LineageNode | undefined): readonly LineageNode[] {
  if (graph.nodes.length <= LINEAGE_LIMITS.pictureTables) return graph.nodes
  const starts = [...(suspect === undefined ? [] : [suspect]), ...graph.nodes.filter(hasFailed), ...graph.targets]
  const ways = starts.flatMap(start => graph.backward(start)).toSorted((one, other) => one.depth - other.depth)
  const wanted = new Set([...starts, ...ways.map(({ node }) => node), ...graph.nodes])
  const kept = new Set([...wanted].slice(0, LINEAGE_LIMITS.pictureTables))
  return graph.nodes.filter(node => kept.has(node))
}

export function picturedTable(node: LineageNode, { suspect, replay }: GraphMarks = {}): PicturedTable {
  const { label, kind, state, rows, operation } = node
  const isReplayed = state !== 'live' && replay?.find(label)?.state === 'live'
  return {
    label,
    // A table that no operation of the run made comes from outside the run.
    kind: kind === 'input' && operation?.isMade !== true ? 'outside' : kind,
    state: isReplayed ? 'replayed' : state,
    rows: rows ?? null,
    failed: hasFailed(node),
    suspected: node === suspect,
  }
}

function hasFailed({ operation }: LineageNode): boolean {
  return operation?.hasFailed === true
}
