import { describe, expect, it } from '@jest/globals'
import { typeWidth } from './type-width.ts'

describe('typeWidth', () => {
  it.each([
    ['UInt8', 1],
    ["Enum8('a' = 1)", 1],
    ['Date', 2],
    ['Date32', 4],
    ["DateTime('UTC')", 4],
    ['DateTime64(3)', 8],
    ['UInt64', 8],
    ['Nullable(UInt32)', 5],
    ['Decimal(9, 2)', 4],
    ['Decimal(38, 10)', 16],
    ['UUID', 16],
    ['FixedString(20)', 20],
    ['LowCardinality(String)', 2],
    ['String', 32],
    ['Array(UInt8)', 64],
  ])('for %s is %i', (type, width) => {
    expect(typeWidth(type)).toBe(width)
  })
})
