import { BASE_LIMITS } from './limits.ts'

/**
 * Waits for work. If the work takes longer than a second, tells the person at the terminal once.
 * @param tell default: nobody is told
 */
export async function noticeWhenSlow<T>(
  work: Promise<T>,
  sentence: string,
  tell: ((sentence: string) => void) | undefined,
): Promise<T> {
  const timer = setTimeout(() => tell?.(sentence), BASE_LIMITS.toldMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
