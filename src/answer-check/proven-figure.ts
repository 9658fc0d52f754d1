import type { Figure } from './figures/figure.ts'
import type { Match } from './support.ts'

/** A figure that its working confirms. */
export interface ProvenFigure {
  readonly matches: readonly Match[]
  /** It comes from single cells, not from an aggregate. */
  readonly isOfCells: boolean
  /** Which occurrences of the same digits are proven, counted from the unit's end. */
  readonly places: readonly number[]
}

/** The results of a unit's workings. */
export interface Proven {
  /** Confirmed figures by their digits. They need no further check. */
  readonly proven: ReadonlyMap<string, ProvenFigure>
  /** The checked text is the whole unit, not a part or a cell. */
  readonly isWhole: boolean
  /** The answer has workings, so counts need one. */
  readonly isWorked: boolean
}

/** Returns the cells that a confirmed figure shows. Undefined if this occurrence is not confirmed. */
export function provenBy(figure: Figure, written: readonly Figure[], { proven, isWhole }: Proven): readonly Match[] | undefined {
  const known = proven.get(digitsOf(figure.text))
  if (known === undefined || !isWhole) return known?.matches
  return known.places.includes(occurrenceOf(figure, written)) ? known.matches : undefined
}

/** Returns which occurrence of its digits a figure is, counted from the end. So a line number in front changes nothing. */
export function occurrenceOf(figure: Figure, written: readonly Figure[]): number {
  const alike = written.filter(other => digitsOf(other.text) === digitsOf(figure.text))
  return alike.length - 1 - alike.findIndex(other => other.start === figure.start)
}

/** The figure without its unit, since the unit may be a name of the results. */
export function digitsOf(text: string): string {
  return /\d(?:[\d.,'’\u00a0\u202f ]*\d)?/.exec(text)?.[0] ?? text.toLowerCase()
}
