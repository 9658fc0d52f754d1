import { checkFigure } from './check-figure.ts'
import { wrongExtreme } from './claims/extremes.ts'
import { wrongInText } from './claims/rules.ts'
import { wordsOfTurn } from './claims/wrong-direction.ts'
import type { Figure } from './figures/figure.ts'
import { fits } from './figures/fits.ts'
import { AT_AN_END, SAYS } from './figures/wording.ts'
import { isKnown } from './known-figures.ts'
import { CHECK_LIMITS } from './limits.ts'
import type { Mention } from './mentions.ts'
import { type CheckedText, type Grounds, type Parsed, parseText } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import type { ResultIndex } from './rows/result-index.ts'
import type { Match } from './support.ts'
import { unknownNames } from './unknown-names.ts'
import type { Problem } from './unsupported-figure.ts'
import { comparableAmount } from './workings/worked-figure.ts'
import { WorkBench } from './workings/working.ts'

/** The facts from earlier sentences that the checked sentence may build on. */
export interface Before {
  readonly mentions: readonly Mention[]
  /** The numbers of rows or things that the earlier sentences mention, such as 5 for "these five". */
  readonly sizes: ReadonlySet<number>
}

export interface TextCheck {
  readonly problems: readonly Problem[]
  /** The text has a figure, a name or a superlative, or speaks of what is not there. Otherwise there is nothing in it to check. */
  readonly isClaim: boolean
  /** The figures without a working that a single cell shows, with this cell. */
  readonly cells: readonly (readonly [Figure, Match])[]
}

/**
 * Checks a sentence or a bullet against the results that it cites, one figure or claim at each step. A step over a large result
 * takes milliseconds.
 */
export function* checkText(
  text: string,
  grounds: Grounds,
  before: Before = { mentions: [], sizes: new Set() },
): Generator<void, TextCheck> {
  const parsed = { ...parseText(text, grounds), sizes: before.sizes }
  const { mentions } = parsed
  if (parsed.figures.length > CHECK_LIMITS.figures) {
    const reason = 'this has too many figures to be checked in one sentence'
    return { problems: [{ text: text.slice(0, 40), reason }], isClaim: true, cells: [] }
  }
  yield
  const { shown, wrong } = yield* checkFigures(parsed, grounds)
  const proven = parsed.figures.filter(figure => provenBy(figure, parsed.written, grounds) !== undefined)
  const found = [...wrong, ...wrongInText({ parsed, grounds, shown })]
  yield
  const context = { text: '', mentions: before.mentions }
  const around = { parsed, results: grounds.results, context, shown, worked: [], bench: new WorkBench([]) }
  const untrue = found.length === 0 && proven.length === 0 ? yield* wrongExtreme(around) : undefined
  if (untrue) found.push(untrue)
  yield
  // "At 10:30 Berlin time" names the asker's zone.
  const known = `${grounds.known}\n${grounds.zones.join('\n').toLowerCase()}`
  const unknown = yield* unknownNames(text, [...mentions, ...parsed.figures], known, grounds.results, grounds.language)
  const isOfNothing = SAYS.none.test(text) || grounds.results.every(({ rowCount }) => rowCount === 0)
  const isClaim = parsed.written.length + mentions.length > 0 || isOfNothing || text.search(AT_AN_END) >= 0
  const cells = [...shown].flatMap(entry => singleCell(entry, parsed, grounds))
  return { problems: [...found, ...unknown], isClaim, cells }
}

/** Returns a figure with its cell. Empty if it has a working, a condition tells it too, or several cells show it. */
function singleCell(
  [figure, matches]: readonly [Figure, readonly Match[]],
  { text, written }: Parsed,
  grounds: Grounds,
): (readonly [Figure, Match])[] {
  const [match, ...others] = matches
  if (match === undefined || others.length > 0 || figure.word !== undefined) return []
  const place = { figure, text, before: text.slice(0, figure.start), behind: text.slice(figure.end) }
  return provenBy(figure, written, grounds) !== undefined || isKnown(place, grounds) ? [] : [[figure, match]]
}

interface CheckedFigures extends Pick<CheckedText, 'shown'> {
  readonly wrong: readonly Problem[]
}

/** Checks the figures. A word such as "half" is checked last, since the other figures of the sentence may prove it. */
function* checkFigures(parsed: Parsed, grounds: Grounds): Generator<void, CheckedFigures> {
  const shown = new Map<Figure, readonly Match[]>()
  const wrong: Problem[] = []
  const isRatio = ({ word }: Figure) => word === 'ratio'
  for (const figure of [...parsed.figures].sort((one, other) => Number(isRatio(one)) - Number(isRatio(other)))) {
    const isKnown =
      isRatio(figure) && (isRatioOf(figure, [...shown.keys()], parsed.text) || isOfPercentile(figure, grounds.results))
    const found = isKnown ? [] : checkFigure(figure, parsed, grounds)
    if ('reason' in found) wrong.push(found)
    else shown.set(figure, found)
    yield
  }
  return { shown, wrong }
}

/** Whether the share is that above a percentile of the rows: "one in twenty waits longer" beside `p95_wait_s`. */
function isOfPercentile(word: Figure, results: readonly ResultIndex[]): boolean {
  const names = results.flatMap(({ numbers }) => numbers.map(({ name }) => name))
  return names.some(name => {
    const percentile = /(?:^|_)p(\d\d)(?:_|$)/i.exec(name)?.[1]
    return percentile !== undefined && fits(1 - Number(percentile) / 100, word)
  })
}

/** Whether a word such as "half" tells a share, or a ratio of other figures: "about half, 50.8 %", "tripled from 31 to 93". */
function isRatioOf(word: Figure, beside: readonly Figure[], text: string): boolean {
  const said = text.slice(word.start, word.end)
  const amounts = beside.filter(({ date }) => date === undefined)
  const isOwn = (figure: Figure) => {
    const value = (figure.readings[0]?.value ?? Number.NaN) * (figure.unit?.factor ?? 1)
    // "Nearly doubled, with 96 % more."
    if (figure.unit?.dimension === 'part') return fits(value, word) || fits(1 + value, word)
    return /^\s?(?:times|mal|×|x)(?!\p{L})/iu.test(text.slice(figure.end)) && fits(value, word)
  }
  if (amounts.some(isOwn)) return true
  const pairs = amounts.flatMap(from => amounts.filter(to => to !== from).map(to => ({ from, to })))
  const turns = pairs.filter(({ from, to }) => wordsOfTurn(text, from, to)?.includes(said))
  return (turns.length > 0 ? turns : pairs).some(({ from, to }) => {
    const [before, after] = [comparableAmount(from, to), comparableAmount(to, from)]
    return before !== undefined && after !== undefined && fits(after / before, word)
  })
}
