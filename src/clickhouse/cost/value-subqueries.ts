import { SERVER_LIMITS } from '../limits.ts'

/** A quoted text or name. Inside, the engine escapes quotes with a backslash. */
const QUOTED = /'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"/y
const SUBQUERY = /\(\s*SELECT\b/iy
/** The text before a subquery that is a table or a part of a UNION. */
const TABLE_PLACE = /(?:^|\b(?:FROM|JOIN|AS|UNION|EXCEPT|INTERSECT|ALL|DISTINCT))\s*$/i
/** The text before a subquery that is a set. */
const SET_PLACE = /\b(?:NOT\s+)?(?:GLOBAL\s+)?(?:NOT\s+)?IN\s*$/i
const EXISTS_PLACE = /\bexists\(\s*$/i

/** A subquery that stands in place of a value. */
export interface ValueSubquery {
  readonly kind: 'scalar' | 'set' | 'exists'
  /** The offsets of the subquery's text, without the parentheses around the subquery. */
  readonly start: number
  readonly end: number
  /** The offsets of the text to replace: the subquery with its parentheses, and with its IN or `exists( )`. */
  readonly outerStart: number
  readonly outerEnd: number
}

/**
 * Returns the subqueries that stand in place of values, inner ones first. Planning would run them. Returns undefined if there are too many. Also
 * returns undefined for a query with WITH, since a name in a part that is planned separately may mean another table.
 * @param canonical the output of the guard, which the engine printed without comments
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
