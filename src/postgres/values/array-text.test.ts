import { describe, expect, it } from '@jest/globals'
import { parseArrayText } from './array-text.ts'

describe('parseArrayText', () => {
  it.each([
    ['{}', []],
    ['{1,NULL,3}', ['1', null, '3']],
    ['{"NULL",null,""}', ['NULL', 'null', '']],
    ['{"a,b","c}d","e\\"f","g\\\\h"}', ['a,b', 'c}d', 'e"f', 'g\\h']],
    [
      '{{1,2},{3,NULL}}',
      [
        ['1', '2'],
        ['3', null],
      ],
    ],
    ['[-1:1]={1,2,3}', ['1', '2', '3']],
    ['[0:0][1:2]={{a,b}}', [['a', 'b']]],
  ])('reads %s', (text, array) => {
    expect(parseArrayText(text)).toEqual(array)
  })

  it.each(['', 'x', '{', '}', '{1', '{1}}', '{1}{2}', '[0:1]', '{"', '{1,"a', '{{{{{{{{1}}}}}}}}'])('refuses %s', text => {
    expect(parseArrayText(text)).toBeUndefined()
  })
})
