/**
 * Whether suites with very many cases run every case. Otherwise they run a fixed sample. `npm run test:whole` sets the variable.
 */
export const IS_WHOLE = process.env.TEST_WHOLE === '1'

/**
 * Returns the sample of these cases. With `npm run test:whole`, returns all cases. Of each kind, the sample has the cases 1, 1 + `every`, 1 + 2
 * `every`, …
 */
export function sampleOf<T>(cases: readonly T[], every: number, kindOf: (one: T) => string = () => ''): readonly T[] {
  if (IS_WHOLE) return cases
  const seen = new Map<string, number>()
  return cases.filter(one => {
    const kind = kindOf(one)
    const before = seen.get(kind) ?? 0
    seen.set(kind, before + 1)
    return before % every === 0
  })
}

/** Returns how many random cases to run: `all` in a whole run (`npm run test:whole`), otherwise an eighth of them. */
export function runsOf(all: number): number {
  return IS_WHOLE ? all : Math.ceil(all / 8)
}
