import type { Figure } from './figure.ts'

const JOINT =
  /^\s*(?:(?:(?!(?:in|on|at|bei|auf)\s)\p{L}+\s){1,2}(?:out of|of|to|and|von|auf|bis|und|or|oder|than|als|vs\.?|against|gegen|–|-|→|,|\/)?\s*|(?:(?:out of|of|to|and|von|auf|bis|und|or|oder|than|als|vs\.?|against|gegen|–|-|→|,|\/)\s*)?)(?:its\s|the\s|about\s|rund\s)?[$€£]?$/iu

/** Returns the figure, and the figure with its neighbour's unit or multiplier: in "from 1.2 to 1.4 million SOL", 1.2 may be millions. */
export function withNeighbourUnits(figure: Figure, figures: readonly Figure[], text: string): Figure[] {
  if (figure.date !== undefined || figure.word === 'ratio') return [figure]
  const next = figures.find(other => other.start >= figure.end)
  const previous = figures.findLast(other => other.end <= figure.start)
  const variants: Figure[] = [figure]
  const isBare = figure.unit === undefined
  if (isBare && next && JOINT.test(text.slice(figure.end, next.start))) variants.push(...inUnitOf(next, figure))
  if (isBare && previous && JOINT.test(text.slice(previous.end, figure.start)))
    variants.push(...inUnitOf(previous, figure).filter(variant => variant.readings === figure.readings))
  return variants
}

/** Returns the figure with its neighbour's unit and multiplier. */
export function inUnitOf(neighbour: Pick<Figure, 'readings' | 'unit'>, figure: Figure): Figure[] {
  const variants: Figure[] = []
  const { unit } = neighbour
  const multiplier = neighbour.readings[0]?.multiplier ?? 1
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
