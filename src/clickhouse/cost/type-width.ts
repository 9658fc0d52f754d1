/**
 * The bytes of a value in memory, by type (https://clickhouse.com/docs/sql-reference/data-types). The first matching pattern
 * decides.
 */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/^(?:U?Int8|Bool|Enum8)\b/, 1],
  [/^(?:U?Int16|Date|Enum16|BFloat16)(?:$|\()/, 2],
  [/^(?:U?Int32|Float32|Date32|DateTime|IPv4|Decimal32)(?:$|\()/, 4],
  [/^(?:U?Int128|UUID|IPv6|Decimal128)(?:$|\()/, 16],
  [/^(?:U?Int256|Decimal256)(?:$|\()/, 32],
  [/^LowCardinality\(/, 2],
  [/^(?:Array|Map|JSON|Object|Dynamic|Variant|Tuple|Nested|AggregateFunction)\b/, 64],
  [/^String/, 32],
]

/** Estimates the bytes per value from a column's type, for columns whose size the catalog does not know. */
export function typeWidth(type: string): number {
  const inner = /^(?:Nullable\(|SimpleAggregateFunction\(\w+, )(.+)\)$/.exec(type)?.[1]
  if (inner !== undefined) return typeWidth(inner) + 1
  const fixed = /^FixedString\((\d+)\)/.exec(type)?.[1]
  if (fixed !== undefined) return Number(fixed)
  const precision = /^Decimal\((\d+)/.exec(type)?.[1]
  if (precision !== undefined) return Number(precision) <= 9 ? 4 : Number(precision) <= 18 ? 8 : Number(precision) <= 38 ? 16 : 32
  return WIDTHS.find(([pattern]) => pattern.test(type))?.[1] ?? 8
}
