import { describe, expect, it } from '@jest/globals'
import { readColumnType } from './column-type.ts'

describe('readColumnType', () => {
  it.each([
    ['String', 'text', false],
    ['LowCardinality(Nullable(String))', 'text', true],
    ['Nullable(FixedString(16))', 'text', true],
    ['UInt8', 'small_number', false],
    ['Int16', 'small_number', false],
    ['UInt256', 'number', false],
    ['Decimal(18, 4)', 'number', false],
    ['Nullable(Float64)', 'number', true],
    ['DateTime', 'time', false],
    ["DateTime64(3, 'Europe/Berlin')", 'time', false],
    ['Nullable(Date32)', 'time', true],
    ['Bool', 'boolean', false],
    ['UUID', 'identifier', false],
    ['IPv6', 'identifier', false],
    ['Array(LowCardinality(String))', 'array', false],
    ['Array(Nullable(String))', 'array', false],
    ['Array(UInt64)', 'opaque', false],
    ['Array(Array(String))', 'opaque', false],
    ['Map(LowCardinality(String), Array(UInt64))', 'map', false],
    ['Map(UInt64, String)', 'opaque', false],
    ['Tuple(a String, b Int8)', 'opaque', false],
    ['Nested(a String)', 'opaque', false],
    ['AggregateFunction(uniq, String)', 'opaque', false],
    ['SimpleAggregateFunction(max, DateTime)', 'time', false],
    ['SimpleAggregateFunction(anyLast, Nullable(String))', 'text', true],
    ['JSON', 'opaque', false],
    ['Variant(Int64, String)', 'opaque', false],
    ['Dynamic', 'opaque', false],
    ['Point', 'opaque', false],
    ['', 'opaque', false],
    ['Nullable(', 'opaque', false],
  ])('reads %s as %s', (type, kind, nullable) => {
    expect(readColumnType(type)).toMatchObject({ kind, nullable })
  })

  it('reads Enum names with any characters', () => {
    expect(readColumnType("Enum8('a' = 1, 'it\\'s = 2, \\'x' = -2, 'b\\\\' = 3, '' = 4, 'c\\nd' = 5)").enumValues).toEqual([
      'a',
      "it's = 2, 'x",
      'b\\',
      '',
      'c\nd',
    ])
    expect(readColumnType("LowCardinality(Nullable(Enum16('x' = 1000)))")).toEqual({
      kind: 'enum',
      nullable: true,
      enumValues: ['x'],
    })
    expect(readColumnType("Array(Enum8('x' = 1))")).toEqual({ kind: 'array', nullable: false, enumValues: ['x'] })
  })
})
