import { describe, expect, it } from '@jest/globals'
import { markDerived, privateColumnTest } from './private-columns.ts'
import type { ColumnComputation } from './schema.ts'

describe('privateColumnTest', () => {
  it.each([
    ['shop.users.email', 'shop.users.email', true],
    ['shop.users.email', 'other.users.email', false],
    ['users.email', 'shop.users.email', true],
    ['users.email', 'shop.users.e_mail', false],
    ['email', 'shop.anything.email', true],
    ['*.email', 'shop.anything.EMAIL', true],
    ['shop.*.*_name', 'shop.users.first_name', true],
    ['shop.*.*_name', 'shop.users.name', false],
    ['shop.*.*', 'shop.users.id', true],
    ['shop.*.*', 'other.users.id', false],
    ['users.e?ail', 'shop.users.email', false],
    ['users.contact', 'shop.users.contact.phone', true],
    ['users.contact.phone', 'shop.users.contact.phone', true],
    ['shop.users.contact.phone', 'shop.users.contact.phone', true],
    ['shop.users.contact.phone', 'shop.users.contact.fax', false],
    [' shop.users.email ', 'shop.users.email', true],
    ['', 'shop.users.email', false],
  ])('%j and column %s: %s', (pattern, name, expected) => {
    const [database = '', table = '', ...column] = name.split('.')
    expect(privateColumnTest([pattern])(database, table, column.join('.'), false)).toBe(expected)
  })

  it.each([
    ['users.data.email', 'data', true],
    ['shop.users.data.contact.email', 'data', true],
    ['data.email', 'data', true],
    ['users.data.email', 'other', false],
    ['shop.users', 'users', false],
  ])('%j marks a column with parts as a whole, %s: %s', (pattern, column, expected) => {
    expect(privateColumnTest([pattern])('shop', 'users', column, true)).toBe(expected)
    expect(privateColumnTest([pattern])('shop', 'users', column, false)).toBe(false)
  })
})

describe('markDerived', () => {
  const email = { name: 'email', isPrivate: true }
  const computed = (name: string, kind: ColumnComputation['kind'], expression: string) => ({
    name,
    computed: { kind, expression },
  })
  const marked = (...columns: Parameters<typeof markDerived>[0]) =>
    markDerived(columns).flatMap(({ name, isPrivate }) => (isPrivate ? [name] : []))

  it('marks columns computed from a private one, also indirectly', () => {
    const domain = computed('domain', 'ALIAS', "splitByChar('@', email)[2]")
    const site = computed('site', 'MATERIALIZED', 'lower(`domain`)')
    expect(marked(site, domain, email)).toEqual(['site', 'domain', 'email'])
  })

  it('marks columns computed from a part of one', () => {
    const count = computed('count', 'ALIAS', 'length(contact.phone)')
    expect(marked({ name: 'contact.phone', isPrivate: true }, count)).toEqual(['contact.phone', 'count'])
  })

  it('does not mark inserted values, or text that mentions a private column', () => {
    expect(marked(email, computed('sent_to', 'DEFAULT', 'email'), computed('label', 'ALIAS', "concat('email', name)"))).toEqual([
      'email',
    ])
  })
})
