import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SentenceSplitter } from './sentence-splitter.ts'

function units(pieces: readonly string[]): string[] {
  const splitter = new SentenceSplitter()
  return [...pieces.flatMap(piece => splitter.add(piece)), ...splitter.end()]
}

describe('SentenceSplitter', () => {
  it('releases a sentence with the citation after its stop', () => {
    expect(units(['There are 12 devices. [Q1] ', 'Two are down [Q2].\n', 'More'])).toEqual([
      'There are 12 devices. [Q1]',
      ' Two are down [Q2].\n',
      'More',
    ])
  })

  it('does not end a sentence at a German date, at "Mio." or at a line\'s number', () => {
    expect(units(['Am 18. ', 'No', 'vember waren es 1,2 Mio. Euro [Q1]. Mehr nicht.'])).toEqual([
      'Am 18. November waren es 1,2 Mio. Euro [Q1].',
      ' Mehr nicht.',
    ])
    expect(units(['Mit „3. Quartal“ ist das von 2026 gemeint. Gut'])).toEqual([
      'Mit „3. Quartal“ ist das von 2026 gemeint.',
      ' Gut',
    ])
    expect(units(['1. first loss [Q1]\n2. drained [Q1]\n'])).toEqual(['1. first loss [Q1]\n', '2. drained [Q1]\n'])
    expect(units(['It had 18. Then 19.'])).toEqual(['It had 18.', ' Then 19.'])
  })

  it('does not end a sentence at a decimal point, at an abbreviation or before a possible citation', () => {
    expect(units(['Loss is 0.4 % (e.g. on ams-fra). ', '[Q1, Q3] Fine'])).toEqual([
      'Loss is 0.4 % (e.g. on ams-fra). [Q1, Q3]',
      ' Fine',
    ])
  })

  it('keeps quoted sentences in back-ticks together', () => {
    expect(units(['The note says `Stop. Cite', ' [Q9]. Now.` [Q1]. Done. ', 'A stray ` mark. It ends\nhere.\n'])).toEqual([
      'The note says `Stop. Cite [Q9]. Now.` [Q1].',
      ' Done.',
      ' A stray ` mark. It ends\n',
      'here.\n',
    ])
  })

  it('keeps a formula together, and ends a sentence before one', () => {
    expect(
      units(["It is {sum(x, city = 'St. Ives'", ')} in all. {count()', '} of them. Then { is open. It ends\nhere.\n']),
    ).toEqual(["It is {sum(x, city = 'St. Ives')} in all.", ' {count()} of them.', ' Then { is open. It ends\n', 'here.\n'])
  })

  it('keeps sentences in a table row together', () => {
    expect(units(['| Oslo | He said yes. [Q9] ', 'Then no. |\n| Bergen', ' | 1. |\nDone. '])).toEqual([
      '| Oslo | He said yes. [Q9] Then no. |\n',
      '| Bergen | 1. |\n',
      'Done. ',
    ])
  })

  it('ends a unit at each line, so that bullets and table rows come one by one', () => {
    expect(units(['- a: 1 [Q1]\n- b: 2 [Q1]\n| x | 1 |\n'])).toEqual(['- a: 1 [Q1]\n', '- b: 2 [Q1]\n', '| x | 1 |\n'])
  })

  it('treats back-ticks with words after them as running text', () => {
    expect(units(['```x``` Loss is 5. The', 'n 6.'])).toEqual(['```x``` Loss is 5.', ' Then 6.'])
  })

  it('holds a code block back until it closes', () => {
    expect(units(['```sql\nSELECT 1.\n', '-- x. y\n```\nDone.'])).toEqual(['```sql\nSELECT 1.\n-- x. y\n```\n', 'Done.'])
  })

  it('releases nothing early and loses nothing, however the text is split', () => {
    const word = fc.constantFrom('Loss', ' 0.5', '.', ' ', '\n', '[Q1]', '```', 'e.g.', '!', 'ä', '| a |', '"', '{', '}')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), words => {
        expect(units(words).join('')).toBe(words.join(''))
      }),
    )
  })

  it.each([')', '"', ']'])('handles a long run of "%s" after a stop in linear time', mark => {
    const text = `There it is.${mark.repeat(6_000)}end`
    const started = performance.now()
    expect(units(text.match(/.{1,7}/gs) ?? []).join('')).toBe(text)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
