import { describe, expect, it } from '@jest/globals'
import { markdownTokens } from './markdown-tokens.ts'

const LONG = 60_000
const filled = (unit: string) => unit.repeat(LONG / unit.length)
const read = (text: string) => markdownTokens(text, { definitions: true })
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

describe('the Markdown parser', () => {
  it.each(['_a', '!', 'a_1_', '*a ', '**a', '[a](', '\\a', '~~a ', 'a\\', 'www.', '> ', '+ ', '1. '])(
    'gives up on a long run of %j, which would take quadratic time',
    unit => {
      expect(read(`There are 42.\n\n${filled(unit)}`)).toBeUndefined()
    },
  )

  it('gives up on many runs that are slow together', () => {
    expect(read(lines(7, () => `${'*a '.repeat(2_700)}\n`))).toBeUndefined()
  })

  it.each([
    ['a table', `| name | rows_read |\n|---|---|\n${lines(900, index => `| **region_${index}** | ${index}.5 [Q1] |`)}`],
    ['a list', lines(900, index => `- **region_${index}**: \`rows_read\` is ${index} [Q1]`)],
    ['prose', lines(40, () => `${'It rose by *four* percent in `north_west` [Q1]. '.repeat(30).trim()}\n`)],
    ['a list in a list in a list', lines(300, () => '- a\n  - b\n    - c')],
  ])("reads %s of an answer's greatest length", (_, text) => {
    const tokens = read(text)
    expect(tokens?.map(({ raw }) => raw).join('')).toBe(text)
  })
})
