/** An expression that takes less at the longest text is not examined. A linear one takes a tenth of this, a quadratic one ten times as much. */
const SUSPECT_MS = 3
/** The growth of time for a text four times as long: 4 is linear, 16 quadratic. */
const MOST_GROWTH = 8
const REPEATS = 3

/** Processor time, which other processes lengthen less than elapsed time. */
function millisecondsOf(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function leastOf(run: () => void): number {
  return Math.min(...Array.from({ length: REPEATS }, () => millisecondsOf(run)))
}

/** Up to this length, nothing linear is slow. It grows in small steps, so that exponential time is found before it takes forever. */
const SHORT = 400
const SMALL_STEP = 1.4
const STEP = 4

/** Whether time grows faster than the text, up to four times `longest`. */
export function growsBeyondLinear(run: (text: string) => void, textOf: (length: number) => string, longest: number): boolean {
  for (const length of lengthsUpTo(longest)) {
    const text = textOf(length)
    if (millisecondsOf(() => run(text)) <= SUSPECT_MS) continue
    const least = leastOf(() => run(text))
    if (least <= SUSPECT_MS) continue
    if (length <= SHORT) return true
    const longer = textOf(length * STEP)
    if (leastOf(() => run(longer)) > least * MOST_GROWTH) return true
  }
  return false
}

function lengthsUpTo(longest: number): readonly number[] {
  const lengths = [20]
  for (let length = 20; length < longest; lengths.push(Math.min(Math.ceil(length), longest)))
    length *= length < SHORT ? SMALL_STEP : STEP
  return lengths
}
