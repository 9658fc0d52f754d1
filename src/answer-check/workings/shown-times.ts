import type { Figure } from '../figures/figure.ts'
import { parseDates } from '../figures/figures.ts'
import { PERIOD_JOINT } from '../figures/wording.ts'
import { isGiven } from '../given-figures.ts'
import type { Grounds, Parsed } from '../parse-text.ts'
import { comesTo } from './shown-cells.ts'
import type { Worked, WorkedPart } from './worked-part.ts'

/**
 * Whether a figure is another way to write a cell's time: "13:00" for an hour, "the 11th" for a day. Also true if the parser
 * takes "July 9" for a day, but 9 is the value of the cell in July's row.
 */
export function isShownTime(figure: Figure, worked: Worked, parsed: Parsed, grounds: Grounds): boolean {
  return isHour(figure, worked) || isHoursEnd(figure, worked, parsed) || isMonthAndNumber(figure, worked, grounds)
}

/** Whether a time of day shows the hour in a column of hours: "13:00", or "13:59" for the end of the hour. */
export function isHour({ date }: Figure, { value, parts }: Pick<Worked, 'value' | 'parts'>): boolean {
  const [cell] = parts
  const isTimeAlone = date?.clock !== undefined && date.day === undefined && date.month === undefined
  if (!isTimeAlone || cell === undefined || !/(?:^|_)(?:hour|hr|stunde|heure|hora)/i.test(cell.column ?? '')) return false
  const minutes = (date.clock ?? 0) % 60
  return (minutes === 0 || minutes === 59) && Math.floor((date.clock ?? 0) / 60) === value
}

/** Whether the figure is the end of a working's hour: "07:00 to 08:00 {= hour[2]}". */
function isHoursEnd(figure: Figure, worked: Worked, { text, written }: Parsed): boolean {
  const from = written.find(other => other.end <= figure.start && PERIOD_JOINT.test(text.slice(other.end, figure.start)))
  return from !== undefined && isHour(from, worked) && isHour(figure, { ...worked, value: worked.value + 1 })
}

/** Whether a date is in truth a month and a number: in "August had 20 trips, July 9 {= trips[7]}" the 9 is July's number of trips. */
function isMonthAndNumber({ date, text }: Figure, { value, parts }: Worked, { results }: Grounds): boolean {
  const [part] = parts
  if (date?.day !== value || date.year !== undefined || !/^\p{L}/u.test(text) || !part?.isCell || part.isTime) return false
  const { month } = date
  const result = results.find(({ id }) => id === part.query)
  const isOfMonth = part.rows.every(
    row =>
      result?.times.some(column => column.rowsShowing({ ...(month && { month }) }, '', [row]).length > 0) ||
      result?.numbers.some(({ key, words, values }) => key && words.at(-1) === 'month' && values[row] === month),
  )
  return month !== undefined && isOfMonth
}

/** Whether a figure repeats the value of a condition: "above 4 min" for `count(wait_s > 240)`, "since July" for `count(day >= '2026-07-01')`. */
export function repeatsCondition(figure: Figure, text: string, part: WorkedPart, { results, given }: Grounds): boolean {
  return part.conditions.some(({ column, operator, value }) => {
    if (typeof value === 'string')
      return figure.date !== undefined && isGiven(figure, text, { ...given, dates: parseDates(value) })
    if (value === null) return false
    const parts = [{ ...part, column, isCell: false }]
    // "From 8 to 11" repeats `hour < 12`.
    const limits = [value, operator === '<' ? value - 1 : operator === '>' ? value + 1 : value]
    return limits.some(limit => isHour(figure, { value: limit, parts }) || comesTo(figure, { value: limit, parts }, results))
  })
}
