import { describe, expect, it } from '@jest/globals'
import { closedField } from './structured-output.ts'

const SQL = 'SELECT "a\\b", \'{"sql": "no"}\'\nFROM t -- ü 東京'

describe('closedField', () => {
  it('returns the whole text once its quote closes, and nothing before', () => {
    const text = JSON.stringify({ thought: 'the "sql": "x" of it', sql: SQL, explanation: 'It "counts".' })
    const closed = text.indexOf(',"explanation"')
    for (let length = 0; length <= text.length; length++) {
      expect(closedField(text.slice(0, length), 'sql')).toBe(length < closed ? undefined : SQL)
    }
  })

  it.each([
    ['a fence around it', '```json\n{ "sql" : "SELECT 1" , "expl', 'SELECT 1'],
    ['another type', '{"sql": null, "explanation": "x"', undefined],
    ['a line break as it is', '{"sql": "SELECT\n1", "explanation": "x"', undefined],
    ['an escape that is none', '{"sql": "SELECT \\q", "explanation": "x"', undefined],
  ])('reads %s', (_, text, expected) => {
    expect(closedField(text, 'sql')).toBe(expected)
  })
})
