/** A figure without its unit, which may be a name of the results and then stands apart. */
export function digitsOf(text: string): string {
  return /\d(?:[\d.,'’\u00a0\u202f ]*\d)?/.exec(text)?.[0] ?? text.toLowerCase()
}
