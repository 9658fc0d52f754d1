import type { Sentence } from '../claims/row-names.ts'
import { wrongBesideFigures, wrongInRows } from '../claims/rules.ts'
import { otherCurrency } from '../figures/currencies.ts'
import type { Figure } from '../figures/figure.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Mention, NamedText } from '../mentions.ts'
import { type Grounds, isPartOfUnit, parseText } from '../parse-text.ts'
import { digitsOf, occurrenceOf, type ProvenFigure } from '../proven-figure.ts'
import type { Match } from '../support.ts'
import type { Problem } from '../unsupported-figure.ts'
import { tellsMultiplier, variantsOf, withoutMultiplier } from './figure-variants.ts'
import { cellsOf, comesTo } from './shown-cells.ts'
import { isShownTime, repeatsCondition } from './shown-times.ts'
import type { WorkedFigure } from './worked-figure.ts'
import type { Worked, WorkedPart, Working } from './worked-part.ts'
import type { WorkBench } from './working.ts'

/** Matches words that count without a figure, such as "once" in "A leads only once {= count(…)}". */
const UNCOUNTED = /(?<!\p{L})(?:once|none|never|nobody|nothing|no one|einmal|keine?[nrms]?|nie|niemand)$/iu

export interface Proof {
  readonly proven: Grounds['proven']
  /** Problems of figures that differ from their workings, or whose workings read the rows of other names. */
  readonly wrong: readonly Problem[]
  /** Problems of workings that cannot be evaluated. The figures of such workings are checked like figures without workings. */
  readonly faults: readonly Problem[]
  /** How many rows and cells each of the workings reads, and how many all of them read together. */
  readonly sizes: readonly number[]
  /** The rows of the single cells, which the next line may refer to. */
  readonly read: readonly Mention[]
  /** The figures that their workings confirm, in the order of the text. */
  readonly held: readonly WorkedFigure[]
  /** All figures of the text, in its order. */
  readonly written: readonly Figure[]
}

/** A working, and what it says of the figure before it. */
interface Claim {
  readonly figure: Figure | undefined
  readonly expression: string
  readonly found: Outcome
  readonly worked: Worked | undefined
}

type Outcome = { readonly matches: readonly Match[] } | { readonly wrong: string } | { readonly fault: string }

/**
 * Evaluates the workings of a text. A working belongs to the last figure before it.
 * @param context the lines that the text continues
 * @param headers the headers of the table, if the text is one of its rows
 */
export function* proveFigures(
  text: string,
  workings: readonly Working[],
  bench: WorkBench,
  grounds: Grounds,
  context: NamedText = { text: '', mentions: [] },
  headers: readonly string[] = [],
): Generator<void, Proof> {
  const parsed = { ...parseText(text, grounds), headers }
  yield
  const sentence: Sentence = { parsed, grounds, context }
  const isNear = (figure: Figure, at: number) =>
    numberEnd(figure) <= at && figure.end >= at - CHECK_LIMITS.working.reachCharacters
  const claims: Claim[] = []
  for (const { at, expression } of workings) {
    // In "3.84 USD per 1000 streams {= max(usd_per_1000)}" the working belongs to the 3.84, and behind "None of them" to no figure.
    const figure = UNCOUNTED.test(text.slice(0, at))
      ? undefined
      : parsed.written.findLast(each => isNear(each, at) && !isPartOfUnit(each, text))
    claims.push(yield* likeliestOf(expression, bench, figure, sentence))
    yield
  }
  const parts = claims.flatMap(({ figure, worked }) => worked?.parts.map(part => ({ ...part, figure })) ?? [])
  const proven = new Map<string, ProvenFigure>()
  const add = (figure: Figure, found: readonly Match[], isOfCells = false) => {
    const { matches, places, ...others } = proven.get(digitsOf(figure.text)) ?? { matches: [], places: [], isOfCells }
    const place = occurrenceOf(figure, parsed.written)
    const all = { matches: [...matches, ...found], places: [...places, place], isOfCells: isOfCells && others.isOfCells }
    proven.set(digitsOf(figure.text), all)
  }
  const wrong: Problem[] = []
  const faults: Problem[] = []
  const taken = new Set<Figure>()
  for (const { figure, expression, found, worked } of claims) {
    if (figure === undefined || taken.has(figure)) continue
    taken.add(figure)
    if ('matches' in found)
      add(
        figure,
        found.matches,
        worked?.parts.every(part => part.isCell),
      )
    else if ('wrong' in found) wrong.push({ text: figure.text, reason: found.wrong })
    else faults.push({ text: figure.text, reason: `{= ${expression}}: ${found.fault}` })
  }
  yield
  wrong.push(...(yield* wrongInRows(parts, sentence)))
  const held = claims.flatMap(({ figure, expression, found, worked }) =>
    figure && worked && 'matches' in found && proven.has(digitsOf(figure.text)) ? [{ figure, expression, ...worked }] : [],
  )
  const claim = wrong.length > 0 ? undefined : yield* wrongBesideFigures(held, parsed, grounds.results, bench, context)
  if (claim !== undefined) wrong.push(claim)
  const own = parts.filter(part => part.figure && proven.has(digitsOf(part.figure.text)))
  for (const figure of parsed.figures)
    if (!taken.has(figure) && own.some(part => repeatsCondition(figure, text, part, grounds))) add(figure, [])
  const sizes = [parts, ...claims.map(({ worked }) => worked?.parts ?? [])].flatMap(sizesOf)
  const cells = parts.filter(({ isCell, rows }) => isCell && rows.length === 1)
  const read = cells.map(({ query, rows }) => ({ start: 0, end: 0, key: '', axis: 'range', rows: new Map([[query, rows]]) }))
  return { proven, wrong, faults, sizes, read, held, written: parsed.written }
}

