import { describe, expect, it } from '@jest/globals'
import { accessKey, type RunAccess } from './run-access.ts'
import { accessToSource, tableOfSource } from './source-rights.ts'

const TELEMETRY = { id: 'telemetry', isDefault: true }
const CRM = { id: 'crm', isDefault: false }
const access = (
  tables: readonly string[],
  except: readonly string[] = [],
  clickhouseRoles: readonly string[] = [],
): RunAccess => ({
  grants: [{ tables, except }],
  clickhouseRoles,
})

describe('accessToSource', () => {
  it('leaves rights without limits as they are', () => {
    expect(accessToSource(undefined, CRM)).toBeUndefined()
  })

  it('keeps the patterns and server roles of the source, without its name', () => {
    const whole = access(['network.*', 'crm/shop.*'], ['crm/shop.hr_*', 'network.a'], ['clew_a', 'crm/reader_eu', 'erp/b'])
    expect(accessToSource(whole, TELEMETRY)).toEqual(access(['network.*'], ['network.a'], ['clew_a']))
    expect(accessToSource(whole, CRM)).toEqual(access(['shop.*'], ['shop.hr_*'], ['reader_eu']))
  })

  it('keeps the rows that a grant is limited to', () => {
    const whole = { grants: [{ tables: ['crm/a.b', 'c.d'], except: [], rows: 'eu' }], clickhouseRoles: [] }
    expect(accessToSource(whole, CRM)).toEqual({ grants: [{ tables: ['a.b'], except: [], rows: 'eu' }], clickhouseRoles: [] })
  })

  it.each([
    ['only tables of others', access(['*.*', 'erp/*.*'])],
    ['all sources but this one', access(['*/*.*'], ['crm/*.*'])],
    ['a pattern that an exception takes away', access(['crm/shop.a'], ['*/*.a'])],
  ])('forbids the source to rights to %s', (_, given) => {
    expect(accessToSource(given, CRM)).toBe('forbidden')
  })

  it('gives the same key as before to rights to the default source', () => {
    const whole = access(['shop.*', '*.p_*'], ['shop.salaries'], ['clew_finance'])
    const own = accessToSource(whole, TELEMETRY)
    if (own === undefined || own === 'forbidden') throw new Error('the default source must be granted')
    expect([accessKey(whole), accessKey(own)]).toEqual(['4525159a6f237d70', '4525159a6f237d70'])
  })
})

it('a table of another source is named with its source', () => {
  expect([tableOfSource(TELEMETRY, 'a.b'), tableOfSource(CRM, 'a.b')]).toEqual(['a.b', 'crm/a.b'])
})
