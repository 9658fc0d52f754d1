import type { Figure } from '../figures/figure.ts'
import { inUnitOf, withMultiplier } from '../figures/figure-wording.ts'
import type { Parsed } from '../parse-text.ts'
import { inUnitOfHeader } from '../rows/table-cells.ts'

/** Returns the figure as written, and with the unit or multiplier of other figures ("6.56 and 6.50 million") or of its table column. */
export function variantsOf(figure: Figure, { figures, text, headers }: Parsed): Figure[] {
  const column = text.slice(0, figure.start).split('|').length - 2
  const ofHeader = headers && inUnitOfHeader(figure, headers[column] ?? '')
  const isBare = figure.unit === undefined && figure.date === undefined && figure.word !== 'ratio'
  // The parser reads "88 m" as millions, but it may be metres.
  const metres = / m$/u.test(figure.text) ? [withoutMultiplier(figure)] : []
  return [
    figure,
    ...figures.flatMap(other => (isBare || (other.readings[0]?.multiplier ?? 1) !== 1 ? inUnitOf(other, figure) : [])),
    ...metres,
    ...(ofHeader ? [ofHeader] : []),
  ]
}

/** The multipliers that names of columns contain. */
const NAMED_MULTIPLIERS: readonly (readonly [RegExp, number])[] = [
  [/(?:^|_)(?:k|thousands?|tsd)(?:_|$)/i, 1e3],
  [/(?:^|_)(?:mio|mn|mln|millions?|millionen)(?:_|$)/i, 1e6],
  [/(?:^|_)(?:bn|billions?|mrd|mld|milliarden)(?:_|$)/i, 1e9],
]

/** Whether the column's name tells the figure's multiplier: "13.6 million m³" for `fed_mio_m3`, whose cells are in millions. */
export function tellsMultiplier(column: string | undefined, { readings }: Figure): boolean {
  return NAMED_MULTIPLIERS.some(
    ([pattern, multiplier]) => pattern.test(column ?? '') && readings.some(reading => reading.multiplier === multiplier),
  )
}

/** Returns the figure without its multiplier. Needed if "88 m" means metres, and for columns whose cells are in millions. */
export function withoutMultiplier({ unit: _, ...figure }: Figure): Figure {
  return withMultiplier(figure, 1)
}
