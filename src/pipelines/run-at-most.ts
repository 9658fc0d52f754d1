/**
 * Runs up to `size` tasks at the same time. After a failure, starts no more, waits for the running tasks, and throws the first
 * error.
 */
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
