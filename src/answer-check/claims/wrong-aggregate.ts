import { REST } from '../figures/wording.ts'
import { saysColumn, tellsOtherAggregate } from '../rows/column-words.ts'
import { differenceOf, ratioOf } from '../workings/difference.ts'
import { type Around, cellAt, endsOf, measuredCells, ownWords, type WorkedFigure } from '../workings/worked-figure.ts'

const AVERAGE = /(?<!\p{L})(?:on average|average|mean|durchschnitt\p{L}*|im schnitt|im mittel)(?!\p{L})/iu
/** Matches a noun right before its figure: "the average is", "a median of". */
const LEADS_TO =
  /(?<!\p{L})\p{L}{3,30}(?:\s(?!\p{L}{1,30}s\s)\p{L}{1,30})?\s(?:is|was|of|at|liegt bei|lag bei|beträgt|betrug|ist|war|von)\s[$€]?$/iu
const MEDIAN = /(?<!\p{L})median(?!\p{L})/iu
/** Matches words behind a figure that make it the amount of each: "178,296 EUR each", "30,347 visits per day". */
const EACH = /^\s?(?:\p{L}+\s)?(?:each|apiece|jeweils|(?:per|pro|je)\s(\p{L}{3,}))(?!\p{L})/iu
/** Matches words behind a figure that make it a total. */
const TOTAL = /^\s?(?:(?!of|von|out)\p{L}+\s)?(?:in total|in all|altogether|together|insgesamt|zusammen)(?!\p{L})/iu
/** Names of columns whose cells are averages, rates or totals, such as `avg_wait`. */
const OWN = /(?:^|_)(?:avg|average|mean|median|p50|q50|per|total|sum|rate|mittel|schnitt|daily|weekly|monthly)/i
const OF_EVERY = /(?<!\p{L})(?:every|each|all|jede[rnsm]?|alle)\s/iu
const AT_LEAST = /(?<!\p{L})(?:at least|mindestens)\s$/iu
const AT_MOST = /(?<!\p{L})(?:at most|no more than|höchstens|(?:no|kein\p{L}*)\s[^,;]{0,40}\s(?:more than|mehr als))\s$/iu

/** Reports words that name another function than the working: "634 {= median(orders)} on average", "at least 344 {= orders[5]}" of every city. */
export function wrongAggregate(each: WorkedFigure, around: Around): string | undefined {
  const { figure, parts, shape } = each
  const [before, behind] = ownWords(each, around)
  const bound = wrongBound(each, around)
  if (bound !== undefined) return bound
  if (TOTAL.test(behind) && ratioOf(each)?.other.parts.length) return `${figure.text} is a ratio, and no total`
  if (isPointsAsPercent(each, behind, around)) return `${figure.text} are percentage points`
  const said = `${LEADS_TO.exec(before.slice(-60))?.[0] ?? ''} ${/^[^,;:(]{0,40}/u.exec(behind)?.[0] ?? ''}`
  const [{ column = '', aggregate: used } = {}, ...others] = parts
  const mean = (AVERAGE.exec(said) ?? MEDIAN.exec(said))?.[0] ?? ''
  if (others.length === 0 && tellsOtherAggregate(mean, column)) return `${figure.text} is ${column}, and no ${mean}`
  if (
    !shape.isLone ||
    used === undefined ||
    /^(?:count|distinct)$/.test(used) ||
    parts.some(({ column }) => OWN.test(column ?? ''))
  )
    return undefined
  const ofEach = EACH.exec(behind)
  const result = around.results.find(({ id }) => id === parts[0]?.query)
  const rowNames = [...(result?.textColumns ?? []), ...(result?.times ?? []).map(({ name }) => name)]
  const isOfRow = ofEach !== null && (ofEach[1] === undefined || rowNames.some(name => saysColumn(ofEach[1] ?? '', name)))
  const isWrong =
    (AVERAGE.test(said) && !/^(?:avg|min|max)$/.test(used)) ||
    (MEDIAN.test(said) && used !== 'median') ||
    (isOfRow && used === 'sum')
  return isWrong ? `${figure.text} is the ${used} of its rows, which the words do not say` : undefined
}

const COMPARES = /^\s(?:more|less|fewer|lower|higher|above|below|mehr|weniger|höher|niedriger|über|unter)(?!\p{L})/iu

/** Whether a figure tells the difference of two percentages as a percentage of one: "{loss_pct[1] - loss_pct[2]} % lower". */
function isPointsAsPercent(each: WorkedFigure, behind: string, { results }: Around): boolean {
  const { one, other, base } = differenceOf(each) ?? {}
  const isOfParts = [one, other].every(
    side => side !== undefined && cellAt(side.parts, results)?.column.unit?.dimension === 'part',
  )
  return isOfParts && base === undefined && /(?:%|percent|prozent)$/iu.test(each.figure.text) && COMPARES.test(behind)
}

/** Reports a bound that some row breaks: "at least 344" if a row has 300. */
function wrongBound(each: WorkedFigure, { parsed: { text }, results, context }: Around): string | undefined {
  const cells = measuredCells(each, results)
  const lead = text.slice(0, each.figure.start)
  if (cells === undefined) return undefined
  const isMean = cells.column.words.some(word => /^(?:avg|average|mean|median)$/.test(word))
  if (isMean && AT_MOST.test(lead) && !AVERAGE.test(`${text}\n${context.text}`))
    return `${each.figure.text} is ${cells.column.name}, and no bound of what it is the mean of`
  if (!OF_EVERY.test(lead) || REST.test(text)) return undefined
  if (each.parts[0]?.conditions.length !== 0) return undefined
  const { least, most } = endsOf(cells.column)
  const value = cells.column.values[cells.rows[0] ?? 0] ?? Number.NaN
  if ((AT_LEAST.test(lead) && value > least) || (AT_MOST.test(lead) && value < most))
    return `${each.figure.text} is no bound of ${cells.column.name}: it goes from ${least} to ${most}`
  return undefined
}
