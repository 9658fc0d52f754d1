import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { runsOf } from '../../../test/support/whole.ts'
import { terminalMarkdown } from './markdown.ts'
import { terminalStyle } from './style.ts'
import { terminalText } from './text.ts'

const plain = terminalStyle(false)
const coloured = terminalStyle(true)
const marked = (format: unknown, text: string) => `<${String(format)}>${text}</>`

function shown(markdown: string, width = 80): string {
  return terminalMarkdown(markdown, { style: plain, width, wraps: false })
}

describe('terminalMarkdown', () => {
  it.each([
    ['# Heading', '<bold>Heading</>'],
    ['It is **big**.', 'It is <bold>big</>.'],
    ['Use `dz_links`.', 'Use <yellow>dz_links</>.'],
    ['Up by 3 % [Q1, Q2].', 'Up by 3 % <cyan>[Q1, Q2]</>.'],
    ['- one\n  * two', '• one\n  • two'],
    ['```sql\nSELECT **1**\n```\nafter', '<dim>  SELECT **1**</>\nafter'],
    ['a \\*star\\* and \\[Q1\\]', 'a *star* and [Q1]'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['`a\\d+\\.b`', '<yellow>a\\d+\\.b</>'],
    ['the metric *mean utilisation*, _so to say_.', 'the metric <italic>mean utilisation</>, <italic>so to say</>.'],
    ['see https://x.example/_y_/z', 'see https://x.example/_y_/z'],
    ['count(*) of all, count(*) of some; _part, _row', 'count(*) of all, count(*) of some; _part, _row'],
    ['`SELECT *a* FROM _b_`, 2*3*4, \\*c\\*', '<yellow>SELECT *a* FROM _b_</>, 2*3*4, *c*'],
  ])('shows %j', (markdown, expected) => {
    expect(terminalMarkdown(markdown, { style: marked, width: 80, wraps: false })).toBe(expected)
  })

  it('draws tables, with plain cells and coloured citations', () => {
    const text = terminalMarkdown('| **metro** | links |\n|:--|--:|\n| `a\\|ms` | 1,234 |\n\n[Q1]', {
      style: marked,
      width: 80,
      wraps: false,
    })
    expect(text).toContain('│ metro │ links │')
    expect(text).toContain('│ a|ms  │ 1,234 │')
    expect(shown('| a |\n|---|\n| `_tmp_` and *so* |')).toContain('│ _tmp_ and so │')
    expect(text.endsWith('<cyan>[Q1]</>')).toBe(true)
  })

  it('leaves one blank line before a table, and its citation right below it', () => {
    const lines = shown('Three links.\n\n\n\n| a |\n|---|\n| 1 |\n\n[Q1, Q2]\n\nAfter.').split('\n')
    expect(lines.slice(0, 3)).toEqual(['Three links.', '', '┌───┐'])
    expect(lines.slice(-4)).toEqual(['└───┘', '[Q1, Q2]', '', 'After.'])
  })

  it('wraps no number apart from its unit', () => {
    const text = 'It fell from 2.282 % to 2.142 % and had 906 Mbit/s in 10 days'
    for (let width = 12; width < 40; width++) {
      const lines = terminalMarkdown(text, { style: plain, width, wraps: true }).split('\n')
      expect(lines.filter(line => /\d$/.test(line))).toEqual([])
      expect(lines.join(' ')).toBe(text)
    }
  })

  it('removes Markdown marks from cells, and right-aligns a figure with its mark', () => {
    const text = terminalMarkdown(
      '| station | rides |\n|---|---|\n| **Zoo** | 49.781 _(unverified)_ |\n| `Ost` | 7 _(nicht belegt)_ |\n[Q1]',
      {
        style: terminalStyle(false),
        width: 80,
        wraps: false,
      },
    )
    expect(text.split('\n').slice(3)).toEqual([
      '│ Zoo     │ 49.781 (unverified) │',
      '│ Ost     │    7 (nicht belegt) │',
      '└─────────┴─────────────────────┘',
      '[Q1]',
    ])
  })

  it('shows a line of code between fences on one line', () => {
    expect(shown('```SELECT 1``` gives one\nand **more**')).toMatch(/SELECT 1.*gives one\nand more/)
  })

  it('loses no word of any Markdown', () => {
    const piece = fc.constantFrom('word', '**', '`', '```', '\n', '| ', ' |', '|---|\n', '# ', '- ', '[Q1]', '\\', '日本', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const words = (text: string) => stripVTControlCharacters(text).split(/word|日本/).length
        const markdown = pieces.join('')
        // In Markdown, a language name may follow an opening fence. The terminal does not show it.
        const withoutFences = markdown.replace(/^\s*```[^`\n]*$/gm, '')
        expect(words(terminalMarkdown(markdown, { style: coloured, width: 60, wraps: true }))).toBe(words(withoutFences))
      }),
      { numRuns: runsOf(500) },
    )
  })
})

describe('terminalText', () => {
  it.each([
    ['a colour', '\u001b[31mred\u001b[0m'],
    ['a cleared screen', '\u001b[2J\u001b[H'],
    ['a title', '\u001b]0;owned\u0007'],
    ['a link', '\u001b]8;;http://evil\u001b\\here\u001b]8;;\u001b\\'],
    ['the one-byte introducers', '\u009b31m \u009d0;x\u009c \u0090q\u009c'],
    ['a carriage return that overwrites', 'safe\rEVIL'],
    ['backspaces', 'safe\b\b\b\bEVIL'],
    ['a bell and a null', '\u0007\u0000'],
    ['a text turned round', '\u202eLQS\u202c \u2066x\u2069 \u200f \u061c'],
    ['what cannot be seen', 'a\u200bb\ufeffc\u2060d\u00ad\u{e0041}'],
    ['other ends of lines', 'a\u2028b\u2029c\u0085d'],
  ])('removes %s', (_, hostile) => {
    expect(terminalText(hostile)).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  })

  it('keeps text, lines, tabs, accents and emoji', () => {
    const text = 'Zürich\t“Łódź”\ne\u0301 👩‍👩‍👧 नमस्\u200dते می\u200cخواهم'
    expect(terminalText(text)).toBe(text)
    expect(terminalText('a\r\nb\rc')).toBe('a\nb\nc')
  })
})
