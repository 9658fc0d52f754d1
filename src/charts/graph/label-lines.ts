import { fittingText, textWidth } from '../text-width.ts'

/** Behind these a name may go on in the next line. */
const BREAK = /(?<=[_\-./: ])/
/** Characters of a very long name that are looked at, from its beginning and its end. */
const END = 60

/** A name in one line or two. Of one that is too long the beginning and the end are left: names of a pipeline differ in either. */
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

/** More than fits into two lines, and little enough to try out. */
function withoutMiddle(name: string): string {
  const characters = [...name]
  return characters.length <= 2 * END ? name : [...characters.slice(0, END), ...characters.slice(-END)].join('')
}
