import { atOnce } from '../base/slices.ts'
import { checkFigure } from './check-figure.ts'
import { wrongNamedExtreme } from './claims/named-extremes.ts'
import { wrongComparison } from './claims/wrong-comparison.ts'
import { wrongList } from './claims/wrong-list.ts'
import { wrongMix } from './claims/wrong-mix.ts'
import { sizesSaid, wrongSize } from './claims/wrong-size.ts'
import { wrongTurn } from './claims/wrong-turn.ts'
import { wrongWhole } from './claims/wrong-whole.ts'
import type { Stated } from './derive/derivation.ts'
import type { Figure } from './figures/figure.ts'
import { AT_AN_END, SAYS } from './figures/wording.ts'
import { CHECK_LIMITS } from './limits.ts'
import type { Mention } from './mentions.ts'
import { type Grounds, type Parsed, parseText } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import type { ResultIndex } from './rows/result-index.ts'
import { groupsOfRows } from './rows/row-groups.ts'
import type { Match } from './support.ts'
import { unknownNames } from './unknown-names.ts'
import type { Problem } from './unsupported-figure.ts'

/** The facts from earlier sentences that the checked sentence may build on. */
export interface Before {
  readonly mentions: readonly Mention[]
  readonly stated: readonly Stated[]
  /** The numbers of rows or things that the earlier sentences mention, such as 5 for "these five". */
  readonly sizes: ReadonlySet<number>
}

/** The problems of a text, and the facts that later texts may build on. */
export interface TextCheck extends Before {
  readonly problems: readonly Problem[]
  /** The text has a figure, a name or a superlative, or speaks of what is not there. Otherwise there is nothing in it to check. */
  readonly isClaim: boolean
}

/** Checks a sentence or a bullet against the results that it cites. */
export function checkText(text: string, grounds: Grounds, before?: Before): TextCheck {
  return atOnce(checkTextInParts(text, grounds, before))
}

/** Checks like `checkText`, one figure or claim at each step. A step over a large result takes milliseconds. */
export function* checkTextInParts(
  text: string,
  grounds: Grounds,
  before: Before = { mentions: [], stated: [], sizes: new Set() },
): Generator<void, TextCheck> {
  const read = { ...parseText(text, grounds), earlier: before.mentions }
  const parsed = { ...read, groups: groupsOfRows(read, grounds.results) }
  const { mentions } = parsed
  if (parsed.figures.length > CHECK_LIMITS.figures) {
    const reason = 'this has too many figures to be checked in one sentence'
    return { problems: [{ text: text.slice(0, 40), reason }], mentions, stated: [], sizes: new Set(), isClaim: true }
  }
  yield
  const { shown, wrong, stated } = yield* checkFigures(parsed, grounds, before.stated)
  // If a working proves a figure, the check skips the wording around this figure: the working names the exact cells.
  const proven = parsed.figures.filter(figure => provenBy(figure, parsed.written, grounds) !== undefined)
  const isWorked = proven.length > 0 && proven.length === parsed.figures.length
  const claims = [
    wrongTurn(parsed, shown, isWorked),
    wrongMix(parsed, grounds.results),
    wrongWhole(parsed, shown, grounds.results, grounds),
    wrongSize(parsed, grounds, before.sizes),
    wrongList(parsed),
    isWorked ? undefined : wrongComparison(parsed, shown, grounds.results),
  ]
  yield
  const found = [...wrong, ...claims].filter(problem => problem !== undefined)
  const context = { text: '', mentions: before.mentions }
  const untrue =
    found.length === 0 && proven.length === 0
      ? wrongNamedExtreme({ parsed, results: grounds.results, context, shown })
      : undefined
  if (untrue) found.push({ text: text.slice(0, 80), reason: untrue })
  yield
  // "At 10:30 Berlin time" names the asker's zone.
  const known = `${grounds.known}\n${grounds.zones.join('\n').toLowerCase()}`
  const unknown = unknownNames(text, [...mentions, ...parsed.figures], known, grounds.results, grounds.language)
  return {
    problems: [...found, ...unknown],
    mentions,
    isClaim: parsed.written.length + mentions.length > 0 || isOfNothing(text, grounds.results) || text.search(AT_AN_END) >= 0,
    stated: stated.slice(-CHECK_LIMITS.statedBefore).map(figure => ({ ...figure, at: -1 })),
    sizes: new Set(sizesSaid(parsed)),
  }
}

/** Whether the text says that something is not there, and the results have no rows, a 0 or a NULL. */
function isOfNothing(text: string, results: readonly ResultIndex[]): boolean {
  if (results.every(({ rowCount }) => rowCount === 0)) return true
  return (
    SAYS.none.test(text) &&
    results.some(({ numbers }) => numbers.some(({ facts, values }) => facts.hasWithin(0, 0) || values.some(Number.isNaN)))
  )
}

interface CheckedFigures {
  /** The cells that each figure shows. A derived figure has an empty list. */
  readonly shown: ReadonlyMap<Figure, readonly Match[]>
  readonly wrong: readonly Problem[]
  readonly stated: readonly Stated[]
}

/** Checks the figures. A figure that fails is checked again once other figures are supported, because it may be derived from them. */
function* checkFigures(parsed: Parsed, grounds: Grounds, before: readonly Stated[]): Generator<void, CheckedFigures> {
  const shown = new Map<Figure, readonly Match[]>()
  const stated: Stated[] = []
  let open = parsed.figures
  let wrong: Problem[] = []
  for (let round = 0; round < CHECK_LIMITS.rounds && open.length > 0; round++) {
    const known = [...before, ...stated].slice(-CHECK_LIMITS.statedBefore)
    const failed: Figure[] = []
    wrong = []
    for (const figure of open) {
      const found = checkFigure(figure, { ...parsed, stated: known }, grounds)
      if (Array.isArray(found)) {
        shown.set(figure, found)
        stated.push(...statedBy(figure, found, grounds.results))
      } else {
        failed.push(figure)
        wrong.push(found as Problem)
      }
      yield
    }
    if (failed.length === open.length && round > 0) break
    open = failed
  }
  return { shown, wrong, stated }
}

/** Returns the number that a figure stands for: the cell's value if the cell is known, else the number as written. */
function statedBy(figure: Figure, matches: readonly Match[], results: readonly ResultIndex[]): Stated[] {
  const reading = figure.readings[0]
  if (reading === undefined || figure.word !== undefined || figure.date !== undefined) return []
  const [first] = matches
  const column = results.find(result => result.id === first?.query)?.numbers.find(candidate => candidate.name === first?.column)
  if (first !== undefined && column !== undefined && matches.every(match => match.value === first.value))
    return [{ value: first.value, column, at: figure.start }]
  // "About 588,632" is exact to its digits. "About 600,000" is not.
  if (figure.about !== undefined && reading.looseStep > 0.001 * Math.abs(reading.value)) return []
  const { unit } = figure
  return [
    {
      value: reading.value,
      at: figure.start,
      column: { whole: !reading.digits.includes('.'), fraction: false, ...(unit && { unit }) },
    },
  ]
}
