import type { Parsed } from '../parse-text.ts'
import type { Figure } from './figure.ts'
import { SAYS } from './wording.ts'

/** Returns 1 if the words around a figure say that something rose, -1 if they say that it fell, else 0. */
export function directionOf(figure: Figure, parsed: Parsed): 1 | -1 | 0 {
  const { text, figures } = parsed
  const previous = figures.findLast(other => other.end <= figure.start)?.end ?? 0
  const before = /(?<![^,;:(])[^,;:(]*$/.exec(text.slice(previous, figure.start))?.[0] ?? ''
  const next = figures.find(other => other.start >= figure.end)?.start ?? text.length
  const behind = /^[^,;.(]*/.exec(text.slice(figure.end, next))?.[0] ?? ''
  return saidDirection(before) || saidDirection(behind)
}

export function saidDirection(text: string): 1 | -1 | 0 {
  if (/slow(?:ed|s|ing)? down|s?pe(?:e?d) up|speeded up|langsamer/iu.test(text)) return 0
  // "By up to 3 minutes" states a bound, not a rise.
  const up = SAYS.up.test(text.replace(/(?<!\p{L})up to(?!\p{L})/giu, ''))
  const down = SAYS.down.test(text)
  return up === down ? 0 : up ? 1 : -1
}
