import { expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { RowsOfPlan } from './rows-of-plan.ts'

const first = queryReport({ question: 'first' })
const second = queryReport({ question: 'second' })
const other = queryReport({ question: 'other' })

function collected() {
  const heard: (readonly string[])[] = []
  const rows = new RowsOfPlan(queries => void heard.push(queries.map(({ question }) => question)))
  return { heard, rows }
}

it('tells the rows in the order of the plan, once all are there and the plan is settled', () => {
  const { heard, rows } = collected()
  const [one, two] = [rows.listener(0), rows.listener(1)]
  two(second)
  one(first)
  expect(heard).toEqual([])
  rows.expect(2)
  expect(heard).toEqual([['first', 'second']])
})

it('tells them again where a query is another one in the end', () => {
  const { heard, rows } = collected()
  const one = rows.listener(0)
  rows.expect(1)
  one(first)
  one(other)
  expect(heard).toEqual([['first'], ['other']])
})

it('hears nothing more of a data question that was planned anew', () => {
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

it('says nothing of a plan without data questions', () => {
  const { heard, rows } = collected()
  rows.expect(0)
  expect(heard).toEqual([])
})
