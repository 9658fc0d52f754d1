/** A text that is repeated. It may have a beginning and an end that occur only once. */
export type Seed = string | readonly [start: string, repeated: string, end?: string]

/** Repeats a seed until the text has about this length. */
export function grown(seed: Seed, length: number): string {
  const [start, repeated, end = ''] = typeof seed === 'string' ? ['', seed] : seed
  return start + repeated.repeat(Math.max(1, Math.floor((length - start.length - end.length) / repeated.length))) + end
}

const WHITE = [' ', '\t', '\n', '\r', 'a ', [' ', ' ', 'a']] as const
const SIGNS = [...`a1.,'"<>|\\/@&-_*\``, 'a+', 'e.g. ', '```\n', 'http://a.b '] as const
const BRACKETS = ['(', '[', '{', '({[', ['', '(', ')']] as const
const UNUSUAL = ['e\u0301', '😀', '👩‍👩‍👧‍👦', '\u200d', '\ud800'] as const

/** The seeds that every parser is tested with. */
export const COMMON: readonly Seed[] = [...WHITE, ...SIGNS, ...BRACKETS, ...UNUSUAL]

export const MARKDOWN: readonly Seed[] = [
  ...['**a ', '*a **b ', '_a ', 'a_b_', '~~a ', '~a', '***', '* * *\n', '*_', 'a**', 'a*b', '"*a', '** a '],
  ...['[a](', '[a](b) ', '![a](', '[a]: b\n', '[a][b] ', '](', '[^1]', '<a href="', '<!-- ', '<a>', '<b', '<@U1|a> '],
  ...['https://a.b/', 'www.a.', 'http://', 'http', 'a@b.', 'ftp://', '&amp;', '&#', '`a', 'a`', '`` ` ', '\\|', 'a!'],
  ...[
    '- ',
    '- a\n',
    '  - a\n',
    '-\n',
    '\t- ',
    '+\n  ',
    '1. a\n',
    '1)\t',
    '> ',
    '> a\n',
    '>a\n> - ',
    '# a\n',
    'a\n---\n',
    'a\n===\n',
  ],
  ...['```\na\n```\n', '~~~\n', '    a\n', 'a  \n', '| a ', '|-', 'a|b\n-|-\n'],
  ['| a | b |\n| - | - |\n', '| c | d |\n'],
  ['| a |\n| - |\n', '|'],
  ['', '| a ', '|\n| - |\n'],
  ['```\n', 'a\n'],
  ['[', 'a', '](b'],
  ['[a](<', ' '],
  ['[a](', '('],
  ['', '[', '](a)'],
  ['- a\n', '\n', 'b'],
  ['- a\n', ' \n', 'b'],
]

export const SENTENCES: readonly Seed[] = [
  ...[
    'A. ',
    'a. B',
    'a.',
    '. ',
    '.) ',
    '.")',
    '. [Q1]',
    '. [Q1, Q2]',
    '.[Q1',
    '1. ',
    '18. Nov',
    'der 90. P',
    'a.  ',
    '.\t',
    '!) [Q1] ',
  ],
  ...['{= sum(a) }', '{=', 'a {=', '`a. B', '```\na\n```\n', '| a. B |\n', '>\n', '> '],
  ['a.', '"'],
  ['a.', ' '],
  ['a. ', 'b'],
  ['a.', '[Q1]'],
  ['a. [', 'Q1, '],
  ['a. [Q', '1'],
  ['a. [Q1', ' '],
  ['```\n', 'a. B\n'],
  ['```', 'a'],
  ['`', '. A'],
  ['|', 'a. B '],
  ['{=', 'a. B'],
]

/** Words, numbers and formulas as in an answer. The results contain `Hamburg`, `Bremen` and their `devices`. */
export const FIGURES: readonly Seed[] = [
  ...[
    'Hamburg has 31 devices [Q1]. ',
    '31 ',
    '31, 17 and 5 ',
    '31 devices ',
    '31% of ',
    '$31 ',
    '2026-01-01 ',
    'Jan 5 ',
    'Q1 2026 ',
  ],
  ...[
    '{count()} ',
    '{devices[1]} million ',
    "{'a",
    '{= count()} ',
    '{table Q1: a = devices}\n',
    '12:30 ',
    '31-17 ',
    '(5) ',
    '5 of 31 ',
    '10 to 20 ',
    '+5 ',
    '1.5 million ',
    '3. ',
    '31. ',
    'zero ',
    'one hundred ',
    'a third ',
  ],
  ...[
    'Hamburg ',
    'Hamburg, Bremen and Kassel ',
    '31 devices in Hamburg, ',
    'more than ',
    'twice as many as ',
    'the most ',
    'no ',
  ],
  ...['[Q1] ', '[Q1, Q1] ', '[Q1][Q1] ', '[Q1][', '{= sum(devices)} ', '| 31 ', '**', '__'],
  ['31 {= ', 'devices + ', 'devices} [Q1]'],
  ['31 {= ', '(', '} [Q1]'],
  ['', '{=1}', ' [Q1]'],
  ['[Q1', ', Q1'],
  ['|', ' 31 |'],
  ['|', ' - |'],
  ['|', ' :-: |'],
  ['```\n', 'a\n', '```'],
  ['{table Q1: ', 'a = A, ', '}'],
  ['{count(', "'a", ')}'],
]

