/**
 * A limit for a function whose cost depends on its arguments. The engine cannot interrupt a call on one block, and even EXPLAIN
 * computes constants. So the query's text alone must show that the call stays within the limit.
 */
export type CallBound =
  /**
   * The argument `at` is a number, and the query's text must limit it to at most `most`. If `isNeeded` is false, it may be
   * missing.
   */
  | { readonly kind: 'count'; readonly at: number; readonly most: number; readonly isNeeded?: boolean }
  /**
   * The call copies the argument `of` several times, as in `repeat(name, 3)`; the argument `at` is the number of copies. If `of`
   * is not a literal, it may consist of copies itself. So the numbers of all such calls in a query are multiplied.
   */
  | { readonly kind: 'copies'; readonly at: number; readonly of: number | undefined; readonly most: number }
  /**
   * The arguments from position `from` on give the length of a list, as in `range(0, 10)`. A length in the query's text may be at
   * most `most`. A length that comes from the data has no limit.
   */
  | { readonly kind: 'length'; readonly from: number; readonly most: number }
  /** The argument is a regular expression, or a list of them, of limited size. */
  | { readonly kind: 'pattern'; readonly at: number }
  /** The argument is a LIKE pattern of limited length. */
  | { readonly kind: 'like'; readonly at: number }
  /**
   * The argument is a JSONPath, as in `JSON_VALUE(x, '$.a.b')`. The numbers in it are limited, because they are array positions.
   */
  | { readonly kind: 'path'; readonly at: number }
  /** The argument is a printf format, such as `%10d`. The widths in it are limited. */
  | { readonly kind: 'widths'; readonly at: number }
  /** The call compares each character of one text with each character of another, which takes quadratic time. */
  | { readonly kind: 'likeness' }
  /**
   * The call compares each element of one list with each element of another, which takes quadratic time. For geometric shapes,
   * the elements are the sides.
   */
  | { readonly kind: 'lists' }
  /** The call must not use the method `not`. With it, the aggregate function would compare each value with each other value. */
  | { readonly kind: 'method'; readonly not: string }
  /** The first argument must be one of these texts, as a literal. */
  | { readonly kind: 'choice'; readonly of: readonly string[] }

const LIKENESS: CallBound = { kind: 'likeness' }
const LISTS: CallBound = { kind: 'lists' }
const PADDING: CallBound = { kind: 'count', at: 1, most: 10_000 }
const PATTERN: CallBound = { kind: 'pattern', at: 1 }
const LIKE: CallBound = { kind: 'like', at: 1 }
const PATH: CallBound = { kind: 'path', at: 1 }
const CELLS: CallBound = { kind: 'count', at: 1, most: 50 }
const ROW_FORMAT: CallBound = {
  kind: 'choice',
  of: ['CSV', 'TSV', 'TabSeparated', 'JSONEachRow', 'JSONCompactEachRow', 'Values'],
}
const WINDOW: CallBound = { kind: 'count', at: 1, most: 100 }

export const CALL_BOUNDS: Readonly<Record<string, CallBound>> = {
  repeat: { kind: 'copies', at: 1, of: 0, most: 1_000 },
  arrayWithConstant: { kind: 'copies', at: 0, of: 1, most: 100_000 },
  arrayResize: { kind: 'copies', at: 1, of: 2, most: 100_000 },
  space: { kind: 'count', at: 0, most: 10_000 },
  toFixedString: { kind: 'count', at: 1, most: 10_000 },
  leftPad: PADDING,
  leftPadUTF8: PADDING,
  rightPad: PADDING,
  rightPadUTF8: PADDING,
  range: { kind: 'length', from: 0, most: 100_000 },
  timeSlots: { kind: 'length', from: 1, most: 100_000 },
  mapPopulateSeries: { kind: 'count', at: 1, most: 1_000_000, isNeeded: true },
  ngrams: WINDOW,
  arrayShingles: WINDOW,
  h3kRing: CELLS,
  h3HexRing: CELLS,
  printf: { kind: 'widths', at: 0 },
  match: PATTERN,
  extract: PATTERN,
  extractAll: PATTERN,
  extractGroups: PATTERN,
  extractAllGroupsHorizontal: PATTERN,
  extractAllGroupsVertical: PATTERN,
  regexpExtract: PATTERN,
  regexpPosition: PATTERN,
  countMatches: PATTERN,
  countMatchesCaseInsensitive: PATTERN,
  replaceRegexpOne: PATTERN,
  replaceRegexpAll: PATTERN,
  multiMatchAny: PATTERN,
  multiMatchAnyIndex: PATTERN,
  multiMatchAllIndices: PATTERN,
  splitByRegexp: { kind: 'pattern', at: 0 },
  like: LIKE,
  notLike: LIKE,
  ilike: LIKE,
  notILike: LIKE,
  mapContainsKeyLike: LIKE,
  mapContainsValueLike: LIKE,
  mapExtractKeyLike: LIKE,
  mapExtractValueLike: LIKE,
  JSON_EXISTS: PATH,
  JSON_QUERY: PATH,
  JSON_VALUE: PATH,
  editDistance: LIKENESS,
  editDistanceUTF8: LIKENESS,
  damerauLevenshteinDistance: LIKENESS,
  jaroSimilarity: LIKENESS,
  jaroWinklerSimilarity: LIKENESS,
  hasAny: LISTS,
  hasAll: LISTS,
  hasSubstr: LISTS,
  polygonsWithinCartesian: LISTS,
  sparkbar: { kind: 'count', at: -1, most: 1_000 },
  kolmogorovSmirnovTest: { kind: 'method', not: 'exact' },
  formatRow: ROW_FORMAT,
  formatRowNoNewline: ROW_FORMAT,
}
