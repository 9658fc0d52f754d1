import type { Figure } from './figure.ts'
import type { Match } from './support.ts'

/** A figure that its working came to, wherever it stands in its unit. */
export interface ProvenFigure {
  /** The cells that it shows. */
  readonly matches: readonly Match[]
  /** It is a cell, or made of single cells: it sums up nothing. */
  readonly isOfCells: boolean
  /** Which of the figures of the same digits they are, counted from the unit's end. */
  readonly places: readonly number[]
}

/** What the workings of a unit prove. */
export interface Proven {
  /** Figures whose working came to them, by their digits: nothing is left to be checked. */
  readonly proven: ReadonlyMap<string, ProvenFigure>
  /** What is checked is the unit's whole text, and no part or cell of it. */
  readonly isWhole: boolean
  /** The answer has workings, so what is counted has one. */
  readonly isWorked: boolean
}

/** The cells that a figure shows by its working; undefined where it has none, or another of the same digits has it. */
export function provenBy(figure: Figure, written: readonly Figure[], { proven, isWhole }: Proven): readonly Match[] | undefined {
  const known = proven.get(digitsOf(figure.text))
  if (known === undefined || !isWhole) return known?.matches
  return known.places.includes(placeOf(figure, written)) ? known.matches : undefined
}

/** Which of the figures of the same digits one is, counted from the end: a line's number in front of it counts for nothing. */
export function placeOf(figure: Figure, written: readonly Figure[]): number {
  const alike = written.filter(other => digitsOf(other.text) === digitsOf(figure.text))
  return alike.length - 1 - alike.findIndex(other => other.start === figure.start)
}

/** A figure without its unit, which may be a name of the results and then stands apart. */
export function digitsOf(text: string): string {
  return /\d(?:[\d.,'’\u00a0\u202f ]*\d)?/.exec(text)?.[0] ?? text.toLowerCase()
}
