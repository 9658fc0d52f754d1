import type { Cell } from '../../warehouse/warehouse.ts'
import { isKeyName } from '../rows/key-name.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import { positionOf } from '../workings/condition.ts'
import { WorkingFault } from '../workings/fault.ts'
import { columnOf } from '../workings/shown-cells.ts'
import type { Worked, WorkedPart } from '../workings/worked-part.ts'
import type { FormulaSource, Hint } from './formula.ts'
import { decimalsOfRatio, decimalsShown, decimalsToThreeDigits, styledNumber } from './number-style.ts'
import { scaleFor, unitBehind } from './unit-scale.ts'
import { inWords } from './value-words.ts'

/** At most this many cells tell the decimals of a sum. */
const CELLS_READ = 100

/** The words beside a formula, and the results that it reads. */
interface FormulaPlace extends FormulaSource {
  readonly before: string
  readonly behind: string
}

/** Matches words that tell a direction. Beside them a number has no sign: "4 fewer than", "fell by 4". */
const DIRECTION =
  /(?<!\p{L})(?:more|less|fewer|higher|lower|faster|slower|larger|smaller|longer|shorter|above|below|ahead|behind|later|earlier|(?:fell|rose|dropped|grew|declined|increased|decreased|down|up) by|difference of|gap of|mehr|weniger|höher|niedriger|schneller|langsamer|größer|kleiner|länger|kürzer|über|unter|später|früher|um)(?!\p{L})/iu

/**
 * Writes a formula's value as it stands in the sentence, without the unit behind it.
 * @throws WorkingFault if the value cannot be written
 */
export function formulaText(worked: Worked, hint: Hint | undefined, place: FormulaPlace): string {
  const { language, results } = place
  const [part] = worked.parts
  const isText = part?.isCell && worked.shape.isLone && numbersOf(part, results) === undefined
  if (Number.isNaN(worked.value) || isText) return cellText(part)
  const value = unsigned(worked.value, place)
  if (hint === 'h min') return durationText(worked, results)
  const unit = unitBehind(place.behind.slice(0, 40), language)
  if (hint === 'word') return inWords(value, worked.shape.isRatio, place)
  if (part?.isTime && worked.parts.every(each => each.isTime) && !worked.shape.isRatio && unit === undefined)
    throw new WorkingFault('one time minus another needs a unit of time behind it')
  const scale = unit === undefined ? 1 : scaleFor(unit, worked, results)
  const exact = scale === 1 && hint === undefined ? cellNumber(worked, results) : undefined
  const shown = value * scale
  if (Math.abs(shown) >= 1e21) throw new WorkingFault('the value is too large to be written')
  // An amount of money has two decimals, or none.
  const isMoney = unit?.unit?.dimension === 'money' && unit.readings[0]?.multiplier === 1 && !Number.isInteger(shown)
  const computed = isMoney ? Math.max(2, decimalsOfSum(worked, results)) : decimalsOf(shown, worked, scale, results)
  return styledNumber(exact?.replace(/^-/, value < 0 ? '-' : '') ?? String(shown), {
    language,
    decimals: exact === undefined ? (hint ?? computed) : shortened(exact),
    isTrimmed: exact === undefined && hint === undefined && !isMoney,
    isGrouped: grouped(worked),
  })
}

function unsigned(value: number, { before, behind }: FormulaPlace): number {
  const beside = `${/[^,;.(]{0,30}$/u.exec(before.slice(-30))?.[0] ?? ''}|${/^[^,;.(]{0,30}/u.exec(behind.slice(0, 30))?.[0] ?? ''}`
  return value < 0 && DIRECTION.test(beside) ? -value : value
}

/** Returns the decimal text of a lone cell of a number column. */
function cellNumber({ parts: [part], shape }: Worked, results: readonly ResultIndex[]): string | undefined {
  const [row] = part?.rows ?? []
  if (part === undefined || row === undefined || !part.isCell || !shape.isLone) return undefined
  const text = numbersOf(part, results)?.texts[row]
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined
}

/** Returns how many decimals to keep of a long fraction: 2 for 0.3333333333. Undefined for a short number such as 12.5, which stays as it is. */
function shortened(text: string): number | undefined {
  const own = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0
  const decimals = decimalsShown(text)
  return decimals < own ? decimals : undefined
}

function decimalsOf(shown: number, worked: Worked, scale: number, results: readonly ResultIndex[]): number {
  const { isRatio, isMean, constants } = worked.shape
  if (Number.isInteger(shown)) return 0
  if (isRatio || isMean) return decimalsOfRatio(shown)
  return scale !== 1 || constants.length > 0 ? decimalsToThreeDigits(shown) : decimalsOfSum(worked, results)
}

/** Returns the most decimals of the cells that a sum or a difference reads. 0 for any other formula. */
function decimalsOfSum({ parts, shape }: Worked, results: readonly ResultIndex[]): number {
  if (shape.isRatio || shape.isMean || shape.constants.length > 0) return 0
  const own = parts.flatMap(part => {
    const texts = numbersOf(part, results)?.texts ?? []
    return part.rows.slice(0, CELLS_READ).map(row => decimalsShown(texts[row] ?? ''))
  })
  return own.reduce((most, each) => Math.max(most, each), 0)
}

function numbersOf(part: WorkedPart, results: readonly ResultIndex[]): NumberColumn | undefined {
  return columnOf(part, results).flatMap(({ numbers }) => numbers)[0]
}

/** Returns false for years and ids, which have no thousands separators. A computed number is no year. Undefined lets the size of the number decide. */
function grouped({ parts: [part, ...others], shape, value }: Worked): boolean | undefined {
  const isComputed = !shape.isLone || ['count', 'distinct', 'sum', 'avg'].includes(part?.aggregate ?? '')
  if (isComputed && Math.abs(value) >= 1_000) return true
  return part?.column !== undefined && part.isCell && others.length === 0 && shape.isLone && isKeyName(part.column)
    ? false
    : undefined
}

function secondsIn({ parts }: Worked, results: readonly ResultIndex[]): number {
  if (parts.some(part => part.isTime)) return 1
  const units = new Set(parts.flatMap(part => numbersOf(part, results)?.unit ?? []))
  const factors = new Set([...units].flatMap(unit => (unit.dimension === 'time' ? [unit.factor] : [])))
  const [factor] = factors
  if (factor === undefined || factors.size > 1) throw new WorkingFault('the columns of the formula name no unit of time')
  return factor
}

/** Writes a value as hours and minutes. @throws WorkingFault if no column names a unit of time */
export function durationText(worked: Worked, results: readonly ResultIndex[]): string {
  const seconds = Math.abs(worked.value) * secondsIn(worked, results)
  const minutes = Math.round(seconds / 60)
  if (minutes === 0) return `${Math.round(seconds)} s`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** Returns a day or moment as it stands in its cell. */
function cellText(part: WorkedPart | undefined): string {
  if (part?.column === undefined) throw new WorkingFault('the formula comes to no number')
  const cell: Cell = part.source.rows[part.rows[0] ?? 0]?.[positionOf(part.source, part.column)] ?? null
  if (!part.isTime || typeof cell !== 'string') throw new WorkingFault(`${part.column} holds no number`)
  return cell.replace(/(:\d\d):00(?:\.0+)?Z?$/, '$1')
}