/** Returns how many parts there are, how many rows their cells have, and how many rows each of them reads. */
function sizesOf(parts: readonly WorkedPart[]): number[] {
  const cells = new Set(parts.flatMap(part => (part.isCell ? part.rows : [])))
  return [parts.length, cells.size, ...new Set(parts.map(part => part.rows.length))]
}

/** Evaluates a working. If several results have its column, and the working names none of them, uses the result that yields the figure. */
function* likeliestOf(
  expression: string,
  bench: WorkBench,
  figure: Figure | undefined,
  sentence: Sentence,
): Generator<void, Claim> {
  let first: Claim | undefined
  for (const query of [undefined, ...bench.queries]) {
    const outcome = yield* bench.workOut(expression, query)
    const worked = 'fault' in outcome ? undefined : outcome
    const found = 'fault' in outcome ? outcome : figure === undefined ? { matches: [] } : outcomeOf(figure, outcome, sentence)
    if ('matches' in found) return { figure, expression, found, worked }
    first ??= { figure, expression, found, worked }
  }
  return first ?? { figure, expression, found: { fault: 'no query has a result' }, worked: undefined }
}

function outcomeOf(figure: Figure, worked: Worked, sentence: Sentence): Outcome {
  const { parsed, grounds } = sentence
  const [cell, ...rest] = worked.parts
  if (isShownTime(figure, worked, parsed, grounds)) return { matches: [] }
  // `{(B2 - B1) / 1000000} million SOL` divides by the multiplier itself.
  const isDivided = figure.readings.some(({ multiplier }) => multiplier !== 1 && worked.shape.constants.includes(multiplier))
  const isNamed = worked.parts.some(({ column }) => tellsMultiplier(column, figure))
  const scaled = isDivided || isNamed ? [withoutMultiplier(figure)] : []
  const variants = [...variantsOf(figure, parsed), ...scaled]
  const isReached = variants.some(variant => comesTo(variant, worked, grounds.results))
  const currency = otherCurrency(figure, parsed.text, worked.parts, grounds.results)
  if (currency !== undefined) return { wrong: `${figure.text} is in ${currency}, as its column says` }
  const wrong = () => ({ wrong: `${figure.text} is not what its working comes to: ${shown(worked.value)}` })
  if (cell === undefined || rest.length > 0 || !cell.isCell) return isReached ? { matches: [] } : wrong()
  const matches = variants.map(variant => cellsOf(variant, cell, grounds)).find(found => found.length > 0) ?? []
  if (matches.length === 0 && !isReached) {
    if (Number.isNaN(worked.value) && figure.date === undefined) return { fault: `${cell.column} holds no number` }
    return wrong()
  }
  return { matches }
}

function shown(value: number): string {
  return Number.isNaN(value) ? 'another day or text' : String(Number(value.toPrecision(8)))
}

/** Returns the end of a figure's digits. The end of the figure may lie behind a unit, and the working may stand before this unit. */
function numberEnd({ start, end, text }: Figure): number {
  const digits = digitsOf(text)
  const at = text.toLowerCase().indexOf(digits)
  return at < 0 ? end : start + at + digits.length
}
