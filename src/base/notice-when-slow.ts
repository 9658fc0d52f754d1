/** After this time a person at a terminal wonders what is happening. */
const SLOW_MS = 1_000

/**
 * Reports once if work takes longer than a second.
 * @param tell default: no report
 */
export async function noticeWhenSlow<T>(
  work: Promise<T>,
  sentence: string,
  tell: ((sentence: string) => void) | undefined,
): Promise<T> {
  const timer = setTimeout(() => tell?.(sentence), SLOW_MS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
