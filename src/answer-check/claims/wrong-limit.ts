import { ABOVE_OR_BELOW, SAYS } from '../figures/wording.ts'
import { textBefore } from '../text-before.ts'
import type { Around, WorkedFigure } from '../workings/worked-figure.ts'

/**
 * Checks limits against the working: "All 4 {= count(level_pct > 96)} were above 96 %", "Three {= count(orders > 700)} have more
 * than 1,000". Returns the reason if they contradict it.
 */
export function wrongLimit(each: WorkedFigure, around: Around): string | undefined {
  return limitOfNumber(each, around) ?? otherLimit(each, around)
}

const LOST = /(?<!\p{L})(?:lost|lose|loses|verlor(?:en)?|verlieren)(?!\p{L})/iu

function limitOfNumber({ figure, expression }: WorkedFigure, { parsed, worked }: Around): string | undefined {
  for (const [, operator = '', limit = ''] of expression.matchAll(/([<>])=?\s*(-?\d+(?:\.\d+)?)/g)) {
    const amount = Math.abs(Number(limit))
    // "Lost more than 10 %" means `change_pct < -10`.
    const isLoss = Number(limit) < 0 && (SAYS.down.test(parsed.text) || LOST.test(parsed.text))
    for (const other of parsed.written) {
      const isLimit = other.readings.some(({ value }) => [amount, amount * 100].some(one => Math.abs(one - value) < 1e-9))
      if (other === figure || !isLimit) continue
      const bound = AT_BOUND.exec(textBefore(parsed.text, other.start))
      const isMore = bound === null ? saidBefore(other.start, parsed.text) : bound.groups?.least !== undefined
      if (isMore === undefined) continue
      const isAbove = isMore !== isLoss
      // In "above 15 min {avg(score, delay > 15)}, the rest {avg(score, delay <= 15)}" the words are about the first figure.
      const isOther = worked.some(one => one.expression.replace(/[\s=]/g, '').includes(`${isAbove ? '>' : '<'}${limit}`))
      if (isAbove === (operator === '>') || isOther) continue
      return `${figure.text} counts what is ${operator === '>' ? 'above' : 'below'} ${other.text}`
    }
  }
  return undefined
}

/** Reports a sentence that states another limit than the condition of its count: "more than 1,000" for `count(orders > 700)`. */
function otherLimit(each: WorkedFigure, { parsed: { text, figures }, worked }: Around): string | undefined {
  const limits = limitsOf(each)
  if (each.parts[0]?.aggregate !== 'count' || limits.length === 0) return undefined
  const others = worked.flatMap(limitsOf)
  const isKnown = (value: number) =>
    [...limits, ...others].some(limit =>
      [1, 60, 3600, 100, 1000, 1e6].some(factor => Math.abs(Math.abs(limit) - value * factor) < 1e-9),
    )
  const stranger = figures.find(
    figure =>
      figure !== each.figure &&
      figure.word === undefined &&
      saidBefore(figure.start, text) !== undefined &&
      !figure.readings.some(({ value }) => isKnown(value)),
  )
  return stranger && `${each.figure.text} counts with the limit ${limits.join(' and ')}, not ${stranger.text}`
}

/** Returns the numbers in the conditions of a working: the 21.5 of `count(loss_pct > 21.5)`. */
function limitsOf({ parts }: WorkedFigure): number[] {
  return parts.flatMap(({ conditions }) => conditions.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])))
}

/** Matches the words of a bound: "at least 200" has a lower limit, and "no more than 200" an upper one. */
const AT_BOUND =
  /(?<!\p{L})(?:(?<least>at least|no (?:less|fewer) than|mindestens)|at most|no more than|up to|höchstens|bis zu)\s(?:\p{Lu}{3}\s)?[$€]?$/iu

/** Returns true if the words before a figure make it a lower limit, false for an upper limit. Undefined if the figure is no limit. */
function saidBefore(at: number, text: string): boolean | undefined {
  const words = text.slice(Math.max(0, at - 40), at)
  const last = [...words.matchAll(ABOVE_OR_BELOW)].at(-1)
  if (
    last === undefined ||
    !/^\s(?:(?:the|half|a|an|of|den|die)\s)*(?:\p{Lu}{3}\s)?[$€]?[-−]?$/iu.test(words.slice(last.index + last[0].length))
  )
    return undefined
  return last.groups?.above !== undefined
}
