import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { answerFromCatalog } from './answer-from-catalog.ts'

const HOSTILE = 'orders` <!channel> \u202e\n# [click](http://evil)'
const schema = schemaOf(
  tableOf('orders', { columns: [columnOf('id', 'UInt64')] }),
  tableOf('customers', { comment: 'One row a customer.' }),
)

function describing(table: string, of = schema) {
  return answerFromCatalog(of, { catalog_request: 'describe', table }, 'en')
}

/** Returns the text outside code spans. Only there does Markdown take effect. */
function outsideCode(markdown: string): string {
  return markdown.replace(/`[^`\n]+`/g, '')
}

describe('answerFromCatalog', () => {
  it.each([[null], [' ']])('lists the tables when none is named (%j)', table => {
    const { markdown, activeTable } = answerFromCatalog(schema, { catalog_request: 'list', table }, 'en')
    expect(markdown).toContain('`orders`')
    expect(markdown).toContain('One row a customer.')
    expect(activeTable).toBeNull()
  })

  it('asks which table to describe, unless there is only one', () => {
    expect(answerFromCatalog(schema, { catalog_request: 'describe', table: null }, 'en').markdown).toMatch(
      /^Which table .*`orders`/s,
    )
    const only = answerFromCatalog(schemaOf(tableOf('one')), { catalog_request: 'describe', table: null }, 'en')
    expect([only.markdown.split('\n')[0], only.activeTable]).toEqual(['**`shop.one`**', 'shop.one'])
  })

  it('describes a table, to which "it" then refers', () => {
    const { markdown, activeTable } = describing('ORDERS')
    expect(markdown).toContain('`shop.orders`')
    expect(activeTable).toBe('shop.orders')
  })

  it('asks which table is meant if databases share its name', () => {
    const two = schemaOf(tableOf('orders'), tableOf('orders', { database: 'archive' }))
    expect(describing('orders', two)).toEqual({
      markdown: 'Several tables are called that. Which one do you mean?\n- `shop.orders`\n- `archive.orders`',
      activeTable: null,
    })
  })

  it('offers similar names for an unknown one, or else the list', () => {
    expect(describing('ordrs').markdown).toBe('There is no table `ordrs`. Did you mean `shop.orders`?')
    expect(describing('zzzzzz').markdown).toBe('There is no table `zzzzzz`. Ask "what tables are there?" for the list.')
  })

  it.each([
    ['asked for', HOSTILE.replace('orders', 'zzzzzzz'), schema],
    ['nearly asked for', 'order', schemaOf(tableOf(HOSTILE))],
    ['shared by two databases', HOSTILE, schemaOf(tableOf(HOSTILE, { database: 'a' }), tableOf(HOSTILE, { database: 'b' }))],
    ['described', HOSTILE, schemaOf(tableOf(HOSTILE))],
  ])('keeps a hostile name that is %s inside its back-ticks', (_, asked, of) => {
    const { markdown } = describing(asked, of)
    expect(outsideCode(markdown)).not.toMatch(/<!|evil|\u202e|^# /m)
  })

  it.each(['\u200b\u200b', 'x'.repeat(5_000)])('shows an unprintable name in a bounded, visible form', asked => {
    const { markdown } = describing(asked)
    expect(markdown).not.toContain('``')
    expect(markdown.length).toBeLessThan(400)
  })
})
