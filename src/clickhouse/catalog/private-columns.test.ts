import { describe, expect, it } from '@jest/globals'
import { privateColumnTest } from './private-columns.ts'

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
  ])('%j marks %s: %s', (pattern, name, expected) => {
    const [database = '', table = '', ...column] = name.split('.')
    expect(privateColumnTest([pattern])(database, table, column.join('.'))).toBe(expected)
  })
})
