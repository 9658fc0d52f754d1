import { describe, expect, it } from '@jest/globals'
import { parseArray } from './value-form.ts'

describe('parseArray', () => {
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
    expect(parseArray(text)).toEqual(array)
  })
})
