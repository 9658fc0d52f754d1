import { describe, expect, it } from '@jest/globals'
import { judgeReaderSettings } from './judge-reader-settings.ts'
import { READER_SETTINGS } from './limits.ts'

const judge = (changes: Readonly<Record<string, string>>, timeoutMs = 30_000) =>
  judgeReaderSettings(new Map(Object.entries({ ...READER_SETTINGS, ...changes })), timeoutMs)

describe('judgeReaderSettings', () => {
  it('accepts the shipped settings, and tighter or wider limits', () => {
    const fine = { inexact: [], loose: [] }
    expect(judge({})).toEqual(fine)
    expect(judge({ max_memory_usage: '1000000', max_rows_to_read: '9000000000000', max_execution_time: '300' })).toEqual(fine)
  })

  it('names settings that make numbers arrive wrong', () => {
    expect(judge({ output_format_json_quote_decimals: '0' }).inexact).toEqual(['output_format_json_quote_decimals = 1'])
    expect(judgeReaderSettings(new Map(), 30_000).inexact).toHaveLength(5)
  })

  it('names a missing limit, and a setting that would let partial results look complete', () => {
    expect(judge({ max_rows_to_read: '0', result_overflow_mode: 'break' }).loose).toEqual([
      'max_rows_to_read is not limited',
      'result_overflow_mode is break: a cut result would pass for a whole one',
    ])
  })

  it('names a profile that ends queries before Clew does', () => {
    expect(judge({ max_execution_time: '10' }).loose).toEqual(['max_execution_time is 10, less than CLEW_QUERY_TIMEOUT_S (30)'])
  })
})
