import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const DEPOTS = queryReport({
  question: 'Vans and parcels by depot',
  sql: 'SELECT depot, region, vans, parcels FROM t ORDER BY parcels DESC LIMIT 20',
  columns: [
    { name: 'depot', type: 'String' },
    { name: 'region', type: 'String' },
    { name: 'vans', type: 'UInt64' },
    { name: 'parcels', type: 'UInt64' },
  ],
  rows: [
    ['Harbour', 'North', '41', '9120'],
    ['Old Mill', 'North', '36', '8040'],
    ['Kiln Lane', 'South', '33', '7715'],
    ['Westgate', 'South', '28', '6090'],
    ['Abbey', 'South', '22', '4810'],
    ['Quarry', 'East', '19', '4405'],
    ['Orchard', 'East', '15', '3120'],
  ],
})
const FIRST = 'Harbour has the most parcels, 9120 {= max(parcels)} [Q1].'

/** Returns the verdict on a unit in an answer that has workings. */
function kindOf(unit: string, before: readonly string[] = [FIRST]): string {
  const checker = new CitationChecker([DEPOTS], { question: 'Which depots carry how much?', timeZone: 'Europe/Berlin' })
  for (const each of before) expect(checker.check(each).kind).toBe('supported')
  return checker.check(unit).kind
}

describe('number words', () => {
  it.each([
    ['All seven depots have vans [Q1].', 'All six depots have vans [Q1].'],
    ['The seven together carry 43,300 {= sum(parcels)} [Q1].', 'The eight together carry 43,300 {= sum(parcels)} [Q1].'],
    [
      "The three regions differ: North has 17,160 {= sum(parcels, region = 'North')} [Q1].",
      "The four regions differ: North has 17,160 {= sum(parcels, region = 'North')} [Q1].",
    ],
    ['The other six have 8040 {= parcels[2]} or fewer [Q1].', 'The other nine have 8040 {= parcels[2]} or fewer [Q1].'],
    [
      'These four carry 30,965 {= parcels[1] + parcels[2] + parcels[3] + parcels[4]} together [Q1].',
      'These five carry 30,965 {= parcels[1] + parcels[2] + parcels[3] + parcels[4]} together [Q1].',
    ],
    ['The first four have 28 {= vans[4]} vans or more [Q1].', 'The first nine have 28 {= vans[4]} vans or more [Q1].'],
    [
      'More than one in five {= parcels[1] / sum(parcels)} parcels of the seven go through Harbour [Q1].',
      'More than one in four {= parcels[1] / sum(parcels)} parcels of the seven go through Harbour [Q1].',
    ],
    [
      'Harbour has about two ninths {= vans[1] / sum(vans)} of the vans [Q1].',
      'Harbour has about four ninths {= vans[1] / sum(vans)} of the vans [Q1].',
    ],
    ['Two lie on the quay: Harbour and Old Mill [Q1].', 'Three lie on the quay: Harbour and Old Mill [Q1].'],
  ])('match the size of what was mentioned: %s', (right, wrong) => {
    expect(kindOf(right)).toBe('supported')
    expect(kindOf(wrong)).toBe('unsupported')
  })

  it('may repeat an earlier count', () => {
    const found = 'Five {= count(vans > 20)} depots have more than 20 vans [Q1].'
    expect(kindOf('These five carry most of it [Q1].', [FIRST, found])).toBe('supported')
    expect(kindOf('These four carry most of it [Q1].', [FIRST, found])).toBe('unsupported')
  })

  it('may equal the length of a list', () => {
    const vans = { Abbey: 22, Westgate: 28, Quarry: 19, Orchard: 15 }
    const list = Object.entries(vans).map(([depot, count]) => `- ${depot} has ${count} vans [Q1]`)
    expect(kindOf('All four are small [Q1].', [FIRST, ...list])).toBe('supported')
    expect(kindOf('All six are small [Q1].', [FIRST, ...list])).toBe('unsupported')
  })

  it.each([
    [
      'In the South there are three: Kiln Lane with 33 {= vans[3]}, Westgate with 28 {= vans[4]} and Abbey with 22 {= vans[5]} vans [Q1].',
      'In the South there are two: Kiln Lane with 33 {= vans[3]}, Westgate with 28 {= vans[4]} and Abbey with 22 {= vans[5]} vans [Q1].',
    ],
  ])('match the number of names behind them: %s', (right, wrong) => {
    expect(kindOf(right)).toBe('supported')
    expect(kindOf(wrong)).toBe('unsupported')
  })

  it('are exact behind "over the"', () => {
    expect(kindOf('Over the seven {= count()} depots it is 43,300 {= sum(parcels)} parcels [Q1].')).toBe('supported')
    expect(kindOf('Over the six {= count()} depots it is 43,300 {= sum(parcels)} parcels [Q1].')).toBe('unsupported')
  })

  it.each([
    'All four of the kinds parcels, letters, crates and pallets are carried [Q1].',
    'Three {= count(vans > 30)} depots stand out, among them Harbour and Old Mill [Q1].',
    'Each quarter has all three months of deliveries [Q1].',
    'Harbour and Old Mill are the largest; the two are in the North [Q1].',
  ])('make no claim where the wording is idiomatic: %s', unit => {
    expect(kindOf(unit)).toBe('supported')
  })

  it('need a working if the answer has workings, else must follow from the rows', () => {
    const counted = 'Seven depots need more vans [Q1].'
    expect(kindOf(counted)).toBe('unsupported')
    expect(kindOf(counted, [])).toBe('supported')
    expect(kindOf('Three depots need more vans [Q1].', [])).toBe('unsupported')
    expect(kindOf('Three {= count(parcels / vans > 225)} depots need more vans [Q1].')).toBe('unsupported')
    expect(kindOf('Three {= count(vans > 30)} depots have more vans [Q1].')).toBe('supported')
  })
})
