/** Advice for refused functions: a pattern for their names, and the advice. */
export const ALTERNATIVES: readonly (readonly [name: RegExp, advice: string])[] = [
  [/^dictGet|^dictHas$/, 'Read the dictionary as a table instead: LEFT JOIN it on its key, as in LEFT JOIN d ON d.id = t.id.'],
  [/^joinGet/, 'Join the table instead.'],
  [/^getSubcolumn$/, 'Write the path behind the column, as in data.path or pair.a, or use JSONExtract or tupleElement.'],
  [/^arrayLevenshtein|^arraySimilarity$/, 'Compare arrays by arrayIntersect or arrayJaccardIndex.'],
  [/^polygons|^geometryIntersect/, 'Use pointInPolygon or polygonsWithinCartesian.'],
  [
    /^h3(?:ToChildren|Line|PolygonToCells)|^geohashesInBox$/,
    'Map the points instead, by geoToH3 or geohashEncode, and group by that.',
  ],
  [/^replicate$/, 'Use arrayMap over range.'],
  [/^multiFuzzyMatch/, 'Use multiSearchAny, ngramDistance or editDistance.'],
  [/^random/, 'Use rand or generateUUIDv4.'],
  [/^formatQuery|^highlightQuery$|^tokenizeQuery$/, 'Use normalizeQuery.'],
  [/^reinterpret$/, 'Use reinterpretAsUInt32 and the like.'],
]

/**
 * Functions that the engine calls even without parentheses, as in `SELECT current_user`, if no column or alias has that name.
 * Their aliases work in the same way. `system.functions` does not mark them. The list comes from `allowsOmittingParentheses` in
 * the engine's code (26.7), plus two functions of later versions.
 */
export const BARE_FUNCTIONS: ReadonlySet<string> = new Set([
  'currentDatabase',
  'currentUser',
  'localtime',
  'now',
  'today',
  'currentHandler',
  'currentRequestURL',
])

/** Functions that read the clock, without their aliases. Other functions that do are not allowed (26.7). */
export const CLOCKS: ReadonlySet<string> = new Set([
  'now',
  'now64',
  'nowInBlock',
  'today',
  'yesterday',
  'UTCTimestamp',
  'localtime',
])

/** Functions that the engine's analyzer resolves by itself. `system.functions` does not list them (26.7). */
export const ANALYZER_FUNCTIONS: ReadonlySet<string> = new Set(['exists', 'grouping', 'untuple'])

/** The functions of IN and its variants, in lower case. A bare name to their right may mean a table. */
export const IN_FUNCTIONS: ReadonlySet<string> = new Set(
  ['in', 'notIn', 'nullIn', 'notNullIn', 'globalIn', 'globalNotIn', 'globalNullIn', 'globalNotNullIn'].flatMap(name => [
    name.toLowerCase(),
    `${name}IgnoreSet`.toLowerCase(),
  ]),
)

/**
 * Table functions that make rows from their arguments, in lower case. The engine prints `VALUES (…)` in FROM as
 * SQLStandardValues.
 */
export const ALLOWED_TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'numbers',
  'generateseries',
  'generate_series',
  'values',
  'sqlstandardvalues',
])

/**
 * Suffixes of aggregate functions (`system.aggregate_function_combinators`, 26.7). A function may have several: `sumIfOrNull` is
 * `sum` with `If` and `OrNull`.
 */
export const AGGREGATE_COMBINATORS: readonly string[] = [
  'SimpleState',
  'OrDefault',
  'Distinct',
  'Resample',
  'ForEach',
  'ArgMax',
  'ArgMin',
  'OrNull',
  'Tuple',
  'Merge',
  'State',
  'Array',
  'Null',
  'Map',
  'If',
]
