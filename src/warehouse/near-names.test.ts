import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { nearNames } from './near-names.ts'

const TABLES = [
  'dz_links',
  'dz_link_latency_ms',
  'dz_devices',
  'dz_users',
  'gossip_nodes',
  'vote_accounts',
  'countries',
  'addresses',
]

describe('nearNames', () => {
  it.each([
    ['DZ_LINKS', 'dz_links'],
    ['dzLinks', 'dz_links'],
    ['dzlink', 'dz_links'],
    ['link', 'dz_links'],
    ['links', 'dz_links'],
    ['dz_lniks', 'dz_links'],
    ['devices', 'dz_devices'],
    ['dz_device', 'dz_devices'],
    ['gosip_nodes', 'gossip_nodes'],
    ['latency_ms', 'dz_link_latency_ms'],
    ['country', 'countries'],
    ['adress', 'addresses'],
    ['vote_acounts', 'vote_accounts'],
  ])('suggests %s for %s first', (name, expected) => {
    expect(nearNames(name, TABLES)[0]).toBe(expected)
  })

  it('suggests nothing for an unrelated name', () => {
    expect(nearNames('invoices', TABLES)).toEqual([])
    expect(nearNames('', TABLES)).toEqual([])
  })

  it('also works for values', () => {
    expect(nearNames('Activ', ['activated', 'active', 'suspended', 'deleted'])).toEqual(['active', 'activated'])
    expect(nearNames('münchen', ['München', 'Muenchen', 'Berlin'])[0]).toBe('München')
  })

  it('respects the limit, without duplicates, in an order independent of the input', () => {
    const names = ['status_c', 'status_a', 'status_b', 'status_a']
    expect(nearNames('status', names, 2)).toEqual(['status_a', 'status_b'])
    expect(nearNames('status', [...names].reverse(), 2)).toEqual(['status_a', 'status_b'])
  })

  it('always suggests a name that differs only in case', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,10}(_[a-z]{1,10}){0,3}$/), name => {
        expect(nearNames(name.toUpperCase(), ['zz_other_0', name, 'yy_other_1'])[0]).toBe(name)
      }),
    )
  })

  it('stays fast with long names', () => {
    const long = 'x'.repeat(100_000)
    expect(nearNames(long, [`${long}y`, 'abc'])).toEqual([`${long}y`])
  })
})
