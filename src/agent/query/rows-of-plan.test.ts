import { expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { RowsOfPlan } from './rows-of-plan.ts'

const first = queryReport({ question: 'first' })
const second = queryReport({ question: 'second' })
const other = queryReport({ question: 'other' })

function collected() {
  const heard: (readonly string[])[] = []
  const rows = new RowsOfPlan(queries => void heard.push(queries.map(({ question }) => question)))
  return { heard, rows }
}

it("passes on the rows in the plan's order, once all are there and the plan is final", () => {
  const { heard, rows } = collected()
  const [one, two] = [rows.listener(0), rows.listener(1)]
  two(second)
  one(first)
  expect(heard).toEqual([])
  rows.expect(2)
  expect(heard).toEqual([['first', 'second']])
})

it('passes them on again if a query changes', () => {
  const { heard, rows } = collected()
  const one = rows.listener(0)
  rows.expect(1)
  one(first)
  one(other)
  expect(heard).toEqual([['first'], ['other']])
})

it('ignores a data question that was replaced', () => {
  const { heard, rows } = collected()
  const before = rows.listener(0)
  before(first)
  const after = rows.listener(0)
  rows.expect(1)
  before(first)
  expect(heard).toEqual([])
  after(other)
  expect(heard).toEqual([['other']])
})

it('passes nothing on for a plan without data questions', () => {
  const { heard, rows } = collected()
  rows.expect(0)
  expect(heard).toEqual([])
})
