import fc from 'fast-check'
import { visibleText } from '../../src/base/text/visible-text.ts'
import { CHART_KINDS, type Chart } from '../../src/charts/chart.ts'
import { ACTION_NAMES, type ChatAction } from '../../src/chat/action.ts'
import type { Answer } from '../../src/chat/reply.ts'

/** A random answer as a model might write it, and the text of it that people must be able to read. */
export interface RandomAnswer {
  readonly answer: Answer
  /** All letters, digits and punctuation in the answer and its footer. Symbols of Markdown are not included. */
  readonly text: string
}

/** A piece of Markdown and its visible text. */
interface Written {
  readonly markdown: string
  readonly text: string
}

/** Links in the answers may lead only to this host. */
export const RANDOM_ANSWER_HOST = 'docs.example'

const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyzABCXYZ',
  '0123456789',
  'äéøßçñ',
  'مرحباسلام',
  'שלוםעולם',
  '漢字日本語データ',
  '한국어',
  'นี่',
]
const EMOJI = ['😀', '✅', '⚠️', '👩‍👩‍👧', '🇩🇪', '👍🏽']
/** Punctuation that never has a meaning in Markdown inside a word. */
const INNER = ['-', "'", '/', '.', ':', '&', '%', '=', '+', '_', '€', '@', '"', '<', '>', '#', '$', ';', '–', '،']

/** Generates texts of these characters. This is faster than `fc.string` with custom units. */
function characters(of: string, maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...of), { minLength: 1, maxLength }).map(all => all.join(''))
}

const letters = fc.constantFrom(...ALPHABETS).chain(alphabet => characters(alphabet, 10))
/** Words that begin and end with a letter or digit. Markdown finds no symbol in them, not even in `a_b`. */
const plainWord = fc
  .array(letters, { minLength: 1, maxLength: 3 })
  .chain(parts =>
    fc
      .array(fc.constantFrom(...INNER), { minLength: parts.length, maxLength: parts.length })
      .map(marks => parts.map((part, index) => (index === 0 ? `x${part}` : `${marks[index]}${part}`)).join('')),
  )
const endMark = fc.constantFrom('', '', '', '', '.', ',', ';', ':', '!', '?', ' –')

const alone = (text: string): Written => ({ markdown: text, text })

/** Hostile texts that try to mention somebody, to add a link, or to break the format. */
const hostile = fc.constantFrom<Written>(
  ...['<!channel>', '<!here>', '<@U0000000001>', '<@&1573347161561628672>', '<@1573347161561628672>', '<#C0000000001>'].map(
    alone,
  ),
  ...['@everyone', '@here', '@channel', ':smile:', 'discord.gg/evil', 'www.evil.example', 'bob@evil.example'].map(alone),
  ...['=cmd()', '+1', '100%', 'http://evil.example/?q=1', 'evil.net:81', '[Q1]', '[Q1, Q2]'].map(alone),
  { markdown: '[report](http://evil.example/?q=1)', text: 'report http://evil.example/?q=1' },
  { markdown: '![chart](https://evil.example/p.png)', text: 'chart https://evil.example/p.png' },
  { markdown: `[the docs](https://${RANDOM_ANSWER_HOST}/a)`, text: 'the docs' },
)

const word = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(plainWord, endMark).map(([text, mark]) => alone(text + mark)) },
  { weight: 1, arbitrary: fc.constantFrom(...EMOJI).map(alone) },
  { weight: 2, arbitrary: hostile },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('**', '*', '~~', '`'), plainWord).map(([mark, text]) => ({
      markdown: mark + text + mark,
      text,
    })),
  },
)

function joined(parts: readonly Written[], by: string): Written {
  return { markdown: parts.map(part => part.markdown).join(by), text: parts.map(part => part.text).join(' ') }
}

function words(maxLength: number): fc.Arbitrary<Written> {
  // The first word is a plain one. At the start of a line, another one could begin a list or a heading.
  return fc.tuple(plainWord.map(alone), fc.array(word, { maxLength })).map(([first, rest]) => joined([first, ...rest], ' '))
}

const heading = fc.tuple(fc.integer({ min: 1, max: 3 }), words(5)).map(([level, { markdown, text }]) => ({
  markdown: `${'#'.repeat(level)} ${markdown}`,
  text,
}))

const list = fc
  .array(fc.tuple(words(8), fc.integer({ min: 0, max: 2 }), fc.constantFrom('- ', '* ', '1. ')), { minLength: 1, maxLength: 12 })
  .map(items => ({
    markdown: items.map(([{ markdown }, depth, mark]) => `${'   '.repeat(depth)}${mark}${markdown}`).join('\n'),
    text: items.map(([{ text }]) => text).join(' '),
  }))

