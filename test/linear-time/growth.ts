/** One that took less at its longest is not looked at closer. A linear expression takes a tenth of it, one that grows by the square ten times as much. */
const SUSPECT_MS = 3
/** Growth of time where a text is four times as long: 4 is linear, 16 is by the square. */
const MOST_GROWTH = 8
const REPEATS = 3

/** Processor time, which other processes of a machine do not lengthen as they do the time on a clock. */
function millisecondsOf(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function leastOf(run: () => void): number {
  return Math.min(...Array.from({ length: REPEATS }, () => millisecondsOf(run)))
}

/** Up to this length, nothing that is linear takes so long that it is a suspect. It grows in small steps: exponential time must be found before it takes for ever. */
const SHORT = 400
const SMALL_STEP = 1.4
const STEP = 4

/** Whether the time that something takes grows faster than its text, by texts of growing length up to four times `longest`. */
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
