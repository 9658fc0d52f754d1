import { expect, it } from '@jest/globals'
import type { FailedAttempt } from '../run/result.ts'
import { replacedColumns } from './replaced-columns.ts'

const failed = (sql: string, unknown: string, near: readonly string[] = []): FailedAttempt => ({
  sql,
  kind: 'unknown_name',
  message: 'No.',
  near,
  unknown_column: unknown,
})

it('an unknown column is reported, with the similar one in the final query', () => {
  expect(
    replacedColumns([failed('SELECT netto FROM t', 'netto', ['d.t.net', 'gross'])], 'SELECT net FROM t', 'What is the netto?'),
  ).toEqual([{ column: 'netto', taken: ['net'] }])
  expect(replacedColumns([failed('SELECT a.netto FROM t AS a', 'a.netto')], 'SELECT gross FROM t', 'netto per day')).toEqual([
    { column: 'netto', taken: [] },
  ])
})

it('not reported: an equal name, a column found elsewhere, a second mention', () => {
  expect(
    replacedColumns([failed('SELECT Net_Sum FROM t', 'Net_Sum', ['netSum'])], 'SELECT netSum FROM t', 'the net sum'),
  ).toEqual([])
  expect(replacedColumns([failed('SELECT t.net FROM t', 't.net')], 'SELECT u.net FROM u', 'net?')).toEqual([])
  const twice = [failed('SELECT a FROM t', 'a'), failed('SELECT a + 1 FROM t', 'a')]
  expect(replacedColumns(twice, 'SELECT b FROM t', 'a?')).toHaveLength(1)
  expect(replacedColumns([{ sql: 'x', kind: 'guard', message: 'No.', near: [] }], 'SELECT b FROM t', 'a?')).toEqual([])
})

it('a slip of the model is not reported, because the question does not contain the name', () => {
  expect(replacedColumns([failed('SELECT nosuch FROM t', 'nosuch')], 'SELECT net FROM t', 'How much is it?')).toEqual([])
})
