import { expect, it } from '@jest/globals'
import fc from 'fast-check'

it('gives property tests the same cases on every run', () => {
  const { PROPERTY_SEED: wanted } = process.env
  expect(fc.readConfigureGlobal().seed).toBe(wanted === 'random' ? undefined : Number(wanted ?? 20_261_120))
})
