import { describe, expect, it } from '@jest/globals'
import { unseenNames } from './unseen-names.ts'

const SHOWN = 'fra-dz01, Frankfurt, `ams-dz02`; stake_sol; Anna O’Neill; HeadOffice; "which devices?"'

describe("names that an answer's writer never saw", () => {
  it.each([
    ['Device `ber-dz09` has 5 ms [Q1].', ['ber-dz09']],
    ['The device ber-dz09 in Frankfurt has 5 ms [Q1].', ['ber-dz09']],
    ['Second is Lisbon with 12 links, then Frankfurt [Q1].', ['Lisbon']],
    ['The largest is `vote_lag` [Q1].', ['vote_lag']],
    ['It is sold by BackOffice [Q1].', ['BackOffice']],
  ])('are found: %s', (answer, expected) => {
    expect(unseenNames(answer, SHOWN)).toEqual(expected)
  })

  it.each([
    '**fra-dz01** and `ams-dz02` in Frankfurt have 5 ms [Q1, Q2].',
    'From Monday, 2 March 2026, to 2026-03-04T12:00:00Z the p95 was 12ms, the 95th percentile 3.5 ms, on 3/4/2026 at 12:30 UTC [Q1].',
    'The stake is that of Anna O’Neill [Q1].',
    'Lisbon-like words begin sentences. Devices do so too.',
  ])('are not found: %s', answer => {
    expect(unseenNames(answer, SHOWN)).toEqual([])
  })
})
