import type { Figure } from './figures/figure.ts'
import type { Match } from './support.ts'

/** A figure that its working confirms. */
export interface ProvenFigure {
  readonly matches: readonly Match[]
  /** The figure comes from single cells, and not from an aggregate. */
  readonly isOfCells: boolean
  /** Which occurrences are proven, if the unit contains the same digits several times. The last occurrence has the number 0, the one before it 1. */
  readonly places: readonly number[]
}

/** The figures that the workings of a unit prove. */
export interface Proven {
  /** The confirmed figures, by their digits. Confirmed figures need no further check. */
  readonly proven: ReadonlyMap<string, ProvenFigure>
  /** The checked text is the whole unit, and not a part of a line or a table cell. */
  readonly isWhole: boolean
  /** The answer has workings. Then a number word that counts rows needs a working too. */
  readonly isWorked: boolean
}

/** Returns the cells that a confirmed figure shows. Undefined if no working confirms the figure at this place. */
export function provenBy(figure: Figure, written: readonly Figure[], { proven, isWhole }: Proven): readonly Match[] | undefined {
  const known = proven.get(digitsOf(figure.text))
  if (known === undefined || !isWhole) return known?.matches
  return known.places.includes(occurrenceOf(figure, written)) ? known.matches : undefined
}

/**
 * Returns how many figures with the same digits follow this one. The count starts at the end, so a line number in front of the
 * text does not change it.
 */
export function occurrenceOf(figure: Figure, written: readonly Figure[]): number {
  const alike = written.filter(other => digitsOf(other.text) === digitsOf(figure.text))
  return alike.length - 1 - alike.findIndex(other => other.start === figure.start)
}

/** Returns the digits of a figure without its unit, because the unit may also be a name in the results. */
export function digitsOf(text: string): string {
  return /\d(?:[\d.,'’\u00a0\u202f ]*\d)?/.exec(text)?.[0] ?? text.toLowerCase()
}
