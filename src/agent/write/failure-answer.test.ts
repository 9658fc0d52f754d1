import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import type { FailedAttempt, QueryReport } from '../run/result.ts'
import { failureAnswer, failureSentence } from './failure-answer.ts'

const SCHEMA = schemaOf(
  tableOf('refunds', { columns: [columnOf('amount', 'UInt32')] }),
  tableOf('orders', { columns: [columnOf('amount', 'UInt32')] }),
)

function failedWith(...attempts: readonly Partial<FailedAttempt>[]): QueryReport {
  const failed = attempts.map(attempt => ({ sql: 'SELECT 1', kind: 'query', message: 'No.', near: [], ...attempt }))
  return queryReport({ error: failed.at(-1)?.message ?? '', attempts: failed.length, failed_attempts: failed })
}

describe('failureAnswer', () => {
  it('gives the reason, similar names, one next step and the attempts, in this order', () => {
    const column = { kind: 'unknown_name', message: 'There is no column amout.', near: ['amount'] }
    const report = failedWith({ ...column, sql: 'SELECT amout\nFROM shop.orders' }, { kind: 'guard', message: 'Not so.' }, column)
    expect(
      failureAnswer([report], SCHEMA, 'en'),
    ).toBe(`I could not answer this: the data has nothing of the name that it asks for.

**Did you mean** \`amount\`?

**What you can do:** Ask again with the right name, or first for example "which values of amount are there in shop.orders?"

**What was tried**

**Q1: How many devices are there per metro?**
1. There is no column amout. (2 times) Tried: \`SELECT amout FROM shop.orders\`
2. Not so. Tried: \`SELECT 1\``)
  })

  it("names the missing columns, and says once how to see the table's columns", () => {
    const missing = (name: string) => ({
      kind: 'unknown_name',
      sql: `SELECT ${name} FROM shop.orders`,
      message: `There is no column ${name} in shop.orders. Its columns are: amount.`,
      unknown_column: name,
    })
    expect(
      failureAnswer([failedWith(missing('colour'), missing('paint'))], SCHEMA, 'en'),
    ).toBe(`I could not answer this: no table that was looked at has a column for it: \`colour\`, \`paint\`.

**What you can do:** Ask for example "describe shop.orders" to see what there is, and name the column you mean.

**What was tried**

**Q1: How many devices are there per metro?**
1. There is no column colour in shop.orders. Its columns are: amount. Tried: \`SELECT colour FROM shop.orders\`
2. There is no column paint in shop.orders. Tried: \`SELECT paint FROM shop.orders\``)
  })

  it('describes the table in question, not one whose name begins like it', () => {
    const archive = schemaOf(...SCHEMA.tables, tableOf('orders_2025'))
    const sql = 'SELECT colour FROM `shop`.`orders_2025`'
    const answer = failureAnswer([failedWith({ kind: 'unknown_name', sql, unknown_column: 'colour' })], archive, 'en')
    expect(answer).toContain('"describe shop.orders_2025"')
  })

  it('describes forbidden names like unknown ones', () => {
    const answer = failureAnswer([failedWith({ kind: 'guard', message: 'Table shop.wages is not available.' })], SCHEMA, 'en')
    expect(answer).toMatch(/^I could not answer this: it needs data that I do not have here, or a query that I may not run\.\n/)
  })

  it('offers to describe a similar table', () => {
    const report = failedWith({ kind: 'guard', message: 'Table order is not available.', near: ['shop.orders', 'shop.refunds'] })
    const answer = failureAnswer([report], SCHEMA, 'en')
    expect(answer).toContain('**Did you mean** `shop.orders` or `shop.refunds`?')
    expect(answer).toContain('for example "describe shop.orders".')
  })

  it.each([
    ['timeout', 'the query took longer than it may', 'Ask for a shorter period'],
    ['unavailable', 'the warehouse is away, busy or over its quota just now', 'Ask again in a few minutes.'],
    ['cost', 'the query would read more than it may', 'Ask for a shorter period'],
    ['model_away', 'the language model could not be reached', 'Ask again in a minute.'],
    ['model', 'the language model wrote no query that could be used', 'Say it in other words'],
    ['type', 'no query that was written for it works', 'Say it in other words'],
  ])('gives the cause and the remedy for %s', (kind, cause, next) => {
    const answer = failureAnswer([failedWith({ kind })], SCHEMA, 'en')
    expect(answer.split('\n')[0]).toBe(`I could not answer this: ${cause}.`)
    expect(answer).toContain(`**What you can do:** ${next}`)
    expect(answer).not.toContain('Did you mean')
  })

  it("offers no names if the last attempt failed for another reason, but that reason's advice", () => {
    const attempts = [
      { kind: 'unknown_name', near: ['amount'] },
      { kind: 'cost', advice: 'Ask for one day of shop.orders.' },
    ]
    const answer = failureAnswer([failedWith(...attempts)], SCHEMA, 'en')
    expect(answer).toContain('**What you can do:** Ask for one day of shop.orders.')
    expect(answer).not.toContain('Did you mean')
  })

  it('gives no single cause if there are several', () => {
    const reports = [failedWith({ kind: 'timeout' }), failedWith({ kind: 'guard' })]
    expect(failureAnswer(reports, SCHEMA, 'en')).toMatch(/^I could not answer this: none of the 2 queries that it needs ran\./)
  })

  it('shows a name as one line of code', () => {
    const answer = failureAnswer([failedWith({ near: ['a`\n# b'] })], SCHEMA, 'en')
    expect(answer).toContain("**Did you mean** `a' # b`?")
  })
})

it('failureSentence is one sentence', () => {
  expect(failureSentence([failedWith({ message: 'There is\nno column a.' })], 'en')).toBe(
    'The query that this needs did not run: There is no column a.',
  )
  expect(failureSentence([failedWith({}), failedWith({ message: '' })], 'en')).toBe(
    'None of the 2 queries that this needs ran: no query that was written for it works.',
  )
})

it('failureAnswer speaks German', () => {
  const report = failedWith({
    kind: 'unknown_name',
    message: 'There is no column amout.',
    near: ['amount'],
    sql: 'SELECT amout FROM shop.orders',
  })
  expect(
    failureAnswer([report], SCHEMA, 'de'),
  ).toBe(`Das konnte ich nicht beantworten: einen der gesuchten Namen gibt es in den Daten nicht.

**Gemeint vielleicht:** \`amount\`?

**Was hilft:** Noch einmal mit dem richtigen Namen fragen, oder zuerst „welche Werte von amount gibt es in shop.orders?“

**Was versucht wurde**

**Q1: How many devices are there per metro?**
1. There is no column amout. Versucht: \`SELECT amout FROM shop.orders\``)
})
