/** Substitutes for functions that are refused, by the engine's name or its beginning. */
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
 * Functions that are called without brackets too, by all of their names, where no column or alias has the name: `SELECT current_user`. The engine does not
 * list them (`allowsOmittingParentheses` in its sources; 26.7, and the two of later versions).
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

/** What the analyzer itself resolves and `system.functions` does not list (26.7). */
export const ANALYZER_FUNCTIONS: ReadonlySet<string> = new Set(['exists', 'grouping', 'untuple'])

/** Functions whose right operand, as a bare name, is a table. In lower case. */
export const IN_FUNCTIONS: ReadonlySet<string> = new Set(
  ['in', 'notIn', 'nullIn', 'notNullIn', 'globalIn', 'globalNotIn', 'globalNullIn', 'globalNotNullIn'].flatMap(name => [
    name.toLowerCase(),
    `${name}IgnoreSet`.toLowerCase(),
  ]),
)

/** Table functions that make rows out of their arguments. `VALUES (…)` in FROM is printed as SQLStandardValues. In lower case. */
export const ALLOWED_TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'numbers',
  'generateseries',
  'generate_series',
  'values',
  'sqlstandardvalues',
])

/** Suffixes of aggregate functions (`system.aggregate_function_combinators`, 26.7), which may be stacked: sumIfOrNull. */
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
