/**
 * Which of the engine's functions a query may call, by the category that `system.functions` gives them (26.7). It is a list of what is
 * allowed: a category that a later version adds is refused until somebody has looked at it.
 */
export const ALLOWED_CATEGORIES: ReadonlySet<string> = new Set([
  'Aggregate Functions',
  'Arithmetic',
  'Arrays',
  'Bit',
  'Bitmap',
  'Comparison',
  'Conditional',
  'Dates and Times',
  'Distance',
  'Encoding',
  'Encryption',
  'Financial',
  'Geo',
  'Geo Polygon',
  'Hash',
  'IP Address',
  'JSON',
  'Logical',
  'Map',
  'Mathematical',
  'Null',
  'NumericIndexedVector',
  'QBit',
  'Random Number',
  'Rounding',
  'String',
  'String Replacement',
  'String Search',
  'String Splitting',
  'Time Series',
  'Time Window',
  'Tuple',
  'Type Conversion',
  'URL',
  'UUID',
])

/*
 * Left out as a whole, and why:
 * AI                    call a model outside, with the data, for money
 * Dictionary            read a dictionary that is named in a string, whatever table is behind it
 * Embedded Dictionary   read the server's geobase files
 * Internal              parts of the engine's own plans; some read what another query left
 * Introspection         addresses and symbols of the server's binary, its log, its parts on disk
 * Machine Learning      load model files
 * Other                 a mixture: files, Join tables, settings, users, the host, waiting, throwing; what is pure stands below
 */

/** Pure functions of categories that are otherwise left out: they see their arguments and nothing else. */
export const ALLOWED_EXCEPTIONS: ReadonlySet<string> = new Set([
  // Internal: what CASE x WHEN … is printed as.
  'caseWithExpression',
  // Machine Learning: fitted within the query, no file.
  'stochasticLinearRegression',
  'stochasticLogisticRegression',
  'evalMLMethod',
  // Other
  'MACNumToString',
  'MACStringToNum',
  'MACStringToOUI',
  'bar',
  'blockNumber',
  'blockSize',
  'byteSize',
  'colorOKLABToSRGB',
  'colorOKLCHToSRGB',
  'colorSRGBToOKLAB',
  'colorSRGBToOKLCH',
  'countDigits',
  'defaultValueOfArgumentType',
  'defaultValueOfTypeName',
  'digits',
  'dumpColumnStructure',
  'errorCodeToName',
  'finalizeAggregation',
  'flipCoordinates',
  'formatQuery',
  'formatQueryOrNull',
  'formatQuerySingleLine',
  'formatQuerySingleLineOrNull',
  'formatReadableDecimalSize',
  'formatReadableQuantity',
  'formatReadableSize',
  'formatReadableTimeDelta',
  'getSizeOfEnumType',
  'getSubcolumn',
  'icebergBucket',
  'icebergTruncate',
  'identity',
  'ignore',
  'indexHint',
  'initializeAggregation',
  'isConstant',
  'isDecimalOverflow',
  'lowCardinalityIndices',
  'lowCardinalityKeys',
  'materialize',
  'minSampleSizeContinuous',
  'minSampleSizeConversion',
  'neighbor',
  'normalizeQuery',
  'normalizeQueryKeepNames',
  'normalizedQueryHash',
  'normalizedQueryHashKeepNames',
  'parseReadableSize',
  'parseReadableSizeOrNull',
  'parseReadableSizeOrZero',
  'parseTimeDelta',
  'rowNumberInAllBlocks',
  'rowNumberInBlock',
  'runningAccumulate',
  'runningConcurrency',
  'runningDifference',
  'runningDifferenceStartingWithFirstValue',
  'toColumnTypeName',
  'toTypeName',
  'tokenizeQuery',
  'transform',
  'variantElement',
  'variantType',
  'visibleWidth',
])

/** Functions of allowed categories that are refused all the same. */
export const REFUSED_EXCEPTIONS: ReadonlySet<string> = new Set([
  // Throw on purpose, with data in the message.
  'aggThrow',
  'timeSeriesThrowDuplicateSeriesIf',
  // Keep state beyond their row that another part of the query or server reads.
  'timeSeriesStoreTags',
  // Tell about the engine or its machine.
  'chdb',
  'flameGraph',
])

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
