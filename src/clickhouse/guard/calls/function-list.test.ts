import { describe, expect, it } from '@jest/globals'
import { FunctionList } from './function-list.ts'

const list = new FunctionList('26.7.2.1', [
  ['sum', true, true, '', 'System', false],
  ['aggThrow', true, false, '', 'System', false],
  ['upper', false, true, '', 'System', false],
  ['rank', true, true, '', 'System', false],
  ['ucase', false, true, 'upper', 'System', false],
  ['file', false, false, '', 'System', false],
  ['sum_of_array', true, true, 'sumArray', 'System', false],
  ['throw_of_array', true, true, 'aggThrowArray', 'System', false],
  ['fileAlias', false, false, 'file', 'System', false],
  ['transform', false, false, '', 'System', false],
  ['arrayMap', false, false, '', 'System', true],
  ['hex', false, false, '', 'SQLUserDefined', false],
  ['quantum', false, false, '', 'System', false],
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

  it.each(['file', 'fileAlias', 'aggThrow', 'aggThrowIf', 'throw_of_array', 'hex', 'quantum'])('refuses %s', name => {
    expect(list.find(name)).toMatchObject({ allowed: false })
  })

  it.each(['FILE', 'ran\u212A', 'Transform', 'upperIf', 'sumIF', 'If', 'nothing', '', `sum${'If'.repeat(5_000)}`])(
    'does not know %s',
    name => {
      expect(list.find(name)).toBeUndefined()
    },
  )

  it('knows which functions take functions as arguments', () => {
    expect(list.find('arrayMap')?.higherOrder).toBe(true)
  })
})
