import { saidDirection } from '../figures/direction.ts'
import type { Figure } from '../figures/figure.ts'
import { AGO, isDenied } from '../figures/wording.ts'
import type { Parsed } from '../parse-text.ts'
import type { Match } from '../support.ts'
import type { Problem } from '../unsupported-figure.ts'

/**
 * Reports two figures that contradict the words between them: "fell from 3 to 5", "5, up from 7", "9 of 4".
 * @param isWorked true if the answer has workings; the words "a of b" are then not checked
 */
export function wrongTurn(parsed: Parsed, shown: ReadonlyMap<Figure, readonly Match[]>, isWorked: boolean): Problem | undefined {
  const { text, figures } = parsed
  for (const [index, one] of figures.entries()) {
    const other = figures[index + 1]
    if (other === undefined || !shown.has(one) || !shown.has(other) || one.readings.length === 0 || other.readings.length === 0)
      continue
    const between = text.slice(one.end, other.start)
    if (
      !isWorked &&
      /,\s(?:of which|davon|darunter)\s$/iu.test(between) &&
      comparable(one, other) &&
      (other.readings[0]?.value ?? 0) > (one.readings[0]?.value ?? 0)
    ) {
      return { text: text.slice(one.start, other.end), reason: `${other.text} cannot be a part of ${one.text}` }
    }
    const whole =
      /(?:^|[\s(])(?:of|von)\s(?:the\s|all\s|den\s)?$/iu.test(text.slice(0, one.start)) && /^\s\p{L}+,\s$/u.test(between)
    if (
      !isWorked &&
      whole &&
      one.word === undefined &&
      one.unit?.dimension === other.unit?.dimension &&
      (other.readings[0]?.value ?? 0) > (one.readings[0]?.value ?? 0)
    ) {
      return { text: text.slice(one.start, other.end), reason: `${other.text} cannot be a part of ${one.text}` }
    }
    if (AGO.test(text.slice(other.end))) continue
    if (
      !isWorked &&
      comparable(one, other) &&
      // In "Claims of 12 against premiums of 9" the 12 is no part of the 9.
      !/(?<!\p{L})(?:of|von)\s(?:the\s|den\s)?[$€]?$/iu.test(text.slice(0, one.start)) &&
      /^\s(?:(?!(?:and|und|instead|ahead|short|because|think|anstatt|statt)\s)\p{L}+\s)?(?:out of|of|von)\s(?:the\s|its\s|all\s|den\s)?[$€]?$/iu.test(
        between,
      )
    ) {
      const part = (one.readings[0]?.value ?? 0) * unitFactor(one, other)
      if (part > (other.readings[0]?.value ?? 0) * unitFactor(other, one))
        return { text: text.slice(one.start, other.end), reason: `${one.text} cannot be a part of ${other.text}` }
      continue
    }
    const lead = text.slice(Math.max(0, one.start - 60), one.start)
    const upFrom = /^[\s\S]{0,24}?\b(up|down)\s+from\s[^\d]{0,8}$/i.exec(between)
    if (upFrom) {
      const rises =
        (one.readings[0]?.value ?? 0) * unitFactor(one, other) > (other.readings[0]?.value ?? 0) * unitFactor(other, one)
      if (rises !== (upFrom[1]?.toLowerCase() === 'up'))
        return { text: text.slice(one.start, other.end), reason: `${one.text} is not ${upFrom[1]} from ${other.text}` }
      continue
    }
    if (!/^[^,;\d]{0,30}\s?(?:to|auf|→|->)\s[^\d]{0,8}$/i.test(between) || !/(?:from|von|→|:)\s[^\d]{0,8}$|^\s*$/i.test(lead))
      continue
    // "They range from 2 to 4" describes no change.
    if (IN_RANGE.test(lead)) continue
    const clause = text.slice(figures[index - 1]?.end ?? 0, one.start)
    const beside = /(?<![^,;:])[^,;:]*$/.exec(lead)?.[0] ?? ''
    // In "Did not fall: it went from 3 to 5" the verb stands before the colon.
    const telling = saidDirection(beside) === 0 ? clause.replace(/[,;:][^,;:]*$/, '') : beside
    if (isDenied(telling)) continue
    const said =
      saidDirection(beside) || saidDirection(clause) || saidDirection(/^[^,;.\d]*/.exec(text.slice(other.end))?.[0] ?? '')
    const change = Math.sign(
      (other.readings[0]?.value ?? 0) * unitFactor(other, one) - (one.readings[0]?.value ?? 0) * unitFactor(one, other),
    )
    if (said !== 0 && change === -said)
      return { text: text.slice(one.start, other.end), reason: `from ${one.text} to ${other.text} is a change the other way` }
  }
  return undefined
}

const IN_RANGE =
  /(?<!\p{L})(?:rang(?:e|es|ed|ing)|var(?:y|ies|ied)|spread|spans?|lies?|lay|liegen|lagen|reich\p{L}*)\s(?:\p{L}+\s)?(?:from|von)\s[^\d]{0,8}$/iu

function comparable(one: Figure, other: Figure): boolean {
  return one.unit === undefined || one.unit.dimension === other.unit?.dimension
}

function unitFactor(figure: Figure, other: Figure): number {
  if (figure.unit !== undefined) return figure.unit.factor
  const multiplied = figure.readings[0]?.multiplier === 1 ? (other.readings[0]?.multiplier ?? 1) : 1
  return (
    (other.unit?.factor ?? 1) *
    (Math.abs((figure.readings[0]?.value ?? 0) - (other.readings[0]?.value ?? 0) / multiplied) <
    Math.abs(figure.readings[0]?.value ?? 0)
      ? multiplied
      : 1)
  )
}
