import { describe, expect, it } from '@jest/globals'
import type { Cell } from '../../warehouse/warehouse.ts'
import { plainReport } from '../run/plain-report.ts'
import { differenceOf, snapshotsOf } from './difference.ts'

const COLUMNS = [
  { name: 'link', type: 'String' },
  { name: 'loss', type: 'Float64' },
]
const reportOf = (rows: readonly (readonly Cell[])[]) => plainReport({ id: 'Q1', question: '', columns: COLUMNS, rows })

/** Compares two results, and returns what has changed. */
function changed(before: readonly (readonly Cell[])[], now: readonly (readonly Cell[])[]) {
  return differenceOf({ plan: { queries: [] }, last: snapshotsOf([reportOf(before)]) }, [reportOf(now)], 'Changed?')?.rows
}

describe('the difference from the run before', () => {
  it('has figures that have changed, of each row', () => {
    expect(
      changed(
        [
          ['A', 1],
          ['A', 2],
        ],
        [
          ['A', 1],
          ['A', 5],
          ['B', 3],
        ],
      ),
    ).toEqual([
      ['Q1', 'A (2)', 'loss', 2, 5, 3],
      ['Q1', 'B', 'loss', null, 3, null],
    ])
  })

  it('is not told of a result that is too long to be kept', () => {
    const long = Array.from({ length: 300 }, (_, at) => [`L${at}`, at])
    expect(changed(long, long.toReversed())).toBeUndefined()
    expect(changed(long.slice(0, 200), long)).toBeUndefined()
  })
})
