import { describe, expect, it } from '@jest/globals'
import { ERROR_ROUTES, WAREHOUSE_ERROR_KINDS } from './error-routes.ts'
import { kindOfServerCode } from './server-codes.ts'

describe('ERROR_ROUTES', () => {
  it('writes SQL anew only where SQL is at fault', () => {
    const regenerated = WAREHOUSE_ERROR_KINDS.filter(kind => ERROR_ROUTES[kind].route === 'regenerate')
    expect(regenerated.sort()).toEqual(['query', 'syntax', 'type', 'unknown_name'])
  })

  it.each([
    [47, 'regenerate'],
    [62, 'regenerate'],
    [59, 'regenerate'],
    [215, 'regenerate'],
    [159, 'narrow'],
    [160, 'narrow'],
    [158, 'narrow'],
    [241, 'narrow'],
    [396, 'narrow'],
    [202, 'wait'],
    [516, 'give_up'],
    [394, 'give_up'],
    [164, 'alarm'],
    [497, 'alarm'],
  ])('routes code %i to %s', (code, route) => {
    expect(ERROR_ROUTES[kindOfServerCode(code)].route).toBe(route)
  })
})
