import { SERVER_LIMITS } from '../limits.ts'

/** Matches a quoted string or a quoted name. A backslash escapes the next character. */
const QUOTED = /'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"/y
const SUBQUERY = /\(\s*SELECT\b/iy
/** Matches the text before a subquery that is read as a table or belongs to a UNION. Example: `FROM ` before `(SELECT 1)`. */
const TABLE_PLACE = /(?:^|\b(?:FROM|JOIN|AS|UNION|EXCEPT|INTERSECT|ALL|DISTINCT))\s*$/i
/** Matches the text before a subquery that is a set of values. Example: `NOT IN ` before `(SELECT 1)`. */
const SET_PLACE = /\b(?:NOT\s+)?(?:GLOBAL\s+)?(?:NOT\s+)?IN\s*$/i
const EXISTS_PLACE = /\bexists\(\s*$/i

export interface ValueSubquery {
  readonly kind: 'scalar' | 'set' | 'exists'
  /** The index of the subquery's first character, inside the parentheses. */
  readonly start: number
  readonly end: number
  /** Where the text that a placeholder replaces begins. It includes the parentheses, and the IN or `exists( )` around them. */
  readonly outerStart: number
  readonly outerEnd: number
}

/**
 * Returns the subqueries that stand for values, and which planning would run. Inner ones come first. Returns undefined if there
 * are too many. Also returns undefined for a query with WITH: a name in a subquery planned on its own could mean another table.
 * @param canonical the guard's output, which the engine has printed without comments
 */
export function valueSubqueries(canonical: string): readonly ValueSubquery[] | undefined {
  const found: ValueSubquery[] = []
  const open: (Pick<ValueSubquery, 'kind' | 'start' | 'outerStart'> | null)[] = []
  let plain = ''
  for (let at = 0; at < canonical.length; at++) {
    const quoted = matchAt(QUOTED, canonical, at)
    if (quoted !== undefined) {
      plain += '_'.repeat(quoted.length)
      at += quoted.length - 1
      continue
    }
    const character = canonical[at] ?? ''
    if (character === '(') open.push(opened(canonical, plain))
    plain += character
    const closed = character === ')' ? open.pop() : undefined
    if (closed) found.push({ ...closed, end: at, outerEnd: closed.kind === 'exists' ? at + 2 : at + 1 })
  }
  const hasWith = /\bWITH\b(?!\s+(?:TIES|TOTALS|ROLLUP|CUBE|FILL)\b)/i.test(plain)
  return hasWith || found.length > SERVER_LIMITS.valueSubqueries ? undefined : found
}

function opened(canonical: string, plain: string): Pick<ValueSubquery, 'kind' | 'start' | 'outerStart'> | null {
  const at = plain.length
  if (matchAt(SUBQUERY, canonical, at) === undefined || TABLE_PLACE.test(plain)) return null
  const set = SET_PLACE.exec(plain)
  if (set !== null) return { kind: 'set', start: at + 1, outerStart: set.index }
  const exists = EXISTS_PLACE.exec(plain)
  if (exists !== null) return { kind: 'exists', start: at + 1, outerStart: exists.index }
  return { kind: 'scalar', start: at + 1, outerStart: at }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
