import { describe, expect, it } from '@jest/globals'
import { ConfigurationError } from '../../base/errors.ts'
import { readDemoOptions } from './options.ts'

describe('readDemoOptions', () => {
  it('reads valid options', () => {
    expect(readDemoOptions([])).toEqual({ once: false, record: false, threads: [] })
    expect(readDemoOptions(['--once'])).toEqual({ once: true, record: false, threads: [] })
    expect(readDemoOptions(['--record', 'stake', 'loss'])).toEqual({ once: false, record: true, threads: ['stake', 'loss'] })
  })

  it.each([['--onec'], ['once'], ['--help'], ['--once=yes']])('refuses %s, and lists the valid options', argument => {
    expect(() => readDemoOptions([argument])).toThrow(ConfigurationError)
    expect(() => readDemoOptions([argument])).toThrow(/^[^\n]+\. The demo takes --once, [^\n]+: npm run demo -- --once\.$/)
  })
})
