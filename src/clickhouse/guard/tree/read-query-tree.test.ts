import { describe, expect, it } from '@jest/globals'
import { elements } from '../../../warehouse/query-tree.ts'
import { readQueryTree } from './read-query-tree.ts'

/** The query tree of `SELECT * FROM (SELECT id AS x FROM p_orders)`, as ClickHouse 26.7 prints it. */
const TREE = `QUERY id: 0
  PROJECTION
    LIST id: 1, nodes: 1
      MATCHER id: 2, matcher_type: ASTERISK
  JOIN TREE
    QUERY id: 3, is_subquery: 1
      PROJECTION
        LIST id: 4, nodes: 1
          IDENTIFIER id: 5, alias: x, identifier: id
      JOIN TREE
        IDENTIFIER id: 6, identifier: p_orders`.split('\n')

function withLine(index: number, ...lines: readonly string[]): readonly string[] {
  return [...TREE.slice(0, index), ...lines, ...TREE.slice(index + 1)]
}

describe('readQueryTree', () => {
  it('reads nodes, attributes and headings', () => {
    const tree = readQueryTree(TREE)
    if ('verdict' in tree) throw new Error(tree.message)
    const query = tree.branches[1]
    expect(query?.heading).toBe('JOIN TREE')
    const [column] = query === undefined ? [] : elements(query.node, 'PROJECTION')
    expect(column?.attributes).toMatchObject({ alias: 'x', identifier: 'id' })
  })

  it('accepts the empty line behind an empty LIST', () => {
    const tree = readQueryTree(withLine(8, '          LIST id: 5, nodes: 0', ''))
    expect(tree).not.toHaveProperty('verdict')
  })

  it.each([
    ['an unknown kind of node', withLine(8, '          COLUMN id: 5, alias: x, identifier: id')],
    ['an unknown attribute', withLine(8, '          IDENTIFIER id: 5, alias: x, identifier: id, trusted: 1')],
    ['attributes in another order', withLine(8, '          IDENTIFIER id: 5, identifier: id, alias: x')],
    ['an attribute twice', withLine(8, '          IDENTIFIER id: 5, alias: x, identifier: id, identifier: id')],
    ['an unknown heading', withLine(9, '      JOIN TREES')],
    [
      'a heading twice',
      withLine(
        10,
        '        IDENTIFIER id: 6, identifier: p_orders',
        '      JOIN TREE',
        '        IDENTIFIER id: 7, identifier: a',
      ),
    ],
    ['a number that was given before', withLine(10, '        IDENTIFIER id: 5, identifier: p_orders')],
    ['a gap in the numbers', withLine(10, '        IDENTIFIER id: 7, identifier: p_orders')],
    ['an element more than counted', withLine(8, TREE[8] ?? '', '          IDENTIFIER id: 6, identifier: id')],
    ['an element less than counted', withLine(7, '        LIST id: 4, nodes: 2')],
    ['a line at another depth', withLine(8, '           IDENTIFIER id: 5, alias: x, identifier: id')],
    ['a line behind the end', [...TREE, 'QUERY id: 7']],
    ['an empty line', withLine(6, '', '      PROJECTION')],
    ['no lines', []],
    ['a cut end', TREE.slice(0, -1)],
    ['a node where a LIST must be', withLine(7, '        IDENTIFIER id: 4, identifier: id')],
    ['a flag that is no flag', withLine(5, '    QUERY id: 3, is_subquery: 2')],
    ['a name of an object’s own members as heading', withLine(9, '      constructor')],
  ])('refuses %s', (_, lines) => {
    expect(readQueryTree(lines)).toMatchObject({ verdict: 'reject', code: 'not_understood' })
  })

  it('refuses a line forged by a name with a line break, since later lines have wrong numbers', () => {
    const forged = withLine(8, '          IDENTIFIER id: 5, alias: x', '          IDENTIFIER id: 6, identifier: id')
    expect(readQueryTree(forged)).toMatchObject({ code: 'not_understood' })
  })

  it('recognizes SETTINGS', () => {
    expect(readQueryTree([...TREE, '      SETTINGS max_threads=1'])).toMatchObject({ code: 'settings' })
  })
})
