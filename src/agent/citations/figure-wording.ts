import type { Figure } from './figures.ts'

/** The words that may announce how a figure was made: those of its sentence, or of the parentheses that it stands in. */
export function wordingOf(figure: Figure, text: string, isBound: boolean): string {
  const open = text.lastIndexOf('(', figure.start)
  const close = text.indexOf(')', figure.end)
  const inside = open >= 0 && close >= 0 && !text.slice(open, figure.start).includes(')')
  const near = isBound ? nearby(figure, text) : [0, text.length]
  const [start = 0, end = text.length] = inside ? [open, close] : near
  const per = /(?<!\p{L})(?:(?:per|pro)\s(?:\d[\d.,]*\s)?\p{L}+|costs?|divided by|geteilt durch)(?!\p{L})/iu.exec(text)?.[0] ?? ''
  return `${per} ${text.slice(start, figure.start)} ${text.slice(figure.end, end)}`
}

/** The part of the sentence between the breaks around a figure. */
function nearby(figure: Figure, text: string): [number, number] {
  const before = /(?:[,;:](?!\d)|\s[–—-]\s)(?:(?![,;:](?!\d)|\s[–—-]\s).)*$/su.exec(text.slice(0, figure.start))
  const behind = /[,;:)(](?!\d)|\s[–—-]\s/u.exec(text.slice(figure.end))
  return [before?.index ?? 0, behind ? figure.end + behind.index : text.length]
}

/** "From 1.2 to 1.4 million SOL": a figure without unit or multiplier may have those of the next. */
export function withNeighbourUnits(figure: Figure, figures: readonly Figure[], text: string): Figure[] {
  if (figure.unit !== undefined || figure.date !== undefined || figure.word === 'ratio') return [figure]
  const variants: Figure[] = [figure]
  const next = figures.find(other => other.start >= figure.end)
  if (
    next === undefined ||
    !/^\s*(?:\p{L}+\s){0,2}(?:of|to|and|von|auf|bis|und|out of|or|–|-|→|,|\/)?\s*(?:its\s|the\s|about\s|rund\s)?[$€]?$/iu.test(
      text.slice(figure.end, next.start),
    )
  )
    return variants
  const multiplier = next.readings[0]?.multiplier ?? 1
  const scaled = figure.readings.map(reading => ({
    ...reading,
    value: reading.value * multiplier,
    step: reading.step * multiplier,
    looseStep: reading.looseStep * multiplier,
    multiplier,
  }))
  if (next.unit) variants.push({ ...figure, unit: next.unit })
  if (multiplier !== 1 && figure.readings[0]?.multiplier === 1)
    variants.push({ ...figure, readings: scaled, ...(next.unit && { unit: next.unit }) })
  return variants
}
