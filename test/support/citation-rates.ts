import { type AlterationKind, alterations, seeded } from './citation-alterations.ts'
import { type CheckedAnswer, type CitationCase, checkAnswer, unitsOf } from './citation-cases.ts'

interface Counts {
  caught: number
  tried: number
}

/** The results of checking a set of answers, and the mistakes of the check. */
export interface CitationRates {
  readonly answers: number
  readonly units: number
  /** Parts of true answers that the check wrongly refused, with its reasons. */
  readonly alarms: readonly { readonly line: number; readonly unit: string; readonly reasons: readonly string[] }[]
  readonly kinds: ReadonlyMap<string, Readonly<Counts>>
  /** Wrong variants of answers that the check did not notice. */
  readonly missed: readonly { readonly line: number; readonly kind: string; readonly what: string; readonly units: string }[]
}

/**
 * Checks answers, and up to `each` wrong variants per kind. A variant counts if its units were supported before. It is caught if one of its units is
 * refused.
 */
export function measureCitations(cases: readonly CitationCase[], each: number): CitationRates {
  const alarms: CitationRates['alarms'][number][] = []
  const missed: CitationRates['missed'][number][] = []
  const kinds = new Map<string, Counts>()
  let units = 0
  for (const [index, given] of cases.entries()) {
    const line = index + 1
    const checked = checkAnswer(given)
    const before = checked.units
    units += before.filter(({ unit }) => unit.trim() !== '').length
    for (const { unit, verdict } of before)
      if (verdict.kind === 'unsupported')
        alarms.push({ line, unit: unit.trim(), reasons: verdict.problems.map(problem => problem.reason) })
    for (const { kind, answer, what } of alterations(given, seeded(line), each)) {
      const after = unitsOf(answer)
      const wasRefused = before.some(({ unit, verdict }, at) => verdict.kind === 'unsupported' && unit !== after[at])
      if (wasRefused) continue
      const counts = kinds.get(kind) ?? { caught: 0, tried: 0 }
      counts.tried += 1
      const first = after.findIndex((unit, at) => unit !== before[at]?.unit)
      if (refusesMore(checked, first, after)) counts.caught += 1
      else {
        const changed = after.filter((unit, at) => unit !== before[at]?.unit)
        missed.push({ line, kind, what, units: changed.map(unit => unit.trim()).join(' // ') })
      }
      kinds.set(kind, counts)
    }
  }
  return { answers: cases.length, units, alarms, kinds, missed }
}

/** Whether the check refuses a part of the variant that it did not refuse before. Stops at the first such part. */
function refusesMore({ units, verdictsFrom }: CheckedAnswer, first: number, variant: readonly string[]): boolean {
  let at = first
  for (const verdict of verdictsFrom(first, variant)) {
    if (verdict.kind === 'unsupported' && units[at]?.verdict.kind !== 'unsupported') return true
    at += 1
  }
  return false
}

/** Kinds of changes that may, by chance, give a true answer. */
const UNCERTAIN: ReadonlySet<string> = new Set<AlterationKind>(['names swapped', 'claim turned', 'number word'])

/** Returns the share of changed figures, times and names that the check noticed. */
export function caughtShare({ kinds }: CitationRates): number {
  const all = [...kinds].filter(([kind]) => !UNCERTAIN.has(kind)).map(([, counts]) => counts)
  return all.reduce((sum, kind) => sum + kind.caught, 0) / all.reduce((sum, kind) => sum + kind.tried, 0)
}

/** Returns the share of changes of one kind that the check noticed. The kind is one with uncertain results, such as reversed claims. */
export function shareOf(kind: AlterationKind, { kinds }: CitationRates): number {
  const { caught, tried } = kinds.get(kind) ?? { caught: 0, tried: 0 }
  return caught / tried
}

/** Describes both error rates of the check in two lines. */
export function describeRates(set: string, rates: CitationRates): string {
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
  const kinds = [...rates.kinds].map(([kind, { caught, tried }]) => `${kind} ${percent(caught, tried)} of ${tried}`)
  return [
    `citations, ${set}: ${rates.answers} answers, false alarms ${percent(rates.alarms.length, rates.units)} of ${rates.units} units`,
    `  caught ${percent(caughtShare(rates), 1)}: ${kinds.join(', ')}`,
  ].join('\n')
}

/** Lists the mistakes of the check, one per line. */
export function describeErrors({ alarms, missed }: CitationRates): string {
  return [
    ...alarms.map(
      ({ line, unit, reasons }) => `  refused, line ${line}: ${unit}\n${reasons.map(reason => `      ${reason}`).join('\n')}`,
    ),
    ...missed.map(({ line, kind, what, units }) => `  missed, line ${line}: ${kind} ${what} | ${units}`),
  ].join('\n')
}
