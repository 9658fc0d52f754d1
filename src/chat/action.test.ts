import { describe, expect, it } from '@jest/globals'
import { actionId, readActionId } from './action.ts'

describe('the id of a button', () => {
  it('carries everything a press needs', () => {
    const choose = { action: 'choose', runId: 'run_0123456789abcdef', choice: 3, label: 'Links' } as const
    expect(actionId(choose)).toBe('clew:choose:run_0123456789abcdef:3')
    expect(readActionId(actionId(choose))).toEqual({ action: 'choose', runId: 'run_0123456789abcdef', choice: 3 })
    expect(readActionId('clew:sql:run_1')).toEqual({ action: 'sql', runId: 'run_1' })
  })

  it.each([
    '',
    'sql:run_1',
    'clew:drop:run_1',
    'clew:sql:',
    'clew:sql:a b',
    'clew:choose:run_1:-1',
    'clew:choose:run_1:1e1',
    'clew:sql:run_1:1:2',
  ])('is not %j', id => {
    expect(readActionId(id)).toBeUndefined()
  })
})
