import { BASE_LIMITS } from './limits.ts'

/**
 * Waits for work. If it takes longer than a second, tells the sentence once.
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
