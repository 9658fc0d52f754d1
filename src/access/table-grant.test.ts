import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { runsOf } from '../../test/support/whole.ts'
import {
  EVERYTHING,
  EVERYTHING_OF_ALL,
  fitsPattern,
  grantsCover,
  isGranted,
  isGrantedByName,
  patternCovers,
  patternsExclude,
  type TableGrant,
} from './table-grant.ts'

const RUNS = { numRuns: runsOf(2_000) }
// Names and patterns of few letters match each other often.
const letters = (characters: string, maxLength: number) =>
  fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength }).map(list => list.join(''))
const name = letters('ab_', 5)
const pattern = letters('ab_*', 5)
const table = fc.record({ source: fc.constantFrom('', 'crm', 'erp'), database: fc.constantFrom('a', 'b'), name })
const tablePattern = fc
  .tuple(fc.constantFrom('', '', 'crm/', 'erp/', '*/'), fc.constantFrom('a', 'b', '*', 'a*'), pattern)
  .map(([source, database, own]) => `${source}${database}.${own}`)
const grant: fc.Arbitrary<TableGrant> = fc.record({
  tables: fc.array(tablePattern, { minLength: 1, maxLength: 3 }),
  except: fc.array(tablePattern, { maxLength: 2 }),
})
const grants = fc.array(grant, { minLength: 1, maxLength: 3 })

describe('a pattern', () => {
  it.each([
    ['orders', 'orders', true],
    ['orders', 'orders_2', false],
    ['*', 'orders', true],
    ['p_*', 'p_cves', true],
    ['p_*', 'p_', true],
    ['p_*', 'sp_cves', false],
    ['*_log', 'access_log', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['t.x', 't.x', true],
    ['t.x', 'tax', false],
  ])('%s of %s: %s', (written, given, expected) => {
    expect(fitsPattern(written, given)).toBe(expected)
  })

  it('agrees with the equivalent regular expression', () => {
    const property = fc.property(pattern, name, (written, given) => {
      const meaning = new RegExp(`^${written.replaceAll('*', '.*')}$`)
      expect(fitsPattern(written, given)).toBe(meaning.test(given))
    })
    fc.assert(property, RUNS)
  })

  it('covers another only if it fits every name of the other, and excludes it only if no name fits both', () => {
    const property = fc.property(pattern, pattern, name, (one, other, given) => {
      if (patternCovers(one, other) && fitsPattern(other, given)) expect(fitsPattern(one, given)).toBe(true)
      if (patternsExclude(one, other)) expect(fitsPattern(one, given) && fitsPattern(other, given)).toBe(false)
    })
    fc.assert(property, RUNS)
  })
})

describe('grants', () => {
  const shop: TableGrant = { tables: ['shop.*'], except: ['shop.salaries', 'shop.hr_*'] }

  it.each([
    ['shop.orders', true],
    ['shop.salaries', false],
    ['shop.hr_people', false],
    ['finance.orders', false],
    ['shop.with.dot', true],
  ])('for shop.* with exceptions allow %s: %s', (given, expected) => {
    expect(isGrantedByName([shop], given)).toBe(expected)
  })

  it.each([
    ['*.*', 'shop.orders', true],
    ['*.*', 'crm/shop.orders', false],
    ['crm/shop.*', 'crm/shop.orders', true],
    ['crm/shop.*', 'shop.orders', false],
    ['crm/shop.*', 'erp/shop.orders', false],
    ['*/*.*', 'crm/shop.orders', true],
    ['*/*.*', 'shop.orders', true],
    ['shop.a/b', 'shop.a/b', true],
  ])('for %s allow %s of a source: %s', (tables, given, expected) => {
    expect(isGrantedByName([{ tables: [tables], except: [] }], given)).toBe(expected)
  })

  it('add up: one grant may allow a table that another leaves out', () => {
    expect(isGrantedByName([shop, { tables: ['shop.salaries'], except: [] }], 'shop.salaries')).toBe(true)
  })

  it.each<[string, readonly TableGrant[], readonly TableGrant[], boolean]>([
    ['the same', [shop], [shop], true],
    ['everything', [{ tables: ['*.*'], except: [] }], [shop], true],
    ['one table of it', [shop], [{ tables: ['shop.orders'], except: [] }], true],
    ['the exception', [shop], [{ tables: ['shop.salaries'], except: [] }], false],
    ['the whole database', [shop], [{ tables: ['shop.*'], except: [] }], false],
    ['a name with another beginning', [shop], [{ tables: ['shop.p_*'], except: [] }], true],
    ['two together', [shop, { tables: ['finance.*'], except: [] }], [{ tables: ['shop.a', 'finance.b'], except: [] }], true],
    ['nothing', [], [shop], false],
    ['everything of the default source only', EVERYTHING, [{ tables: ['crm/shop.*'], except: [] }], false],
    ['everything of all sources', EVERYTHING_OF_ALL, [{ tables: ['crm/shop.*', 'shop.*'], except: [] }], true],
    ['all sources but one', [{ tables: ['*/*.*'], except: ['crm/*.*'] }], [{ tables: ['erp/a.b', '*.*'], except: [] }], true],
    [
      'the one source that is left out',
      [{ tables: ['*/*.*'], except: ['crm/*.*'] }],
      [{ tables: ['crm/a.b'], except: [] }],
      false,
    ],
  ])('that cover %s', (_, wide, narrow, expected) => {
    expect(grantsCover(wide, narrow)).toBe(expected)
  })

  it('cover others only if they include every table of those', () => {
    const property = fc.property(grants, grants, table, (wide, narrow, given) => {
      if (grantsCover(wide, narrow) && isGranted(narrow, given)) expect(isGranted(wide, given)).toBe(true)
    })
    fc.assert(property, RUNS)
  })
})
