/** The `code` by which Node names a system error (`ECONNREFUSED`), whichever realm the error comes from. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
