import { type CitationCase, caseOf, checkAnswer, readLines, readResults } from './citation-cases.ts'

/**
 * A false sentence over results, with a true one like it. They are in files that end in `-pairs.jsonl`, in `test/cases/citations`.
 */
interface StoredPair {
  u: string[]
  q: string
  kind: string
  true: string
  false: string
}

export interface PairRates {
  readonly pairs: number
  /** The false sentences that the check accepted, with their kind. */
  readonly passed: readonly { readonly kind: string; readonly text: string }[]
  /** The true sentences that the check refused, with its reasons. */
  readonly alarms: readonly { readonly kind: string; readonly text: string; readonly reasons: readonly string[] }[]
}

/** Checks the false and the true sentence of each pair. A sentence passes if the check confirms a part of it and refuses none. */
export function measurePairs(pairs: string, results: string): PairRates {
  const passed: PairRates['passed'][number][] = []
  const alarms: PairRates['alarms'][number][] = []
  const stored = readResults(results)
  const lines = readLines(pairs).map(line => JSON.parse(line) as StoredPair)
  for (const { u, q, kind, true: right, false: wrong } of lines) {
    const given = (answer: string) => caseOf(u, q, answer, stored)
    if (reasonsAgainst(given(wrong)).length === 0) passed.push({ kind, text: wrong })
    const reasons = reasonsAgainst(given(right))
    if (reasons.length > 0) alarms.push({ kind, text: right, reasons })
  }
  return { pairs: lines.length, passed, alarms }
}

function reasonsAgainst(given: CitationCase): string[] {
  const { units } = checkAnswer(given)
  const reasons = units.flatMap(({ verdict }) => verdict.problems.map(({ reason }) => reason))
  const isChecked = units.some(({ verdict }) => verdict.kind === 'supported')
  return reasons.length > 0 || isChecked ? reasons : ['nothing in it is checked']
}

/** Describes the error rates in one line, and each mistake in a further line. */
export function describePairs(name: string, { pairs, passed, alarms }: PairRates): string {
  const percent = (part: number) => `${((100 * part) / pairs).toFixed(1)} %`
  return [
    `${name}: ${pairs} pairs, false passed ${percent(passed.length)}, true refused ${percent(alarms.length)}`,
    ...passed.map(({ kind, text }) => `  passed (${kind}): ${text.replaceAll('\n', ' / ')}`),
    ...alarms.map(
      ({ kind, text, reasons }) => `  refused (${kind}): ${text.replaceAll('\n', ' / ')}\n      ${reasons.join('; ')}`,
    ),
  ].join('\n')
}
