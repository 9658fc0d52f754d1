import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { kindOfSqlState, SQLSTATES } from './sqlstates.ts'

describe('the kind of a SQLSTATE', () => {
  it.each([
    ['42601', 'syntax'],
    ['42P01', 'unknown_name'],
    ['42883', 'type'],
    ['42803', 'query'],
    ['54001', 'resource'],
    ['53200', 'resource'],
    ['53300', 'unavailable'],
    ['57P01', 'unavailable'],
    ['08006', 'unavailable'],
    ['28P01', 'authentication'],
    ['42501', 'denied'],
    ['XX001', 'broken'],
    ['ZZ999', 'query'],
  ])('%s is %s', (state, kind) => {
    expect(kindOfSqlState(state)).toBe(kind)
  })

  it('is listed in docs/errors.md', () => {
    const text = readFileSync('docs/errors.md', 'utf8')
    for (const [kind, states] of Object.entries(SQLSTATES)) {
      const listed = Object.entries(states).map(([name, state]) => `\`${state}\` ${name}`)
      expect(text).toContain(`| ${kind} | ${listed.join(', ') || '–'} |`)
    }
  })
})
