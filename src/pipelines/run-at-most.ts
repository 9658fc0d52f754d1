/** Runs up to `size` tasks at a time. Throws the first failure after all started tasks have ended. */
export async function runAtMost(size: number, work: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...work]
  let isFailed = false
  const run = async () => {
    for (let next = waiting.shift(); next !== undefined && !isFailed; next = waiting.shift()) {
      await next().catch((error: unknown) => {
        isFailed = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: size }, run))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
