import { CHART_LIMITS } from '../limits.ts'
import { fittingText, textWidth } from '../text-width.ts'

/** Matches the positions where a name may break into two lines: after `_`, `-`, `.`, `/`, `:` or a space. */
const BREAK = /(?<=[_\-./: ])/

/**
 * Splits a name into one or two lines. A long name keeps its beginning and its end, because similar names of pipelines often
 * differ only in these two places.
 */
export function labelLines(name: string, size: number, width: number): readonly string[] {
  const text = withoutMiddle(name)
  const fits = (part: string) => textWidth(part, size) <= width
  if (fits(text)) return [text]
  const words = text.split(BREAK)
  for (let count = words.length - 1; count > 0; count -= 1) {
    const [first, second] = [words.slice(0, count).join('').trim(), words.slice(count).join('').trim()]
    if (fits(first) && fits(second)) return [first, second]
  }
  const characters = [...text]
  let count = characters.length
  while (count > 1 && !fits(characters.slice(0, count).join(''))) count -= 1
  const [first, rest] = [characters.slice(0, count).join('').trim(), characters.slice(count).join('').trim()]
  return fits(rest) ? [first, rest] : [first, lastPart(rest, size, width)]
}

function lastPart(text: string, size: number, width: number): string {
  return [...fittingText([...text].toReversed().join(''), size, width)].toReversed().join('')
}

/**
 * Cuts the middle of a very long name, so that few line breaks need testing. The reader does not see this cut, because the rest
 * is still too long for two lines and is cut again.
 */
function withoutMiddle(name: string): string {
  const characters = [...name]
  return characters.length <= 2 * CHART_LIMITS.nameEndCharacters
    ? name
    : [...characters.slice(0, CHART_LIMITS.nameEndCharacters), ...characters.slice(-CHART_LIMITS.nameEndCharacters)].join('')
}
