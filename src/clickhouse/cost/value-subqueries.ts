/** A quoted text or name; the engine prints quotes inside of quotes behind a backslash. */
const QUOTED = /'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"/y
const SUBQUERY = /\(\s*SELECT\b/iy
/** What stands before a subquery that is a table. */
const TABLE_PLACE = /\b(?:FROM|JOIN|AS)\s*$/i
const MOST = 16

/**
 * The texts of the subqueries that stand where a value does and hold no further one: what planning the whole query would run. None of a query with
 * WITH, outside of which a name may mean another table.
 * @param canonical as the guard returned it: parsed and printed by the engine, without comments
 */
export function valueSubqueries(canonical: string): readonly string[] {
  const found: { readonly start: number; readonly end: number }[] = []
  const open: { readonly at: number; readonly isValue: boolean }[] = []
  let plain = ''
  for (let at = 0; at < canonical.length; at++) {
    const quoted = matchAt(QUOTED, canonical, at)
    if (quoted !== undefined) {
      plain += ' '.repeat(quoted.length)
      at += quoted.length - 1
      continue
    }
    const character = canonical[at] ?? ''
    if (character === '(') open.push({ at, isValue: matchAt(SUBQUERY, canonical, at) !== undefined && !TABLE_PLACE.test(plain) })
    plain += character
    const closed = character === ')' ? open.pop() : undefined
    if (closed?.isValue === true) found.push({ start: closed.at, end: at })
  }
  if (/\bWITH\b(?!\s+(?:TIES|TOTALS|ROLLUP|CUBE|FILL)\b)/i.test(plain)) return []
  const isLeaf = (one: (typeof found)[number]) => !found.some(other => other.start > one.start && other.end < one.end)
  return found
    .filter(isLeaf)
    .slice(0, MOST)
    .map(({ start, end }) => canonical.slice(start + 1, end))
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
