import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Marked, type Token, type Tokens } from 'marked'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { runsOf } from '../../../test/support/whole.ts'
import { isAllowedLink } from '../../base/text/link-hosts.ts'
import { withSafeLinks } from './safe-links.ts'

const HOSTS = ['good.example', '*.wiki.example']

describe('withSafeLinks', () => {
  it.each([
    ['a link', 'See [the report](http://evil.example/?q=1).', 'See the report (`http://evil.example/?q=1`).'],
    ['its title', '[a](http://evil.example "click me")', 'a (`http://evil.example "click me"`)'],
    ['an address in brackets', '[a](<http://evil.example/a b>)', 'a (`http://evil.example/a b`)'],
    ['an image', '![chart](https://evil.example/p.png?d=secret)', 'chart (`https://evil.example/p.png?d=secret`)'],
    ['an image without a word', '![](http://evil.example/?q=1)', '(`http://evil.example/?q=1`)'],
    [
      'an image on a link',
      '[![a](http://evil.example/i)](http://evil.example/l)',
      'a (`http://evil.example/i`) (`http://evil.example/l`)',
    ],
    [
      'a foreign image on an allowed link',
      '[![a](http://evil.example/i)](https://good.example)',
      'a (`http://evil.example/i`) (`https://good.example`)',
    ],
    ['an autolink', '<http://evil.example>', '`http://evil.example`'],
    ["Slack's own form", '<http://evil.example|this>', '`http://evil.example|this`'],
    ['a bare address', 'Go to http://evil.example/bare, now', 'Go to `http://evil.example/bare`, now'],
    ['one without a scheme', 'www.evil.example', '`www.evil.example`'],
    [
      'a letter of another alphabet',
      'http://éxample.com/x and HTTP://127.0.0.1',
      '`http://éxample.com/x` and `HTTP://127.0.0.1`',
    ],
    [
      'another scheme',
      '[a](javascript:alert(1)) <tel:1> ftp://x.example slack://open',
      'a (`javascript:alert(1)`) `tel:1` `ftp://x.example` `slack://open`',
    ],
    [
      'an e-mail address',
      'Ask bob@evil.example or <bob@evil.example> or mailto:bob@evil.example',
      'Ask `bob@evil.example` or `bob@evil.example` or `mailto:bob@evil.example`',
    ],
    ['a citation below a table, which is none of its rows', '| a |\n|---|\n| 1 |\n[Q1]', '| a |\n|---|\n| 1 |\n\n[Q1]'],
    ['a relative address', '[a](//evil.example) [b](/c) [d](#e)', 'a (`//evil.example`) b (`/c`) d (`#e`)'],
    ['a user before the host', '[a](https://good.example@evil.example/)', 'a (`https://good.example@evil.example/`)'],
    ['percent signs', '[a](https://good.example%2eevil.example)', 'a (`https://good.example%2eevil.example`)'],
    [
      'something hidden',
      '[a](https://good.example\u200b.evil.example) ht\u00adtp://evil.example',
      'a (`https://good.example.evil.example`) `http://evil.example`',
    ],
    ['text that runs the other way', '[\u202egro.doog](http://evil.example)', 'gro.doog (`http://evil.example`)'],
    [
      'a reference',
      '[a][1] and [Q1]\n\n[1]: http://evil.example "t"\n[Q1]: https://good.example',
      '[a][1] and [Q1]\n\n\\[1]: `http://evil.example` "t"\n\\[Q1]: https://good.example',
    ],
    [
      'HTML',
      'x <a href="http://evil.example">b</a> <img src=//evil.example>',
      'x \\<a href="`http://evil.example`">b\\</a> \\<img src=//evil.example>',
    ],
    ['a comment', '<!-- hidden -->\n\nb', '\\<!-- hidden -->\n\nb'],
    ['a link in a table', '| a |\n|---|\n| [b](http://evil.example) |', '| a |\n|---|\n| b (`http://evil.example`) |'],
    ['a link in a list', '- a\n  - [b](http://evil.example)\n', '- a\n  - b (`http://evil.example`)\n'],
    [
      'a link behind the same as code',
      '`http://evil.example` http://evil.example',
      '`http://evil.example` `http://evil.example`',
    ],
    ['a citation that is a link', '42 users [Q1](http://evil.example).', '42 users [Q1] (`http://evil.example`).'],
    ['a link over two lines of a quotation', '> [a\n> b](http://evil.example)', '```\n> [a\n> b](http://evil.example)\n```\n'],
    [
      'a bar in an address of a table',
      '| a |\n|---|\n| http://evil.example/\\|x |',
      '```\n| a |\n|---|\n| http://evil.example/\\|x |\n```\n',
    ],
  ])('shows %s as text', (_, markdown, shown) => {
    expect(withSafeLinks(markdown, HOSTS)).toBe(shown)
    expect(withSafeLinks(shown, HOSTS)).toBe(shown)
  })

  it.each([
    'See [the **board**](https://good.example/b?c=1 "t") and https://a.wiki.example/x.',
    '![chart](https://good.example/c.png)',
    '<https://good.example>',
    '# 42 users [Q1, Q2]\n\n- a **b** `c` [x]\n\n| a | b |\n|---|---|\n| 1 | 2 < 3 |\n\n```sql\nSELECT 1 -- http://evil.example\n```\n',
    'Costs: 3.50 EUR (about 4 USD), network.dz_links, a@b, 10:30, and/or',
    '',
  ])('leaves %j unchanged', markdown => {
    expect(withSafeLinks(markdown, HOSTS)).toBe(markdown)
  })

  it('ends in time, at any nesting depth', () => {
    for (const hostile of [
      '*a_'.repeat(20_000),
      '!['.repeat(5_000),
      `${'!['.repeat(300)}a${'](http://evil.example)'.repeat(300)}`,
      '> '.repeat(20_000),
      '<'.repeat(20_000),
    ]) {
      const shown = withSafeLinks(hostile, HOSTS)
      expect(foreign(shown)).toEqual([])
      expect(withSafeLinks(shown, HOSTS)).toBe(shown)
    }
  })

  const word = fc.constantFrom(
    'http://evil.example',
    'https://good.example/a',
    'www.evil.example',
    'bob@evil.example',
    '//evil.example',
    'javascript:alert(1)',
    'mailto:a@b.cd',
    'http://good.example@evil.example',
    'ftp://x.y',
    'http://münchen.example',
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '<',
    '>',
    '`',
    '```',
    '``',
    '|',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '# ',
    '    ',
    '\t',
    '*',
    '**',
    '_',
    '~~',
    '\\',
    '"',
    "'",
    ' ',
    ' ',
    'word',
    '42',
    '[Q1]',
    '[1]: ',
    '[a][1]',
    '| a | b |\n|---|---|\n',
    '<a href="',
    '</a>',
    '<!--',
    '-->',
    '<br>',
    '<http://evil.example|x>',
    '&amp;',
    '&#58;',
    ':',
    '//',
    'http',
    '\u202e',
    '\u200b',
    '- [ ] ',
    '---',
    '===',
    '<script>',
    '<?',
    '[^1]: ',
    '\\[',
    '\r\n',
    '\u00a0',
  )
  const link = fc
    .tuple(
      fc.constantFrom('[a](', '![b](', '<', '[c]: ', '[`d`](', '[[e](', ' '),
      word,
      fc.constantFrom(')', '>', ' "t")', '', '\n', '](http://evil.example)'),
    )
    .map(parts => parts.join(''))
  const markdown = fc.oneof(
    fc.array(fc.oneof(word, link), { maxLength: 25 }).map(parts => parts.join('')),
    fc
      .array(fc.oneof(word, link, fc.string({ unit: anyCharacter, maxLength: 5 })), { maxLength: 12 })
      .map(parts => parts.join(' ')),
  )

  it('leaves no foreign link, loses no letter, and changes nothing on a second call', () => {
    fc.assert(
      fc.property(markdown, source => {
        const shown = withSafeLinks(source, HOSTS)
        expect(foreign(shown)).toEqual([])
        expect(withSafeLinks(shown, HOSTS)).toBe(shown)
        expect(letters(shown)).toBe(letters(source))
      }),
      { numRuns: runsOf(2_000) },
    )
  })
})

/** Returns all links and resources outside the allowed hosts, and all HTML tags. */
function foreign(markdown: string): string[] {
  const found: string[] = []
  const marked = new Marked({ gfm: true })
  marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'html' || token.type === 'def') found.push(token.raw)
    if (token.type !== 'link' && token.type !== 'image') return
    const { href } = token as Tokens.Link
    if (!isAllowedLink(href, HOSTS)) found.push(href)
  })
  return found
}

function letters(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/[^\p{L}\p{N}]/gu, '')
}
