/** Longer than this a person at a terminal wonders what goes on. */
const SLOW_MS = 1_000

/** Says what is waited for, once, where that takes longer than a second. @param tell nobody hears it when absent */
export async function toldWhenSlow<T>(
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
