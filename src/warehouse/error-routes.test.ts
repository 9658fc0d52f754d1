import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { kindOfServerCode, SERVER_CODES } from '../clickhouse/server-codes.ts'
import { ERROR_ROUTES, WAREHOUSE_ERROR_KINDS } from './error-routes.ts'

describe('ERROR_ROUTES', () => {
  it('regenerates SQL only if the SQL is at fault', () => {
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
    [201, 'wait'],
    [516, 'give_up'],
    [394, 'give_up'],
    [164, 'alarm'],
    [497, 'alarm'],
    [246, 'alarm'],
  ])('routes code %i to %s', (code, route) => {
    expect(ERROR_ROUTES[kindOfServerCode(code)].route).toBe(route)
  })

  it('has each code once', () => {
    const codes = Object.values(SERVER_CODES).flatMap(each => Object.values(each))
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('docs/errors.md', () => {
  const text = readFileSync('docs/errors.md', 'utf8')

  it('has the route of each kind', () => {
    const [, table = ''] = /^\| kind \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(text) ?? []
    const routes = [...table.matchAll(/^\| (\w+) \| (\w+) \|/gm)].map(([, kind, route]) => [kind, route])
    expect(routes).toEqual(Object.entries(ERROR_ROUTES).map(([kind, { route }]) => [kind, route]))
  })

  it('has the codes of each kind', () => {
    const codes = [...text.matchAll(/^### (\w+)\n\n((?:.+\n)+)/gm)].map(([, kind = '', list = '']) => {
      const named = [...list.replaceAll('**', '').matchAll(/(\d+) ([A-Z][A-Z0-9_]+)/g)]
      return [kind, Object.fromEntries(named.map(([, code, name]) => [name, Number(code)]))]
    })
    expect(Object.fromEntries(codes)).toEqual(SERVER_CODES)
  })
})
