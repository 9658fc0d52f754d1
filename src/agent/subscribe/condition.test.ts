import { describe, expect, it } from '@jest/globals'
import { plainReport } from '../run/plain-report.ts'
import { type Condition, checkCondition, type Watched } from './condition.ts'

const COLUMNS = [
  { name: 'link', type: 'String' },
  { name: 'loss_pct', type: 'Nullable(Float64)' },
]
type Row = readonly [string, number | null]

/** Checks a condition on results 5 minutes apart. Returns the firing rows of each. */
function firing(condition: Condition, ...results: readonly (readonly Row[])[]): readonly (readonly string[])[] {
  let watched: Watched | null = null
  return results.map((rows, at) => {
    const report = plainReport({ id: 'Q1', question: '', columns: COLUMNS, rows })
    const checked = checkCondition({ condition, watched }, [report], at * 300_000)
    watched = checked?.watched ?? null
    return checked?.firing ?? ['not checked']
  })
}

describe('a condition', () => {
  it('holds for long enough only over runs in a row', () => {
    const condition: Condition = { kind: 'threshold', operator: 'above', value: 2, minutes: 10 }
    const high: Row = ['A', 3]
    expect(firing(condition, [high], [high], [['A', 2]], [high], [high], [high, ['B', 9]], [high])).toEqual([
      ...[[], [], [], [], []],
      ['A'],
      ['A'],
    ])
  })

  it.each([
    ['above', 2, false],
    ['at_least', 2, true],
    ['below', 2, false],
    ['at_most', 2, true],
    ['equals', 2, true],
    ['below', 3, true],
    ['above', 1, true],
  ] as const)('%s %d of a figure of 2: %s, and of no figure never', (operator, value, holds) => {
    const [fired] = firing({ kind: 'threshold', operator, value, minutes: 0 }, [
      ['A', 2],
      ['B', null],
    ])
    expect(fired).toEqual(holds ? ['A'] : [])
  })

  it('finds changes by percent, by amount, and of any kind', () => {
    const before: readonly Row[] = [
      ['A', 100],
      ['B', 100],
      ['C', 0],
    ]
    const after: readonly Row[] = [
      ['A', 109],
      ['B', 111],
      ['C', 1],
    ]
    expect(firing({ kind: 'change', by: 10, unit: 'percent' }, before, after)).toEqual([[], ['B', 'C']])
    expect(firing({ kind: 'change', by: 10, unit: 'absolute' }, before, after)).toEqual([[], ['B']])
    const percent = { kind: 'change', by: 10, unit: 'percent' } as const
    expect(firing({ ...percent, direction: 'down' }, before, after, before)).toEqual([[], [], ['C']])
    expect(firing({ ...percent, direction: 'up' }, before, after, before)).toEqual([[], ['B', 'C'], []])
    expect(firing({ kind: 'change', by: null, unit: null, direction: 'down' }, before, after, before)).toEqual([
      [],
      [],
      ['A', 'B', 'C'],
    ])
    expect(
      firing({ kind: 'change', by: null, unit: 'absolute' }, before, before, [
        ['A', 100],
        ['D', 1],
      ]),
    ).toEqual([[], [], ['D', 'B', 'C']])
  })

  it('finds what appears and what disappears, until it is back', () => {
    const [a, b]: readonly Row[] = [
      ['A', 1],
      ['B', 1],
    ]
    if (a === undefined || b === undefined) throw new Error('there are two rows')
    expect(firing({ kind: 'list' }, [a], [['A', 2], b], [b], [])).toEqual([[], ['B'], ['A'], ['B']])
    expect(firing({ kind: 'appears' }, [a], [a, b], [a, b], [a])).toEqual([[], ['B'], [], []])
    expect(firing({ kind: 'disappears', minutes: 5 }, [a, b], [a], [a], [a, b], [a])).toEqual([[], [], ['B'], [], []])
    expect(firing({ kind: 'rows', minutes: 0 }, [], [a], [])).toEqual([[], ['A'], []])
  })

  it('judges each of several rows that are about the same', () => {
    const condition: Condition = { kind: 'threshold', operator: 'above', value: 2, minutes: 5 }
    const rows: readonly Row[] = [
      ['A', 3],
      ['A', 1],
      ['A', 4],
    ]
    expect(firing(condition, rows, rows)).toEqual([[], ['A', 'A (3)']])
  })

  it('judges every row by itself, and compares none of a result that is too long to be remembered', () => {
    const long = Array.from({ length: 1_000 }, (_, at): Row => [`L${at}`, at === 999 ? 3 : 1])
    expect(firing({ kind: 'threshold', operator: 'above', value: 2, minutes: 5 }, long, long)).toEqual([[], ['L999']])
    expect(firing({ kind: 'appears' }, long, [...long, ['new', 1]])).toEqual([['not checked'], ['not checked']])
  })

  it('of which no row is known to hold cannot be checked if rows were cut', () => {
    const check = (condition: Condition, pct: number) => {
      const cut = plainReport({ id: 'Q1', question: '', columns: COLUMNS, rows: [['A', pct]], truncated: true })
      return checkCondition({ condition, watched: null }, [cut], 0)?.firing
    }
    const above: Condition = { kind: 'threshold', operator: 'above', value: 2, minutes: 0 }
    expect([check(above, 1), check(above, 3), check({ kind: 'rows', minutes: 0 }, 1)]).toEqual([undefined, ['A'], ['A']])
  })

  it.each([
    [{ kind: 'change', by: null, unit: null }, true],
    [{ kind: 'appears' }, true],
    [{ kind: 'list' }, true],
    [{ kind: 'disappears', minutes: 0 }, false],
    [{ kind: 'rows', minutes: 0 }, false],
  ] as const satisfies readonly (readonly [Condition, boolean])[])('%j is told, and never resolved: %s', (condition, isEvent) => {
    const report = plainReport({ id: 'Q1', question: '', columns: COLUMNS, rows: [] })
    expect(checkCondition({ condition, watched: null }, [report], 0)?.isEvent).toBe(isEvent)
  })
})
