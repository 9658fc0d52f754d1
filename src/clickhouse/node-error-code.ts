/** Returns the code of a Node error, such as `ENOENT`. It avoids `instanceof Error`, since errors may come from another realm. */
export function nodeErrorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
