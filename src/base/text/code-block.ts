/** Puts code in a fence that the code cannot close. */
export function codeBlock(kind: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${kind}\n${code.trimEnd()}\n${fence}`
}
