import { describe, expect, it } from '@jest/globals'
import { valueText } from './value-text.ts'

describe('valueText', () => {
  it.each<[number, string, string]>([
    [1_234, '', '1,234'],
    [1_234_567, 'ms', '1,234,567 ms'],
    [12_345_678, '', '12.35M'],
    [0, '%', '0 %'],
    [99.98, '%', '99.98 %'],
    [0.0042, '%', '0.0042 %'],
    [0.000004, '', '4.00e-6'],
    [-12.5, '€', '-€12.5'],
    [2_500_000_000, '$', '$2.5B'],
    [1_200_000, 'B', '1.2 MB'],
    [-3_400_000_000_000, 'bit/s', '-3.4 Tbit/s'],
    [512, 'B', '512 B'],
    [1e300, '', '1.00e+300'],
    [80.3456, 'ms', '80.35 ms'],
  ])('tells %d of "%s" as %s', (value, unit, text) => {
    expect(valueText(value, unit)).toBe(text)
  })

  it.each([
    [3014, '', '3.014'],
    [37.6, '%', '37,6 %'],
    [12_500_000, '€', '12,5\u00a0Mio. €'],
    [1_234_000, 'B', '1,234 MB'],
  ])('writes %d in %s in the German style', (value, unit, text) => {
    expect(valueText(value, unit, 'de')).toBe(text)
  })
})
