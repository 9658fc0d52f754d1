import { describe, expect, it } from '@jest/globals'
import { parseNodeTree, value } from './node-tree.ts'

const fieldsOf = (text: string) => {
  const tree = parseNodeTree(text)
  return tree === undefined ? undefined : Object.fromEntries(tree.fields)
}

describe('parseNodeTree', () => {
  it('reads words, lists and nodes, over several lines', () => {
    const text = '{VAR :varno 1 :names ("a"\n"b") :set (b 8 9) :const 4 [ 1 0 ] :inner {ALIAS :aliasname\n<>} :rest ({A} {B})}\n'
    expect(fieldsOf(text)).toMatchObject({
      varno: ['1'],
      names: [['"a"', '"b"']],
      set: [['b', '8', '9']],
      const: ['4', '[', '1', '0', ']'],
      inner: [{ kind: 'ALIAS' }],
      rest: [[{ kind: 'A' }, { kind: 'B' }]],
    })
  })

  it('takes the word after a label as its value, whatever a person has called it', () => {
    expect(fieldsOf('{ALIAS :aliasname :relid :colnames :aliasname}')).toEqual({
      aliasname: [':relid'],
      colnames: [':aliasname'],
    })
  })

  it('keeps escaped brackets and blanks in their word, also where the server has broken a line at the blank', () => {
    expect(fieldsOf('{ALIAS :aliasname a\\ \\}\\{b :relid 1}')).toMatchObject({ relid: ['1'] })
    expect(fieldsOf('{ALIAS :aliasname a\\\n\\}\\{b :relid 1}')).toMatchObject({ relid: ['1'] })
  })

  it('does not understand a line that the server may have broken within a word', () => {
    const word = '\\('.repeat(39)
    expect(parseNodeTree(`{ALIAS :aliasname\n${word}\n:relid 1}`)).toBeUndefined()
    expect(parseNodeTree(`{ALIAS :aliasname\n${word.slice(2)}\n:relid 1}`)).toBeDefined()
  })

  it.each([
    '',
    '{A',
    '{A}}',
    '{A} {B}',
    '(1)',
    'a',
    '{A :b}',
    '{A :b 1 :b 2}',
    '{A 1}',
    '{(}',
    '{A :b (1}',
    `{A :b ${'('.repeat(2_000)}`,
  ])('does not understand %j', text => {
    expect(parseNodeTree(text)).toBeUndefined()
  })

  it('gives the only word of a field', () => {
    const tree = parseNodeTree('{A :one 1 :two 1 2 :list (1)}')
    expect(tree && ['one', 'two', 'list', 'none'].map(name => value(tree, name))).toEqual(['1', undefined, undefined, undefined])
  })
})