export const SQL: readonly Seed[] = [
  ...[
    'between ',
    'x between 1 and 2 ',
    'SELECT * FROM a UNION ALL ',
    'FROM a.b ',
    'FROM ',
    '-- a\n',
    '/* ',
    '* ',
    "COLUMNS('a') ",
  ],
  ['SELECT ', '`a,`, ', '1'],
  ['SELECT ', "'a', ", '1'],
  ['SELECT ', '1 BETWEEN 1 AND ', '1'],
  ['SELECT ', 'a BETWEEN 1 AND 2 AND ', '1'],
  ['SELECT ', '1 AS `a b`, ', '1'],
  ['SELECT 1 WHERE ', '(a', ' between'],
  ['SELECT 1 WHERE ', 'a(', ' between'],
  ['SELECT 1 WHERE ', 'a.', ' between'],
  ['WITH ', 'a AS (SELECT 1), ', 'b AS (SELECT 1) SELECT 1'],
  ["'", "\\'"],
]

/** Lines as `EXPLAIN QUERY TREE` prints them. */
export const TREES: readonly Seed[] = [
  ['QUERY id: 0\n', '  PROJECTION\n    LIST id: 1, nodes: 1\n'],
  ['LIST id: 0, nodes: 9999\n', "  CONSTANT id: 1, constant_value: 'a', constant_value_type: String\n"],
  ['CONSTANT id: 0, constant_value: ', "'a', ", ', constant_value_type: Tuple(String)'],
  ['CONSTANT id: 0, constant_value: ', ', constant_value_type: '],
  ['COLUMN id: 0', ', column_name: a', ', result_type: String, source_id: 3'],
  ['COLUMN id: 0, column_name: a', ', result_type: String', ', source_id: 3'],
  ['COLUMN id: 0, column_name: a', ', source_id: 3'],
  ['FUNCTION id: 0, function_name: ', 'tuple, '],
  ['UNION id: 0', ', recursive_cte_table: (a'],
  ['IDENTIFIER id: 0, identifier: ', 'a.'],
  ['IDENTIFIER id: 0', ', alias: a'],
  ['MATCHER id: 0, matcher_type: COLUMNS_REGEXP', ', columns_pattern: a'],
]

/** A model's reply in JSON with the text `sql` and the list `data_questions`. */
export const JSONS: readonly Seed[] = [
  ...[
    '{"a":1},',
    '{"',
    '{a',
    '{"a":',
    '[1,',
    '[null,',
    '"data_questions":[',
    '"sql":"',
    '"sql" : ',
    '{"name":"a"}',
    '{"tool_calls":[',
  ],
  ...['```json\n{}\n```\n', '{"fields":{"a":'],
  ['{"data_questions":[', '{"question":"a"},'],
  ['{"data_questions":[', '{"question":"a"},', ']}'],
  ['{"data_questions":[', '{},'],
  ['{"data_questions":', '['],
  ['{"data_questions":[', '{"a":'],
  ['{"sql":"', '\\"'],
  ['{"sql":"', 'a', '"}'],
  ['{"sql"', ' '],
  ['{"sql":"","data_questions":[', '{"question":null},', '{}]}'],
]

export const YAML: readonly Seed[] = [
  ...[
    'a: b\n',
    '- ',
    '- - ',
    '- a\n',
    '{a: ',
    '[a, ',
    '&a ',
    '*a ',
    'a: &a b\n',
    '|\n',
    '? ',
    '? a\n',
    '!a ',
    '%a\n',
    '---\n',
    '...\n',
    '# a\n',
    'a:\n',
  ],
  ['roles:\n', '  a: 1\n'],
  ['roles: {', 'a: 1, ', '}'],
  ['a: "', '\\x', '"'],
  ['a: |\n', ' a\n'],
  ['a: >\n', ' a\n\n'],
  ['roles:\n  a: {tables: [', '"*.*", ', ']}'],
]

export const JOBS: readonly Seed[] = [
  ['name: a\noperations:\n', '  - {name: a, sql: "SELECT {{ a }}"}\n', 'target: {operation: a, table: b}\n'],
  ['name: a\noperations: [{name: b, sql: "', '{{ a }} ', '"}]\ntarget: {operation: b, table: c}\n'],
]