const quote = fc.array(words(8), { minLength: 1, maxLength: 4 }).map(lines => ({
  markdown: lines.map(({ markdown }) => `> ${markdown}`).join('\n'),
  text: lines.map(({ text }) => text).join(' '),
}))

const codeLine = fc.oneof(
  fc.constantFrom(
    'SELECT 1 < 2, *',
    "  WHERE a = '<!channel>' -- @everyone",
    '# not a heading',
    '| a | b |',
    '[x](y) **z** `q`',
    '',
  ),
  characters('abc019 <>&*_~|[](){}\\#-+=.!', 90),
)
const code = fc
  .tuple(fc.constantFrom('', 'sql', 'json'), fc.array(codeLine, { minLength: 1, maxLength: 30 }))
  .map(([language, lines]) => ({ markdown: `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``, text: lines.join(' ') }))

function table(most: { readonly columns: number; readonly rows: number; readonly cell: number }): fc.Arbitrary<Written> {
  const cell = fc.oneof(
    { weight: 4, arbitrary: words(most.cell) },
    { weight: 2, arbitrary: fc.constantFrom('42', '-1.5', '12 %', '1,000,000', 'NULL', '=1+1').map(alone) },
    { weight: 1, arbitrary: fc.constant(alone('')) },
  )
  return fc.tuple(fc.integer({ min: 1, max: most.columns }), fc.integer({ min: 0, max: most.rows })).chain(([columns, rows]) =>
    fc
      .tuple(
        fc.array(words(1), { minLength: columns, maxLength: columns }),
        fc.array(cell, { minLength: columns, maxLength: columns }),
        fc.array(fc.constantFrom('---', '--:', ':-:'), { minLength: columns, maxLength: columns }),
      )
      .map(([header, cells, align]) => {
        const row = (contents: readonly string[]) => `| ${contents.join(' | ')} |`
        // The rows differ only in their first cell. So a long table is generated as fast as a single row.
        const body = Array.from({ length: rows }, (_, index) => [alone(`row${index}`), ...cells.slice(1)])
        return {
          markdown: [header, align.map(alone), ...body].map(line => row(line.map(part => part.markdown))).join('\n'),
          text: [header, ...body].map(line => line.map(part => part.text).join(' ')).join(' '),
        }
      }),
  )
}

/** Generates symbols of Markdown in any order. A platform may hide symbols, so only the letters and digits among them must stay visible. */
function noise(...marks: readonly string[]): fc.Arbitrary<Written> {
  return fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...marks,
          '`',
          '**',
          '*',
          '_',
          '__',
          '~~',
          '\\',
          '|',
          '||',
          '](',
          '[',
          '<b>',
          '<!--',
          '&lt;',
          '&',
          '#',
          '-# ',
        ),
        fc.constantFrom(
          '\n',
          '\n> ',
          '\n>>> ',
          '\n- ',
          '\n  * ',
          '\n# ',
          '\n---\n',
          '\n    ',
          '\n| a | b |\n|---|---|\n| c | d |\n',
        ),
        fc.constantFrom('\u202e', '\u200b', '\u0000', '\ud83d', '\u2066', '\ufeff', '[Q1]: http://evil.example\n'),
        letters,
        fc.constant(' '),
      ),
      { maxLength: 30 },
    )
    .map(parts => {
      const markdown = parts.join('')
      // A word directly after a code fence may be the name of a language. People do not see it.
      return { markdown, text: visibleText(markdown.replace(/```[^\n]*/g, '')).replace(/[^\p{L}\p{N}]/gu, ' ') }
    })
}

const paragraph = words(40)
const block = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 2, arbitrary: heading },
  { weight: 3, arbitrary: list },
  { weight: 1, arbitrary: quote },
  { weight: 2, arbitrary: code },
  { weight: 3, arbitrary: table({ columns: 6, rows: 12, cell: 2 }) },
  { weight: 1, arbitrary: fc.constant({ markdown: '---', text: '' }) },
  { weight: 2, arbitrary: noise() },
)
/** Answers that are too long for a single message of a platform. */
const large = fc.oneof(
  table({ columns: 4, rows: 250, cell: 2 }),
  table({ columns: 30, rows: 8, cell: 1 }),
  table({ columns: 3, rows: 4, cell: 150 }),
  fc.tuple(plainWord, fc.integer({ min: 500, max: 9_000 })).map(([text, length]) => alone(text.repeat(length).slice(0, length))),
  fc.tuple(paragraph, fc.integer({ min: 2, max: 60 })).map(([part, times]) =>
    joined(
      Array.from({ length: times }, () => part),
      '\n\n',
    ),
  ),
  fc.tuple(codeLine, fc.integer({ min: 50, max: 600 })).map(([line, times]) => ({
    markdown: `\`\`\`\n${`x ${line}\n`.repeat(times)}\`\`\``,
    text: `x ${line} `.repeat(times),
  })),
)

const body = fc.oneof(
  { weight: 24, arbitrary: fc.array(block, { maxLength: 7 }) },
  { weight: 2, arbitrary: fc.tuple(fc.array(block, { maxLength: 2 }), large).map(([few, one]) => [...few, one]) },
  { weight: 1, arbitrary: fc.array(fc.oneof(large, block), { minLength: 2, maxLength: 8 }) },
  // An open code fence turns the following text into code. So nothing else follows these texts.
  { weight: 2, arbitrary: fc.array(fc.oneof(noise('```', '\n```sql\n'), paragraph), { maxLength: 5 }) },
)

const chart: fc.Arbitrary<Chart> = fc
  .record({
    kind: fc.constantFrom(...CHART_KINDS),
    title: words(6).map(({ text }) => text),
    labels: fc.array(
      words(2).map(({ text }) => text),
      { minLength: 2, maxLength: 30 },
    ),
    names: fc.array(
      words(2).map(({ text }) => text),
      { minLength: 1, maxLength: 9 },
    ),
    unit: fc.constantFrom('', 'ms', 'users per day and country'),
    value: fc.oneof(fc.integer({ min: -100, max: 1_000_000 }), fc.constantFrom(null, 0, 0.1, 1e21, -1e-9)),
  })
  .map(({ kind, title, labels, names, unit, value }) => ({
    kind,
    title,
    labels,
    unit,
    series: (kind === 'pie' ? names.slice(0, 1) : names).map(name => ({
      name,
      values: labels.map((_, index) => (value === null ? null : value + index)),
    })),
  }))

const action: fc.Arbitrary<ChatAction> = fc
  .record({
    action: fc.constantFrom(...ACTION_NAMES),
    choice: fc.integer({ min: 0, max: 99 }),
    label: fc.oneof(
      words(3).map(({ text }) => text),
      fc.constantFrom('', ' ', '\u200b', '<!channel> :smile:', 'x'.repeat(200)),
    ),
    emphasis: fc.constantFrom(undefined, 'primary' as const, 'danger' as const),
  })
  .map(({ action, choice, label, emphasis }) => ({
    action,
    runId: 'run_1a2b3c',
    label,
    ...(action === 'choose' ? { choice } : {}),
    ...(emphasis === undefined ? {} : { emphasis }),
  }))

/**
 * Answers of every kind: empty, long, wide, with many tables, right-to-left, emoji, disordered marks, mentions, code, links, small print, charts and
 * buttons. About one in ten is longer than any platform's message, and some are longer than ten messages.
 */
export const randomAnswer: fc.Arbitrary<RandomAnswer> = fc
  .record({
    blocks: body,
    footer: fc.option(fc.array(fc.oneof(words(15), list), { maxLength: 4 }), { nil: undefined }),
    chart: fc.option(chart, { nil: undefined }),
    actions: fc.option(fc.array(action, { maxLength: 30 }), { nil: undefined }),
  })
  .map(({ blocks, footer, chart, actions }) => {
    const written = joined(blocks, '\n\n')
    const below = footer === undefined ? undefined : joined(footer, '\n\n')
    const answer: Answer = {
      kind: 'answer',
      markdown: written.markdown,
      ...(below === undefined ? {} : { footer: below.markdown }),
      ...(chart === undefined ? {} : { chart }),
      ...(actions === undefined ? {} : { actions }),
    }
    return { answer, text: [written.text, below?.text ?? ''].join(' ') }
  })

/**
 * Returns the characters of a text (letters, digits, punctuation, symbols) that are rarer in the shown text. Their order does not matter, because a
 * table may change it.
 */
export function lostCharacters(text: string, shown: string): readonly string[] {
  const left = counts(shown)
  return [...counts(text)].filter(([character, count]) => (left.get(character) ?? 0) < count).map(([character]) => character)
}

function counts(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const character of text) found.set(character, (found.get(character) ?? 0) + 1)
  // A renderer shows another character in place of a backtick, so backticks are not compared.
  return new Map([...found].filter(([character]) => /(?!`)[\p{L}\p{N}\p{P}\p{S}]/u.test(character)))
}
