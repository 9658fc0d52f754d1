/**
 * The functions that a query is allowed to call, grouped by purpose, under the engine's own names (26.7). An alias is
 * allowed if its original is. Each function reads only its arguments, and most take about as long as reading them.
 * `call-bounds.ts` limits those that can cost more. Excluded are:
 * - functions that reach beyond their arguments: files, dictionaries, Join tables, the server, settings, users, other
 * services
 * - functions with quadratic or higher costs that no useful limit can bound: set operations on polygons, distances of
 * arrays
 * - functions that parse a language of their own (formatQuery, getSubcolumn) or serialized values (readWKB,
 * reinterpret)
 * - functions of no use for questions about data: encryption, codecs, test helpers, engine internals
 */
const GROUPS = {
  'operators and comparison': `
    plus minus multiply divide intDiv intDivOrZero intDivOrNull modulo moduloOrZero moduloOrNull moduloLegacy positiveModulo
    positiveModuloOrNull negate abs divideOrNull divideDecimal multiplyDecimal
    equals notEquals less greater lessOrEquals greaterOrEquals isDistinctFrom isNotDistinctFrom
    in notIn nullIn notNullIn globalIn globalNotIn globalNullIn globalNotNullIn
    inIgnoreSet notInIgnoreSet nullInIgnoreSet notNullInIgnoreSet globalInIgnoreSet globalNotInIgnoreSet globalNullInIgnoreSet
    globalNotNullInIgnoreSet and or not xor`,
  'conditions and NULL': `
    if multiIf caseWithExpression transform greatest least clamp coalesce ifNull nullIf isNull isNotNull isNullable isZeroOrNull
    assumeNotNull toNullable firstNonDefault identity ignore materialize isConstant`,
  'numbers and mathematics': `
    round floor ceil trunc roundBankers roundToExp2 roundDown roundAge roundDuration
    sqr sqrt cbrt exp exp2 exp10 log log2 log10 log1p pow e pi sign factorial gcd lcm hypot degrees radians sigmoid
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc lgamma tgamma intExp2 intExp10
    isFinite isInfinite isNaN ifNotFinite max2 min2 avg2 midpoint isPrime widthBucket countDigits digits isDecimalOverflow
    bitAnd bitOr bitXor bitNot bitShiftLeft bitShiftRight bitRotateLeft bitRotateRight bitSlice bitTest bitTestAll bitTestAny
    bitCount bitHammingDistance byteSwap`,
  'statistics and finance': `
    proportionsZTest minSampleSizeConversion minSampleSizeContinuous
    financialInternalRateOfReturn financialInternalRateOfReturnExtended financialNetPresentValue financialNetPresentValueExtended
    seriesDecomposeSTL seriesOutliersDetectTukey evalMLMethod`,
  'dates and times': `
    now now64 today yesterday UTCTimestamp timestamp timezone timezoneOf timezoneOffset serverTimezone nowInBlock localtime
    toYear toQuarter toMonth toDayOfYear toDayOfMonth toDayOfWeek toHour toMinute toSecond toMillisecond toMicrosecond toNanosecond
    toUnixTimestamp toISOYear toISOWeek toWeek toYearWeek toDaysInMonth toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss
    YYYYMMDDToDate YYYYMMDDToDate32 YYYYMMDDhhmmssToDateTime YYYYMMDDhhmmssToDateTime64
    toStartOfYear toStartOfISOYear toStartOfQuarter toStartOfMonth toStartOfWeek toStartOfDay toStartOfHour toStartOfMinute
    toStartOfSecond toStartOfMillisecond toStartOfMicrosecond toStartOfNanosecond toStartOfFiveMinutes toStartOfTenMinutes
    toStartOfFifteenMinutes toStartOfInterval toMonday toLastDayOfMonth toLastDayOfWeek timeSlot timeSlots
    toRelativeYearNum toRelativeQuarterNum toRelativeMonthNum toRelativeWeekNum toRelativeDayNum toRelativeHourNum
    toRelativeMinuteNum toRelativeSecondNum toMonthNumSinceEpoch toYearNumSinceEpoch toTimeWithFixedDate
    toDaysSinceYearZero fromDaysSinceYearZero fromDaysSinceYearZero32 toModifiedJulianDay toModifiedJulianDayOrNull
    fromModifiedJulianDay fromModifiedJulianDayOrNull
    addYears addQuarters addMonths addWeeks addDays addHours addMinutes addSeconds addMilliseconds addMicroseconds addNanoseconds
    addInterval addTupleOfIntervals addDate subtractYears subtractQuarters subtractMonths subtractWeeks subtractDays
    subtractHours subtractMinutes subtractSeconds subtractMilliseconds subtractMicroseconds subtractNanoseconds
    subtractInterval subtractTupleOfIntervals subDate changeYear changeMonth changeDay changeHour changeMinute changeSecond
    age dateDiff timeDiff dateTrunc dateName monthName formatDateTime formatDateTimeInJodaSyntax
    makeDate makeDate32 makeDateTime makeDateTime64 toTimezone toUTCTimestamp fromUTCTimestamp
    fromUnixTimestamp fromUnixTimestampInJodaSyntax fromUnixTimestamp64Second fromUnixTimestamp64Milli
    fromUnixTimestamp64Micro fromUnixTimestamp64Nano toUnixTimestamp64Second toUnixTimestamp64Milli toUnixTimestamp64Micro
    toUnixTimestamp64Nano
    parseDateTime parseDateTimeOrNull parseDateTimeOrZero parseDateTime64 parseDateTime64OrNull parseDateTime64OrZero
    parseDateTimeInJodaSyntax parseDateTimeInJodaSyntaxOrNull parseDateTimeInJodaSyntaxOrZero
    parseDateTime64InJodaSyntax parseDateTime64InJodaSyntaxOrNull parseDateTime64InJodaSyntaxOrZero
    parseDateTimeBestEffort parseDateTimeBestEffortOrNull parseDateTimeBestEffortOrZero
    parseDateTimeBestEffortUS parseDateTimeBestEffortUSOrNull parseDateTimeBestEffortUSOrZero
    parseDateTime32BestEffort parseDateTime32BestEffortOrNull parseDateTime32BestEffortOrZero
    parseDateTime64BestEffort parseDateTime64BestEffortOrNull parseDateTime64BestEffortOrZero
    parseDateTime64BestEffortUS parseDateTime64BestEffortUSOrNull parseDateTime64BestEffortUSOrZero
    toInterval toIntervalNanosecond toIntervalMicrosecond toIntervalMillisecond toIntervalSecond toIntervalMinute toIntervalHour
    toIntervalDay toIntervalWeek toIntervalMonth toIntervalQuarter toIntervalYear parseTimeDelta
    tumble tumbleStart tumbleEnd hop hopStart hopEnd windowID
    snowflakeIDToDateTime snowflakeIDToDateTime64 dateTimeToSnowflakeID dateTime64ToSnowflakeID UUIDv7ToDateTime`,
  'types and conversions': `
    CAST accurateCast accurateCastOrNull accurateCastOrDefault toTypeName toColumnTypeName byteSize
    defaultValueOfArgumentType defaultValueOfTypeName getSizeOfEnumType variantElement variantType dynamicElement dynamicType
    toString toStringCutToZero toFixedString toBool toLowCardinality toUUID toUUIDOrNull toUUIDOrZero toUUIDOrDefault
    toInt8 toInt8OrNull toInt8OrZero toInt8OrDefault toInt16 toInt16OrNull toInt16OrZero toInt16OrDefault
    toInt32 toInt32OrNull toInt32OrZero toInt32OrDefault toInt64 toInt64OrNull toInt64OrZero toInt64OrDefault
    toInt128 toInt128OrNull toInt128OrZero toInt128OrDefault toInt256 toInt256OrNull toInt256OrZero toInt256OrDefault
    toUInt8 toUInt8OrNull toUInt8OrZero toUInt8OrDefault toUInt16 toUInt16OrNull toUInt16OrZero toUInt16OrDefault
    toUInt32 toUInt32OrNull toUInt32OrZero toUInt32OrDefault toUInt64 toUInt64OrNull toUInt64OrZero toUInt64OrDefault
    toUInt128 toUInt128OrNull toUInt128OrZero toUInt128OrDefault toUInt256 toUInt256OrNull toUInt256OrZero toUInt256OrDefault
    toFloat32 toFloat32OrNull toFloat32OrZero toFloat32OrDefault toFloat64 toFloat64OrNull toFloat64OrZero toFloat64OrDefault
    toBFloat16 toBFloat16OrNull toBFloat16OrZero
    toDecimal32 toDecimal32OrNull toDecimal32OrZero toDecimal32OrDefault toDecimal64 toDecimal64OrNull toDecimal64OrZero
    toDecimal64OrDefault toDecimal128 toDecimal128OrNull toDecimal128OrZero toDecimal128OrDefault toDecimal256
    toDecimal256OrNull toDecimal256OrZero toDecimal256OrDefault toDecimalString
    DATE toDate toDateOrNull toDateOrZero toDateOrDefault toDate32 toDate32OrNull toDate32OrZero toDate32OrDefault
    toDateTime toDateTimeOrNull toDateTimeOrZero toDateTimeOrDefault toDateTime32 toDateTime64 toDateTime64OrNull
    toDateTime64OrZero toDateTime64OrDefault toTime toTimeOrNull toTimeOrZero toTime64 toTime64OrNull toTime64OrZero
    reinterpretAsDate reinterpretAsDateTime reinterpretAsFixedString reinterpretAsFloat32 reinterpretAsFloat64
    reinterpretAsInt8 reinterpretAsInt16 reinterpretAsInt32 reinterpretAsInt64 reinterpretAsInt128 reinterpretAsInt256
    reinterpretAsString reinterpretAsUInt8 reinterpretAsUInt16 reinterpretAsUInt32 reinterpretAsUInt64 reinterpretAsUInt128
    reinterpretAsUInt256 reinterpretAsUUID`,
  strings: `
    empty notEmpty length lengthUTF8 lower upper lowerUTF8 upperUTF8 caseFoldUTF8 initcap initcapUTF8 reverse reverseUTF8
    concat concatAssumeInjective concatWithSeparator concatWithSeparatorAssumeInjective arrayStringConcat format printf
    substring substringUTF8 substringIndex substringIndexUTF8 left leftUTF8 right rightUTF8 overlay overlayUTF8
    leftPad leftPadUTF8 rightPad rightPadUTF8 repeat space trimLeft trimRight trimBoth appendTrailingCharIfAbsent
    startsWith startsWithUTF8 startsWithCaseInsensitive startsWithCaseInsensitiveUTF8
    endsWith endsWithUTF8 endsWithCaseInsensitive endsWithCaseInsensitiveUTF8 firstLine ascii char compareSubstrings
    normalizeUTF8NFC normalizeUTF8NFD normalizeUTF8NFKC normalizeUTF8NFKD normalizeUTF8NFKCCasefold removeDiacriticsUTF8
    isValidUTF8 isValidASCII toValidUTF8 naturalSortKey soundex stringBytesUniq stringBytesEntropy
    splitByChar splitByString splitByRegexp splitByWhitespace splitByNonAlpha alphaTokens tokens ngrams reverseBySeparator
    replaceOne replaceAll replaceRegexpOne replaceRegexpAll regexpQuoteMeta translate translateUTF8
    hex unhex bin unbin base32Encode base32Decode tryBase32Decode base58Encode base58Decode tryBase58Decode
    base64Encode base64Decode tryBase64Decode base64URLEncode base64URLDecode tryBase64URLDecode conv
    bitmaskToList bitmaskToArray bitPositionsToArray decodeXMLComponent encodeXMLComponent decodeHTMLComponent extractTextFromHTML
    formatReadableSize formatReadableDecimalSize formatReadableQuantity formatReadableTimeDelta
    parseReadableSize parseReadableSizeOrNull parseReadableSizeOrZero bar visibleWidth
    formatRow formatRowNoNewline normalizeQuery normalizeQueryKeepNames normalizedQueryHash normalizedQueryHashKeepNames errorCodeToName`,
  'string search and likeness': `
    position positionUTF8 positionCaseInsensitive positionCaseInsensitiveUTF8 locate like notLike ilike notILike match
    extract extractAll extractGroups extractAllGroupsHorizontal extractAllGroupsVertical regexpExtract regexpPosition
    countMatches countMatchesCaseInsensitive
    countSubstrings countSubstringsCaseInsensitive countSubstringsCaseInsensitiveUTF8
    multiMatchAny multiMatchAnyIndex multiMatchAllIndices
    multiSearchAny multiSearchAnyUTF8 multiSearchAnyCaseInsensitive multiSearchAnyCaseInsensitiveUTF8
    multiSearchFirstIndex multiSearchFirstIndexUTF8 multiSearchFirstIndexCaseInsensitive multiSearchFirstIndexCaseInsensitiveUTF8
    multiSearchFirstPosition multiSearchFirstPositionUTF8 multiSearchFirstPositionCaseInsensitive
    multiSearchFirstPositionCaseInsensitiveUTF8 multiSearchAllPositions multiSearchAllPositionsUTF8
    multiSearchAllPositionsCaseInsensitive multiSearchAllPositionsCaseInsensitiveUTF8
    hasToken hasTokenOrNull hasTokenCaseInsensitive hasTokenCaseInsensitiveOrNull hasAnyTokens hasAllTokens hasPhrase
    hasSubsequence hasSubsequenceUTF8 hasSubsequenceCaseInsensitive hasSubsequenceCaseInsensitiveUTF8
    ngramDistance ngramDistanceUTF8 ngramDistanceCaseInsensitive ngramDistanceCaseInsensitiveUTF8
    ngramSearch ngramSearchUTF8 ngramSearchCaseInsensitive ngramSearchCaseInsensitiveUTF8
    stringJaccardIndex stringJaccardIndexUTF8 editDistance editDistanceUTF8 damerauLevenshteinDistance
    jaroSimilarity jaroWinklerSimilarity byteHammingDistance`,
  arrays: `
    array arrayElement arrayElementOrNull arrayConcat arrayPushBack arrayPushFront arrayPopBack arrayPopFront arraySlice
    arrayResize arrayWithConstant range has hasAll hasAny hasSubstr indexOf indexOfAssumeSorted countEqual
    arrayMap arrayFilter arrayExists arrayAll arrayCount arraySum arrayAvg arrayMin arrayMax arrayProduct
    arrayFirst arrayFirstOrNull arrayFirstIndex arrayLast arrayLastOrNull arrayLastIndex arrayFold
    arraySort arrayReverseSort arrayPartialSort arrayPartialReverseSort arrayTopK arrayBottomK
    arrayShuffle arrayPartialShuffle arrayRandomSample
    arrayReverse arrayDistinct arrayUniq arrayCompact arrayIntersect arrayUnion arrayExcept arraySymmetricDifference
    arrayJaccardIndex arrayRemove arrayFlatten arrayZip arrayZipUnaligned arrayTranspose arrayJoin arrayReduce arrayReduceInRanges
    arrayCumSum arrayCumSumNonNegative arrayDifference arrayFill arrayReverseFill arraySplit arrayReverseSplit
    arrayEnumerate arrayEnumerateDense arrayEnumerateDenseRanked arrayEnumerateUniq arrayEnumerateUniqRanked
    arrayRotateLeft arrayRotateRight arrayShiftLeft arrayShiftRight arrayShingles arrayDotProduct arrayAutocorrelation
    arrayROCAUC arrayAUCPR arrayNormalizedGini
    emptyArrayInt8 emptyArrayInt16 emptyArrayInt32 emptyArrayInt64 emptyArrayUInt8 emptyArrayUInt16 emptyArrayUInt32
    emptyArrayUInt64 emptyArrayFloat32 emptyArrayFloat64 emptyArrayDate emptyArrayDateTime emptyArrayString emptyArrayToSingle`,
  'maps, tuples and vectors': `
    map mapFromArrays mapKeys mapValues mapContainsKey mapContainsKeyLike mapContainsValue mapContainsValueLike
    mapExtractKeyLike mapExtractValueLike mapAdd mapSubtract mapUpdate mapConcat mapApply mapFilter mapExists mapAll mapSort
    mapReverseSort mapPopulateSeries mapPartialSort mapPartialReverseSort extractKeyValuePairs extractKeyValuePairsWithEscaping
    tuple tupleElement tupleConcat tupleNames tupleToNameValuePairs flattenTuple tuplePlus tupleMinus tupleMultiply tupleDivide
    tupleNegate tupleMultiplyByNumber tupleDivideByNumber tupleIntDiv tupleIntDivOrZero tupleIntDivByNumber
    tupleIntDivOrZeroByNumber tupleModulo tupleModuloByNumber tuplePositiveModuloByNumber tupleHammingDistance dotProduct
    L1Norm L2Norm L2SquaredNorm LinfNorm LpNorm L1Distance L2Distance L2SquaredDistance LinfDistance LpDistance
    L1Normalize L2Normalize LinfNormalize LpNormalize cosineDistance`,
  JSON: `
    JSONHas JSONLength JSONType JSONKey JSONExtract JSONExtractInt JSONExtractUInt JSONExtractFloat JSONExtractBool
    JSONExtractString JSONExtractRaw JSONExtractArrayRaw JSONExtractKeys JSONExtractKeysAndValues JSONExtractKeysAndValuesRaw
    JSONExtractCaseInsensitive JSONExtractIntCaseInsensitive JSONExtractUIntCaseInsensitive JSONExtractFloatCaseInsensitive
    JSONExtractBoolCaseInsensitive JSONExtractStringCaseInsensitive JSONExtractRawCaseInsensitive
    JSONExtractArrayRawCaseInsensitive JSONExtractKeysCaseInsensitive JSONExtractKeysAndValuesCaseInsensitive
    JSONExtractKeysAndValuesRawCaseInsensitive
    simpleJSONHas simpleJSONExtractInt simpleJSONExtractUInt simpleJSONExtractFloat simpleJSONExtractBool simpleJSONExtractString
    simpleJSONExtractRaw isValidJSON JSONArrayLength JSONMergePatch JSON_EXISTS JSON_QUERY JSON_VALUE toJSONString prettyPrintJSON
    JSONAllPaths JSONAllPathsWithTypes JSONAllValues JSONDynamicPaths JSONDynamicPathsWithTypes`,
  'URLs and IP addresses': `
    protocol domain domainRFC domainWithoutWWW domainWithoutWWWRFC topLevelDomain topLevelDomainRFC netloc port portRFC
    path pathFull queryString fragment queryStringAndFragment firstSignificantSubdomain firstSignificantSubdomainRFC
    firstSignificantSubdomainCustom firstSignificantSubdomainCustomRFC
    cutToFirstSignificantSubdomain cutToFirstSignificantSubdomainRFC cutToFirstSignificantSubdomainWithWWW
    cutToFirstSignificantSubdomainWithWWWRFC cutToFirstSignificantSubdomainCustom cutToFirstSignificantSubdomainCustomRFC
    cutToFirstSignificantSubdomainCustomWithWWW cutToFirstSignificantSubdomainCustomWithWWWRFC
    extractURLParameter extractURLParameters extractURLParameterNames URLHierarchy URLPathHierarchy
    decodeURLComponent encodeURLComponent decodeURLFormComponent encodeURLFormComponent
    cutWWW cutQueryString cutFragment cutQueryStringAndFragment cutURLParameter
    IPv4NumToString IPv4StringToNum IPv4StringToNumOrDefault IPv4StringToNumOrNull IPv4NumToStringClassC IPv4ToIPv6 IPv4CIDRToRange
    IPv6NumToString IPv6StringToNum IPv6StringToNumOrDefault IPv6StringToNumOrNull IPv6CIDRToRange cutIPv6
    isIPv4String isIPv6String isIPAddressInRange toIPv4 toIPv4OrDefault toIPv4OrNull toIPv4OrZero
    toIPv6 toIPv6OrDefault toIPv6OrNull toIPv6OrZero MACNumToString MACStringToNum MACStringToOUI`,
  'places and shapes': `
    geoDistance greatCircleDistance greatCircleAngle pointInEllipses pointInPolygon geohashEncode geohashDecode
    geoToH3 h3ToGeo h3ToGeoBoundary h3IsValid h3GetResolution h3GetBaseCell h3IsPentagon h3IsResClassIII h3ToString stringToH3
    h3ToParent h3ToCenterChild h3kRing h3HexRing h3Distance h3IndexesAreNeighbors h3EdgeAngle h3EdgeLengthM h3EdgeLengthKm
    h3HexAreaM2 h3HexAreaKm2 h3CellAreaM2 h3CellAreaRads2 h3PointDistM h3PointDistKm h3PointDistRads
    readWKT readWKTPoint readWKTRing readWKTPolygon readWKTMultiPolygon readWKTLineString readWKTMultiLineString wkt
    polygonAreaCartesian polygonAreaSpherical polygonPerimeterCartesian polygonPerimeterSpherical
    areaCartesian areaSpherical perimeterCartesian perimeterSpherical polygonConvexHullCartesian polygonsWithinCartesian`,
  'hashes, identifiers and chance': `
    MD5 SHA1 SHA224 SHA256 SHA384 SHA512 SHA512_256 keccak256 halfMD5 CRC32 CRC32IEEE CRC64 HMAC
    cityHash64 farmHash64 farmFingerprint64 metroHash64 sipHash64 sipHash64Keyed sipHash128 sipHash128Keyed sipHash128Reference
    sipHash128ReferenceKeyed xxHash32 xxHash64 xxh3 xxh3_128 wyHash64 murmurHash2_32 murmurHash2_64 murmurHash3_32 murmurHash3_64
    murmurHash3_128 gccMurmurHash kafkaMurmurHash javaHash javaHashUTF16LE hiveHash icebergHash icebergBucket icebergTruncate
    intHash32 intHash64 URLHash jumpConsistentHash
    ngramSimHash ngramSimHashUTF8 ngramSimHashCaseInsensitive ngramSimHashCaseInsensitiveUTF8
    ngramMinHash ngramMinHashUTF8 ngramMinHashCaseInsensitive ngramMinHashCaseInsensitiveUTF8
    wordShingleSimHash wordShingleSimHashUTF8 wordShingleSimHashCaseInsensitive wordShingleSimHashCaseInsensitiveUTF8
    wordShingleMinHash wordShingleMinHashUTF8 wordShingleMinHashCaseInsensitive wordShingleMinHashCaseInsensitiveUTF8
    UUIDStringToNum UUIDNumToString UUIDToNum generateUUIDv4 generateUUIDv7
    rand rand64 randConstant randCanonical randUniform randNormal randLogNormal randBernoulli randExponential`,
  'rows and bitmaps': `
    rowNumberInBlock rowNumberInAllBlocks blockNumber blockSize neighbor runningDifference
    runningDifferenceStartingWithFirstValue runningAccumulate runningConcurrency finalizeAggregation initializeAggregation
    bitmapBuild bitmapToArray bitmapCardinality bitmapContains bitmapHasAny bitmapHasAll bitmapMin bitmapMax
    bitmapAnd bitmapOr bitmapXor bitmapAndnot bitmapAndCardinality bitmapOrCardinality bitmapXorCardinality
    bitmapAndnotCardinality bitmapSubsetInRange bitmapSubsetLimit subBitmap bitmapTransform`,
  'aggregates: totals and picks': `
    count sum avg min max any anyLast any_respect_nulls anyLast_respect_nulls anyHeavy argMin argMax argAndMin argAndMax
    sumKahan sumWithOverflow sumCount avgWeighted singleValueOrNull deltaSum deltaSumTimestamp nonNegativeDerivative
    sumMappedArrays minMappedArrays maxMappedArrays sumMapFiltered sumMapWithOverflow sumMapFilteredWithOverflow
    groupBitAnd groupBitOr groupBitXor groupBitmap groupBitmapAnd groupBitmapOr groupBitmapXor
    uniq uniqExact uniqCombined uniqCombined64 uniqHLL12 uniqUpTo`,
  'aggregates: lists': `
    groupArray groupUniqArray groupArrayLast groupArraySample groupArraySorted groupArrayInsertAt groupArrayIntersect
    groupArrayMovingSum groupArrayMovingAvg groupConcat topK topKWeighted approx_top_k approx_top_sum`,
  'aggregates: distributions and statistics': `
    quantile quantiles quantileExact quantilesExact quantileExactLow quantilesExactLow quantileExactHigh quantilesExactHigh
    quantileExactExclusive quantilesExactExclusive quantileExactInclusive quantilesExactInclusive
    quantileExactWeighted quantilesExactWeighted quantileExactWeightedInterpolated quantilesExactWeightedInterpolated
    quantileInterpolatedWeighted quantilesInterpolatedWeighted quantileTDigest quantilesTDigest
    quantileTDigestWeighted quantilesTDigestWeighted quantileBFloat16 quantilesBFloat16
    quantileBFloat16Weighted quantilesBFloat16Weighted quantileTiming quantilesTiming quantileTimingWeighted
    quantilesTimingWeighted quantileDeterministic quantilesDeterministic quantileDD quantilesDD quantileGK quantilesGK
    stddevPop stddevSamp stddevPopStable stddevSampStable varPop varSamp varPopStable varSampStable
    covarPop covarSamp covarPopStable covarSampStable corr corrStable corrMatrix covarPopMatrix covarSampMatrix
    skewPop skewSamp kurtPop kurtSamp entropy histogram simpleLinearRegression boundingRatio rankCorr
    studentTTest studentTTestOneSample welchTTest mannWhitneyUTest meanZTest kolmogorovSmirnovTest analysisOfVariance
    cramersV cramersVBiasCorrected theilsU contingency categoricalInformationValue
    exponentialMovingAverage exponentialTimeDecayedAvg exponentialTimeDecayedSum exponentialTimeDecayedMax
    exponentialTimeDecayedCount stochasticLinearRegression stochasticLogisticRegression
    sparkbar largestTriangleThreeBuckets`,
  'aggregates: events and intervals': `
    windowFunnel retention sequenceMatch sequenceCount sequenceMatchEvents sequenceNextNode
    maxIntersections maxIntersectionsPosition intervalLengthSum`,
  'aggregates: what is in dynamic columns': `distinctDynamicTypes distinctJSONPaths distinctJSONPathsAndTypes`,
  'window functions': `
    row_number rank denseRank percentRank cume_dist ntile lag lead lagInFrame leadInFrame nth_value`,
} as const

export const ANALYST_FUNCTIONS: ReadonlySet<string> = new Set(Object.values(GROUPS).flatMap(names => names.trim().split(/\s+/)))
