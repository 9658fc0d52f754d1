import type { Figure } from '../figures/figure.ts'
import { parseFigures } from '../figures/figures.ts'
import { conversions } from '../figures/fits.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import { WorkingFault } from '../workings/fault.ts'
import { tellsMultiplier } from '../workings/figure-variants.ts'
import { columnOf } from '../workings/shown-cells.ts'
import type { Worked } from '../workings/worked-part.ts'

/** Constants that convert units, such as 60. Any other constant of a formula counts days or things, as in a mean. */
const UNIT_CONSTANTS: ReadonlySet<number> = new Set([24, 60, 1440, 3600, 86_400, 604_800, 1024, 2 ** 20, 2 ** 30, 2 ** 40])

/** Matches a letter behind a number that may be a unit: metres, bytes, teslas. It never scales a formula. */
const LETTER = /^\s?[mBT](?!\p{L})/u

/** Reads the unit and the multiplier behind a formula: "million EUR", "%", "min". Undefined without such words. */
export function unitBehind(behind: string, language: string): Figure | undefined {
  // A letter such as m may mean metres, so it is left alone.
  if (/^\p{N}/u.test(behind) || LETTER.test(behind)) return undefined
  const [figure] = parseFigures(`1${behind}`, [], language)
  const isScaled = figure?.start === 0 && (figure.unit !== undefined || (figure.readings[0]?.multiplier ?? 1) !== 1)
  return isScaled ? figure : undefined
}

/**
 * Returns the factor from a formula's value to the number in front of a unit: 100 for `{a / b} %`, 1/60 for seconds before "min".
 * A formula that converts by itself, such as `100 * a / b`, keeps its value.
 * @throws WorkingFault if the only column of the formula measures something else
 */
export function scaleFor(figure: Figure, worked: Worked, results: readonly ResultIndex[]): number {
  const { unit } = figure
  const multiplier = figure.readings[0]?.multiplier ?? 1
  const { constants, isRatio } = worked.shape
  const isNamed = worked.parts.some(({ column }) => tellsMultiplier(column, figure))
  const share = isNamed || constants.includes(multiplier) ? 1 : 1 / multiplier
  if (unit === undefined) return share
  const converts = unit.dimension === 'part' ? constants.includes(1 / unit.factor) : constants.some(isUnitConstant)
  if (converts) return share
  const columns = worked.parts.flatMap(part => columnOf(part, results).flatMap(({ numbers }) => numbers))
  const isShare = columns.some(column => column.unit?.dimension === 'part')
  if (unit.dimension === 'part' && isRatio && !isShare) return share / unit.factor
  if (worked.parts.some(part => part.isTime)) return unit.dimension === 'time' ? share / unit.factor : share
  const [column, ...others] = columns
  // `price_kwh` is money, and not energy.
  const isPrice = column?.words.some(word => /^(?:price|cost|costs|fee|tariff|rate|preis|kosten)$/.test(word))
  const isAlone = column?.unit !== undefined && others.length === 0 && worked.parts.length === 1
  if (isAlone && !isPrice && conversions(figure, column).length === 0)
    throw new WorkingFault(`${column.name} is not in the unit that stands behind it`)
  const alike = columns.filter(each => each.unit?.dimension === unit.dimension || (unit.dimension === 'part' && each.fraction))
  const factors = new Set(alike.flatMap(each => conversions(figure, each).slice(0, 1)))
  const [factor = 1] = factors
  return factors.size === 1 ? share * factor : share
}

function isUnitConstant(value: number): boolean {
  return UNIT_CONSTANTS.has(value) || (value >= 100 && Number.isInteger(Math.log10(value)))
}
