import { describe, expect, it } from '@jest/globals'
import { WarehouseError } from '../../warehouse/error.ts'
import { readEngineRefusal } from './ask-engine.ts'

const failed = (kind: WarehouseError['kind'], message: string, serverCode?: number) =>
  readEngineRefusal(new WarehouseError(message, { kind, ...(serverCode === undefined ? {} : { serverCode }) }))

describe('readEngineRefusal', () => {
  it("shows the syntax error's position, without the guard's own statement or the list of expected tokens", () => {
    const message =
      "Syntax error: failed at position 8 (FORM): FORM t. Expected one of: token, Comma, FROM: In scope SELECT formatQuerySingleLine('SELECT FORM t'). (SYNTAX_ERROR)"
    expect(failed('syntax', message)).toEqual({
      verdict: 'reject',
      code: 'syntax',
      message: 'Syntax error at position 8, near FORM.',
    })
  })

  it("keeps the engine's reason", () => {
    expect(failed('syntax', 'Single quoted string is not closed: Syntax error: failed at position 8 (a): a.')?.message).toBe(
      'Single quoted string is not closed.',
    )
    expect(failed('query', 'Can not use WITH TIES without ORDER BY: In scope SELECT x. (WITH_TIES)')?.message).toBe(
      'Can not use WITH TIES without ORDER BY.',
    )
  })

  it('recognizes several statements and queries that are too large', () => {
    expect(failed('syntax', 'Syntax error (Multi-statements are not allowed): failed at position 9')?.code).toBe(
      'several_statements',
    )
    expect(failed('resource', 'AST is too big')?.code).toBe('too_long')
    expect(failed('timeout', 'Timeout exceeded', 159)?.code).toBe('too_long')
  })

  it.each(['unavailable', 'authentication', 'denied', 'cancelled', 'timeout'] as const)(
    'leaves %s without a code to the caller',
    kind => {
      expect(failed(kind, 'x')).toBeUndefined()
    },
  )
})
