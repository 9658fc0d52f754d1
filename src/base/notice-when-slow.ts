import { BASE_LIMITS } from './limits.ts'

/**
 * Reports once if work takes longer than a second.
 * @param tell default: no report
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
