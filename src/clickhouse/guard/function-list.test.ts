import { describe, expect, it } from '@jest/globals'
import { FunctionList } from './function-list.ts'

const list = new FunctionList('26.7.2.1', [
  ['sum', true, true, '', 'System', 'Aggregate Functions', false],
  ['aggThrow', true, false, '', 'System', 'Aggregate Functions', false],
  ['upper', false, true, '', 'System', 'String', false],
  ['ucase', false, true, 'upper', 'System', '', false],
  ['file', false, false, '', 'System', 'Other', false],
  ['sum_of_array', true, true, 'sumArray', 'System', '', false],
  ['throw_of_array', true, true, 'aggThrowArray', 'System', '', false],
  ['fileAlias', false, false, 'file', 'System', 'String', false],
  ['transform', false, false, '', 'System', 'Other', false],
  ['arrayMap', false, false, '', 'System', 'Arrays', true],
  ['mine', false, false, '', 'SQLUserDefined', 'String', false],
  ['quantum', false, false, '', 'System', 'A Category Of Tomorrow', false],
])

describe('FunctionList', () => {
  it.each([
    ['sum', 'sum'],
    ['SUM', 'sum'],
    ['sumIf', 'sumIf'],
    ['SUMOrNullIf', 'sumOrNullIf'],
    ['UCASE', 'upper'],
    ['Sum_Of_Array', 'sumArray'],
    ['transform', 'transform'],
    ['exists', 'exists'],
  ])('allows %s', (name, real) => {
    expect(list.find(name)).toMatchObject({ name: real, allowed: true })
  })

  it.each(['file', 'fileAlias', 'aggThrow', 'aggThrowIf', 'throw_of_array', 'mine', 'quantum'])('refuses %s', name => {
    expect(list.find(name)).toMatchObject({ allowed: false })
  })

  it.each(['FILE', 'Transform', 'upperIf', 'sumIF', 'If', 'nothing', ''])('does not know %s', name => {
    expect(list.find(name)).toBeUndefined()
  })

  it('knows which functions take functions', () => {
    expect(list.find('arrayMap')?.higherOrder).toBe(true)
  })
})
