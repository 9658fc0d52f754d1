import { describe, expect, it } from '@jest/globals'
import { Marked, type Tokens } from 'marked'
import { isTableRow, withClosedTables } from './closed-tables.ts'

const TABLE = '| a | b |\n|---|---|\n| 1 | 2 |'

describe('withClosedTables', () => {
  it.each([
    ['a citation right below', `${TABLE}\n[Q1]\n\nNext`, `${TABLE}\n\n[Q1]\n\nNext`],
    ['a sentence right below, with a bar in it', `${TABLE}\nA | B holds.`, `${TABLE}\n\nA | B holds.`],
    ['a table without rows', '| a |\n|---|\n[Q1]', '| a |\n|---|\n\n[Q1]'],
    ['a table in a list', '- x\n\n  | a |\n  |---|\n  | 1 |\n  [Q1]', '- x\n\n  | a |\n  |---|\n  | 1 |\n\n  [Q1]'],
    ['a table in a quotation', '> | a |\n> |---|\n> | 1 |\n> [Q1]', '> | a |\n> |---|\n> | 1 |\n>\n> [Q1]'],
    ['each of two', `${TABLE}\n[Q1]\n\n${TABLE}\n[Q2]`, `${TABLE}\n\n[Q1]\n\n${TABLE}\n\n[Q2]`],
  ])('ends %s', (_, written, closed) => {
    expect(withClosedTables(written)).toBe(closed)
    expect(withClosedTables(closed)).toBe(closed)
    const [table] = new Marked().lexer(closed)
    if (table?.type === 'table') expect((table as Tokens.Table).rows.flat().map(cell => cell.text)).not.toContain('[Q1]')
  })

  it.each([
    ['a table that ends', `Before.\n${TABLE}\n\n[Q1]`],
    ['a table at the end', `${TABLE}\n`],
    ['code', `\`\`\`\n${TABLE}\n[Q1]\n\`\`\``],
    ['code that holds a fence', `\`\`\`\`\n\`\`\`\n${TABLE}\n[Q1]\n\`\`\`\n\`\`\`\``],
    ['bars that make no table', '|x| is x without its sign.\nIt is positive.'],
    ['text without bars', 'One.\nTwo.'],
  ])('does not change %s', (_, markdown) => {
    expect(withClosedTables(markdown)).toBe(markdown)
  })
})

describe('isTableRow', () => {
  it('checks the leading bar', () => {
    expect(['| a | b |', '  | a', '[Q1]', 'a | b'].map(isTableRow)).toEqual([true, true, false, false])
  })
})
