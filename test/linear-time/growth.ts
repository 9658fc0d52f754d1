/**
 * An expression that takes less time than this at the longest text is not examined. A linear one takes a tenth of this, and a quadratic one ten times
 * as much. At a quarter of the text, a quadratic one takes a 16th.
 */
const SUSPECT_MS = 3
/** The maximum growth of the time if a text becomes four times as long. Linear time grows by 4, and quadratic time by 16. */
const MOST_GROWTH = 8
const REPEATS = 3
/**
 * The maximum time per 1,000 characters. While a parser runs, everything else waits. The limit is 20 ms on an idle machine. A busy machine took up to
 * three times the processor time.
 */
const MOST_MS_A_KILOBYTE = 100
/**
 * A parser is not examined if it takes less time than this at the longest text. Neither is one that takes less than a 20th of the allowed time.
 * There, only the time for memory grows.
 */
const PARSER_SUSPECT_MS = 50
const SUSPECT_PART = 20

/** Returns the processor time of a function. Other processes affect it less than the elapsed time. */
function millisecondsOf(run: () => void): number {
  const before = process.cpuUsage()
  run()
  return millisecondsSince(before)
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function leastOf(run: () => void): number {
  return Math.min(...Array.from({ length: REPEATS }, () => millisecondsOf(run)))
}

/**
 * Up to this length, nothing linear is slow. The text grows in small steps, so that exponential time is found before it takes forever.
 */
const SHORT = 400
const SMALL_STEP = 1.4
const STEP = 4

type TextOf = (length: number) => string

/** Whether the time grows faster than the text, for texts of up to `longest` characters. */
export function growsBeyondLinear(run: (text: string) => void, textOf: TextOf, longest: number): boolean {
  return lengthsUpTo(longest / STEP).some(length => {
    const isShort = length <= SHORT
    const unsuspected = isShort ? SUSPECT_MS : SUSPECT_MS / STEP ** 2
    const text = textOf(length)
    // The elapsed time is never less than the processor time, and measuring it costs nothing. So it is measured first.
    const before = performance.now()
    run(text)
    if (performance.now() - before <= unsuspected) return false
    const least = leastOf(() => run(text))
    if (least <= unsuspected || isShort) return least > unsuspected
    const longer = textOf(length * STEP)
    const isLong = () => millisecondsOf(() => run(longer)) > Math.max(SUSPECT_MS, least * MOST_GROWTH)
    return isLong() && isLong() && isLong()
  })
}

function lengthsUpTo(longest: number): readonly number[] {
  const lengths = [20]
  for (let length = 20; length < longest; lengths.push(Math.min(Math.ceil(length), longest)))
    length *= length < SHORT ? SMALL_STEP : STEP
  return lengths
}

/** Returns the reason if a parser takes too long for a text of up to `longest` characters. Returns undefined if it is fast enough. */
export async function slownessOf(read: (text: string) => unknown, textOf: TextOf, longest: number): Promise<string | undefined> {
  const allowed = (MOST_MS_A_KILOBYTE * longest) / 1_000
  const suspect = Math.max(PARSER_SUSPECT_MS, allowed / SUSPECT_PART)
  let quarter = 0
  // The text grows in steps. A parser that takes exponential time is then found before it runs forever.
  for (const length of [longest / STEP ** 3, longest / STEP, longest]) {
    const ms = await leastBelow(allowed, read, textOf(length))
    if (ms > allowed) return `${Math.round(ms)} ms for ${Math.round(length)} characters`
    if (length === longest && ms > suspect && ms > quarter * MOST_GROWTH) break
    // Even if the time grew quadratically from here, it would stay below the limit.
    if (length === longest || (length === longest / STEP && ms * STEP ** 2 <= suspect)) return undefined
    quarter = ms
  }
  quarter = await leastBelow(0, read, textOf(longest / STEP))
  const whole = await leastBelow(Math.max(suspect, quarter * MOST_GROWTH), read, textOf(longest))
  if (whole <= Math.max(suspect, quarter * MOST_GROWTH)) return undefined
  return `${whole.toFixed(1)} ms, and ${quarter.toFixed(1)} ms for a quarter of the text`
}

/** Returns the lowest of several measured times. Stops at the first time that is within the limit. */
async function leastBelow(allowed: number, read: (text: string) => unknown, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < REPEATS && least > allowed; repeat++) {
    const before = process.cpuUsage()
    await read(text)
    least = Math.min(least, millisecondsSince(before))
  }
  return least
}

/** Returns the factor by which work takes longer if its size doubles. The factor is 2 for linear work, and 4 for quadratic work. */
export async function growthOfTwice(work: (size: number) => Promise<unknown>, size: number): Promise<number> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number]
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const twice of [0, 1] as const) {
      const before = process.cpuUsage()
      await work(size * (1 + twice))
      least[twice] = Math.min(least[twice], millisecondsSince(before))
    }
  }
  return least[1] / least[0]
}
