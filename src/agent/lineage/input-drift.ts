import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import type { Language } from '../../words/language.ts'
import { lineageWords } from '../../words/lineage.ts'

/** How many rows an input had in the original run and in the replay. */
export interface InputDrift {
  readonly original: number
  readonly replayed: number
}

/** Compares the row counts of the inputs that both runs logged. Returns them by the input's label. */
export function inputDrift(original: LineageGraph, replayed: LineageGraph): Readonly<Record<string, InputDrift>> {
  const rowsOf = (graph: LineageGraph) =>
    new Map(
      graph.nodes.flatMap(({ kind, label, rows }) => (kind === 'input' && rows !== undefined ? [[label, rows] as const] : [])),
    )
  const after = rowsOf(replayed)
  return Object.fromEntries(
    [...rowsOf(original)].flatMap(([label, rows]) => {
      const now = after.get(label)
      return now === undefined ? [] : [[label, { original: rows, replayed: now }]]
    }),
  )
}

/** Writes a sentence about the inputs whose row counts differ. Empty if there are none. */
export function driftSentence(drift: Readonly<Record<string, InputDrift>>, language: Language = 'en'): string {
  const words = lineageWords(language)
  const changed = Object.entries(drift).filter(([, { original, replayed }]) => original !== replayed)
  if (changed.length === 0) return ''
  return words.drifted(changed.map(([label, { original, replayed }]) => words.drift(label, original, replayed)))
}
