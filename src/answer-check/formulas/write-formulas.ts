import type { Figure } from '../figures/figure.ts'
import { parseFigures } from '../figures/figures.ts'
import { SAYS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { findNames } from '../mentions.ts'
import type { Problem } from '../unsupported-figure.ts'
import { type Condition, positionOf } from '../workings/condition.ts'
import { WorkingFault } from '../workings/fault.ts'
import { comesTo } from '../workings/shown-cells.ts'
import type { Worked, Working } from '../workings/worked-part.ts'
import type { WorkBench, WorkedOut } from '../workings/working.ts'
import { type Braces, findBraces } from './braces.ts'
import { type FormulaSource, readFormula } from './formula.ts'
import { formulaText } from './formula-text.ts'
import { isTable } from './read-table.ts'

/** A unit of an answer whose formulas are written out. */
export interface WrittenUnit {
  /** The text without formulas and workings. */
  readonly text: string
  /** What the figures of the text come from: the workings, and the formulas that were written out. */
  readonly workings: readonly Working[]
  /** The formulas that cannot be read or written. With them, nothing of the text may be shown. */
  readonly unread: readonly Problem[]
}

interface UnitSource extends FormulaSource {
  /** Words that tell the answer's language. */
  readonly words: string
  /** Whether a text with braces stands in the rows, the question or the SQL. */
  readonly isData: (text: string) => boolean
}

/** Writes the formulas of a unit as figures, and takes its workings out. Whatever a cell holds is never read as a formula. */
export function* writeFormulas(written: string, bench: WorkBench, source: UnitSource): Generator<void, WrittenUnit> {
  const found = findBraces(written)
  const [formula, ...others] = found.filter(({ inner }) => !inner?.startsWith('='))
  if (formula !== undefined && others.length >= CHECK_LIMITS.figures) {
    const reason = `this has more than ${CHECK_LIMITS.figures} formulas, too many for one sentence`
    return { text: written, workings: [], unread: [{ text: written.slice(formula.start, formula.end), reason }] }
  }
  const workings: Working[] = []
  const unread: Problem[] = []
  let text = ''
  let copied = 0
  for (const braces of found) {
    const { start, end, inner } = braces
    text += written.slice(copied, start)
    copied = end
    const whole = written.slice(start, end)
    const around = { text, behind: written.slice(end) }
    const isReference = inner?.startsWith('=') === true
    const isAlone = isReference && lacksFigure(inner, { ...around, text: text.slice(workings.at(-1)?.at) }, source)
    const isAwaited = isAlone && AWAITS_VALUE.test(text)
    const outcome = isReference && !isAlone ? undefined : yield* readFigure(braces, around, bench, source)
    yield
    if (outcome === undefined || (isAlone && !isAwaited && !('figure' in outcome && /\p{N}/u.test(outcome.figure)))) {
      text = withoutSpace(text)
      workings.push({ at: text.length, expression: inner?.slice(1).trim() ?? '' })
      continue
    }
    if ('fault' in outcome && source.isData(inner === undefined ? wordAt(written, start) : whole)) text += whole
    else if ('fault' in outcome) unread.push({ text: whole, reason: `${whole.slice(0, 200)}: ${outcome.fault}` })
    else {
      text = outcome.isCompared ? withoutSpace(text) : text + outcome.figure
      workings.push({ at: text.length, expression: outcome.expression })
    }
  }
  return { text: text + written.slice(copied), workings, unread }
}

/**
 * Whether a cell's address stands where its figure is missing, as in "The {=B1} validators". Taking it away would leave "The
 * validators", so its value is written.
 */
function lacksFigure(
  inner: string,
  { text, behind }: { readonly text: string; readonly behind: string },
  { words }: UnitSource,
): boolean {
  if (!/^=\s*(?:[QE]\d+\.)?[A-Z]{1,3}\d+\s*$/.test(inner)) return false
  if (text.trim() !== '' && !/^\s?[\p{L}%]/u.test(behind) && !AWAITS_VALUE.test(text)) return false
  const tail = text.slice(-CHECK_LIMITS.working.reachCharacters)
  return !/\p{N}/u.test(tail) && !SAYS.none.test(tail) && parseFigures(tail, [], words).length === 0
}

/** Matches a text that is not whole without the value behind it: "Users: ", "ams-fra has ". */
const AWAITS_VALUE =
  /(?:[:=]|(?<!\p{L})(?:is|are|was|were|has|have|had|to|at|of|by|ist|sind|war|waren|hat|haben|hatte|hatten|auf|bei|von|um))[*_]{0,2}\s$/iu

function withoutSpace(text: string): string {
  return /\s/.test(text.slice(-1)) ? text.slice(0, -1) : text
}

type Outcome =
  | { readonly figure: string; readonly expression: string; readonly isCompared?: boolean }
  | { readonly fault: string }

function* readFigure(
  { inner }: Braces,
  { text, behind }: { readonly text: string; readonly behind: string },
  bench: WorkBench,
  source: UnitSource,
): Generator<void, Outcome> {
  if (inner === undefined) return { fault: 'a brace that is never closed is no formula' }
  if (isTable(inner)) return { fault: 'a table stands on a line of its own' }
  const { expression, hint } = readFormula(inner.replace(/^=/, ''))
  const worked = yield* evaluate(expression, bench, citedBehind(behind, source.cited))
  if ('fault' in worked) return worked
  const stranger = strangerIn(worked)
  if (stranger !== undefined) return { fault: `no row has ${stranger}` }
  // In "12 {count()} links", the formula only proves the 12, so nothing is inserted. A day, a year or a word before a formula may
  // state something else, as in "In 2025 {count()} links". So it is treated like the 12 only if it equals the formula's value.
  const figure = figureAtEnd(text, source)
  if (figure !== undefined && (isAmount(figure) || comesTo(figure, worked, source.results)))
    return { figure: '', expression, isCompared: true }
  try {
    return { figure: formulaText(worked, hint, { ...source, before: text, behind }), expression }
  } catch (error) {
    if (error instanceof WorkingFault) return { fault: error.reason }
    throw error
  }
}

/** Evaluates a formula over the cited queries. Where two of them give different values, the formula must name one. */
function* evaluate(expression: string, bench: WorkBench, cited: readonly string[]): Generator<void, WorkedOut> {
  let found: WorkedOut | undefined
  for (const query of bench.queries) {
    if (cited.length > 0 && !cited.includes(query.id)) continue
    const worked = yield* bench.workOut(expression, query)
    const stranger = 'fault' in worked || cited.length === 0 ? undefined : worked.parts.find(part => !cited.includes(part.query))
    const outcome = stranger ? { fault: `it reads ${stranger.query}, which the sentence does not cite` } : worked
    if (found === undefined || 'fault' in found) found = 'fault' in outcome ? (found ?? outcome) : outcome
    else if (cited.length > 1 && !('fault' in outcome) && !Object.is(outcome.value, found.value))
      return { fault: `say of which query it is, as in ${query.id}.count()` }
    if (cited.length < 2 && !('fault' in outcome)) return outcome
  }
  return found ?? { fault: 'the sentence cites no query with a result' }
}

/**
 * If a condition such as `city = 'Osslo'` matches no row and no cell of its column says 'Osslo', returns this text. The name is
 * probably misspelt, so the formula is refused instead of becoming 0.
 */
function strangerIn({ parts }: Worked): Condition['value'] | undefined {
  const strangers = parts.flatMap(({ source, rows, conditions }) =>
    conditions.filter(({ column, operator, value, other }) => {
      const isText = operator === '=' && typeof value === 'string' && other === undefined
      return rows.length === 0 && isText && !source.rows.some(row => String(row[positionOf(source, column)]) === value)
    }),
  )
  return strangers[0]?.value
}

/** Returns the queries of the next citation: "{count()} links [Q1], {count()} sites [Q2]". */
function citedBehind(behind: string, cited: readonly string[]): readonly string[] {
  const next = /\[([QE]\d+(?:\s{0,3},\s{0,3}[QE]\d+)*)\]/.exec(behind)?.[1]
  return next === undefined ? cited : next.split(',').map(id => id.trim())
}

/** Returns the figure that ends the text, and is no part of a name: "12 links", "38 %". */
function figureAtEnd(text: string, { results, words }: UnitSource): Figure | undefined {
  const tail = text.slice(-CHECK_LIMITS.working.reachCharacters).trimEnd()
  if (!/[\p{N}\p{L}%‰$€£]$/u.test(tail)) return undefined
  const ends = (figures: readonly Figure[]) => figures.find(({ end, ordinal }) => end === tail.length && !ordinal)
  if (ends(parseFigures(tail, [], words)) === undefined) return undefined
  return ends(parseFigures(tail, findNames(tail, results), words))
}

function isAmount({ date, word, text, unit }: Figure): boolean {
  return date === undefined && word === undefined && (unit !== undefined || !/^(?:19|20)\d\d$/.test(text))
}

/** Returns the word around a brace. */
function wordAt(text: string, at: number): string {
  const from = /\S{0,100}$/.exec(text.slice(Math.max(0, at - 100), at))?.[0] ?? ''
  return from + (/^\S{0,100}/.exec(text.slice(at, at + 100))?.[0] ?? '')
}
