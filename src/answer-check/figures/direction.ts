import { SAYS } from './wording.ts'

/** Returns 1 if a text says that something rose, -1 if it says that it fell, else 0. */
export function saidDirection(text: string): 1 | -1 | 0 {
  // "By up to 3 minutes" states a bound, not a rise.
  const up = SAYS.up.test(text.replace(/(?<!\p{L})up to(?!\p{L})/giu, ''))
  const down = SAYS.down.test(text)
  return up === down ? 0 : up ? 1 : -1
}
