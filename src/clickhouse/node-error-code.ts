/** The code of one of Node's own errors, e.g. `ENOENT`. Not by `instanceof Error`: they may come from another realm. */
export function nodeErrorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
