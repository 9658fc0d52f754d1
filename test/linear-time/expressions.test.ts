import { describe, expect, it } from '@jest/globals'
import { analyse } from 'scslre'
import { sampleOf } from '../support/whole.ts'
import { attackStrings } from './attack-strings.ts'
import { expressionsOfSource, type FoundExpression } from './expressions-of-source.ts'
import { growsBeyondLinear } from './growth.ts'

/** The maximum length of SQL, and also of a message. */
const LONGEST = 16_000

type Expression = Pick<FoundExpression, 'source' | 'flags'>

const found = [...new Map((await expressionsOfSource()).map(each => [`/${each.source}/${each.flags}`, each])).values()]

describe('the regular expressions of the program', () => {
  it('are found in the syntax, including those built from parts', () => {
    expect(found.length).toBeGreaterThan(1_000)
    expect(found.some(({ source }) => source.includes('(?:casi|menos de|'))).toBe(true)
    expect(found.some(({ file, source }) => file.endsWith('structured-output.ts') && source.includes('"x"'))).toBe(true)
  })

  // Better forms are limited repeats, an anchor, `(?<!\s)\s*` for a run that matches only from its start, or a scan by hand.
  it('have a form that takes linear time', () => {
    expect(found.filter(hasBoundlessForm).map(told)).toEqual([])
  })

  it('take linear time on their worst texts', () => {
    expect(
      sampleOf(found, 8)
        .map(each => [told(each), worstText(each)])
        .filter(([, text]) => text !== undefined),
    ).toEqual([])
  })
})

describe('the check of expressions', () => {
  it.each([
    ['a repeat before a literal', /\s*,/],
    ['nested repeats', /^(?:a+)+$/],
    ['repeats that share characters', /\{\{\s*([^{}]+?)\s*\}\}/g],
    ['a repeat before the end', /[.\s]+$/],
    ['a look behind at each character', /(?<=^\s*)x/],
  ])('refuses %s', (_, expression) => {
    expect(hasBoundlessForm(expression)).toBe(true)
  })

  it.each([
    ['a word before the rest of the text', /zweit\p{L}*$/u],
    ['an open bracket of several characters', /<!--[\s\S]*?-->/],
    ['a list that begins anew at each item', /(?:\p{L}+, )+and/u],
    ['nested repeats', /^(?:[a-z]+\d?)+$/],
  ])('finds the worst text for %s', (_, expression) => {
    expect(worstText(expression)).toBeDefined()
  })

  it.each([
    ['anchored', /^\s*,/],
    ['a run from its start', /(?<!\s)\s*,/],
    ['bounded', /\s{0,20},/],
    ['one part of a string after the other', /'(?:[^'\\]|\\.)*(?:'|$)/gs],
  ])('accepts %s', (_, expression) => {
    expect(hasBoundlessForm(expression)).toBe(false)
    expect(worstText(expression)).toBeUndefined()
  })
})

function told({ file, source, flags }: FoundExpression): string {
  return `${file}: /${source}/${flags}`
}

function hasBoundlessForm({ source, flags }: Expression): boolean {
  // An expression with the flag `y` is tried at one position only.
  return analyse({ source, flags }, { reportTypes: { Move: !flags.includes('y') } }).reports.length > 0
}

/** Returns the beginning of a text for which the expression takes more than linear time. Returns undefined if there is none. */
function worstText({ source, flags }: Expression): string | undefined {
  const expression = new RegExp(source, flags)
  const run = (text: string) => (expression.global ? text.replace(expression, '') : expression.exec(text))
  for (const textOf of attackStrings(source, flags)) {
    expression.lastIndex = 0
    if (growsBeyondLinear(run, textOf, LONGEST)) return textOf(60)
  }
  return undefined
}
