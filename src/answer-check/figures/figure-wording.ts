import type { Figure } from './figure.ts'

/** Returns the figure with the unit and multiplier of another: in "from 1.2 to 1.4 million SOL", 1.2 may be millions. */
export function inUnitOf(other: Pick<Figure, 'readings' | 'unit'>, figure: Figure): Figure[] {
  const variants: Figure[] = []
  const { unit } = other
  const multiplier = other.readings[0]?.multiplier ?? 1
  if (unit) variants.push({ ...figure, unit })
  if (multiplier === 1 || figure.readings[0]?.multiplier !== 1) return variants
  return [...variants, { ...withMultiplier(figure, multiplier), ...(unit && { unit }) }]
}

/** Returns the figure with another multiplier behind its digits: 2.5 million for "2.5". */
export function withMultiplier(figure: Figure, multiplier: number): Figure {
  const readings = figure.readings.map(reading => {
    const factor = multiplier / reading.multiplier
    return {
      ...reading,
      value: reading.value * factor,
      step: reading.step * factor,
      looseStep: reading.looseStep * factor,
      multiplier,
    }
  })
  return { ...figure, readings }
}
