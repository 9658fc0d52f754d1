import { checkFigure } from './check-figure.ts'
import type { Figure } from './figures.ts'
import type { Mention } from './mentions.ts'
import { wrongOrder } from './order-claims.ts'
import { type Grounds, parseText } from './parse-text.ts'
import type { Match } from './support.ts'
import { unknownNames } from './unknown-names.ts'
import type { Problem } from './unsupported-figure.ts'
import { wrongMix } from './wrong-mix.ts'
import { wrongTurn } from './wrong-turn.ts'

const MOST_FIGURES = 60

/** Checks a sentence or a bullet against the results that it cites. */
export function checkText(text: string, grounds: Grounds, earlier: readonly Mention[] = []): Problem[] {
  const parsed = { ...parseText(text, grounds), earlier }
  if (parsed.figures.length > MOST_FIGURES)
    return [{ text: text.slice(0, 40), reason: 'this has too many figures to be checked in one sentence' }]
  const problems: Problem[] = []
  const matches: Match[] = []
  const shown = new Map<Figure, readonly Match[]>()
  for (const figure of parsed.figures) {
    const found = checkFigure(figure, parsed, grounds)
    if (Array.isArray(found)) {
      matches.push(...found)
      shown.set(figure, found)
    } else problems.push(found as Problem)
  }
  const turned = wrongTurn(parsed, shown)
  if (turned) problems.push(turned)
  const mixed = wrongMix(parsed, grounds.results)
  if (mixed) problems.push(mixed)
  const order = problems.length === 0 ? wrongOrder(text, parsed.mentions, matches, grounds.results) : undefined
  if (order) problems.push({ text: text.slice(0, 80), reason: order })
  return [...problems, ...unknownNames(text, [...parsed.mentions, ...parsed.figures], grounds.known, grounds.results)]
}
