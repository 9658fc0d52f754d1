import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Random } from '../random.ts'
import { closingBracket, joinWords, sqlWords } from './sql-words.ts'

const caseSchema = z.object({ sql: z.string(), expect: z.enum(['allow', 'reject', 'bounded']) })

/** Names that replace the names in a test case. Some are inside the scope, some outside. */
const OTHER_NAMES = [
  'p_orders',
  'p_vendors',
  't_final',
  'secrets',
  'users',
  'other',
  'demo',
  'v_secret',
  'id',
  'k',
  'v',
  'name',
  'file',
  'x',
  'a',
  'b',
]
const MAX_LENGTH = 900

/** Splits the test cases of the guard into parts, and recombines the parts into new queries. */
export class CaseMutator {
  readonly #allowed: readonly (readonly string[])[]
  readonly #refused: readonly (readonly string[])[]

  constructor(cases: readonly { readonly sql: string; readonly expect: string }[]) {
    const wordsOf = (expect: string) =>
      cases.filter(one => one.expect === expect && one.sql.length < MAX_LENGTH).map(({ sql }) => sqlWords(sql))
    this.#allowed = wordsOf('allow')
    this.#refused = wordsOf('reject')
  }

  /** Reads the project's test cases for the guard. */
  static fromFiles(): CaseMutator {
    const read = (name: string) =>
      readFileSync(new URL(`../../cases/${name}.jsonl`, import.meta.url), 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => caseSchema.parse(JSON.parse(line)))
    return new CaseMutator([...read('sql-guard'), ...read('sql-guard-more')])
  }

  /** Returns a changed test case. Most are made from legitimate queries, so that enough of them are allowed and run. */
  mutate(random: Random): string {
    const some = () => random.pick(random.chance(0.72) ? this.#allowed : this.#refused)
    let words: readonly string[] = some()
    for (let round = random.pick([1, 1, 1, 2, 3]); round > 0; round -= 1) words = random.pick(MUTATIONS)(random, words, some())
    return joinWords(words)
  }
}

type Mutation = (random: Random, words: readonly string[], others: readonly string[]) => readonly string[]

const MUTATIONS: readonly Mutation[] = [
  renameEverywhere,
  renameEverywhere,
  renameOnce,
  spliceSubquery,
  spliceSubquery,
  insertCte,
  wrap,
  wrap,
  unite,
  dropWord,
  swapWords,
]

/** Replaces one name everywhere in a query with another name. */
function renameEverywhere(random: Random, words: readonly string[], others: readonly string[]): readonly string[] {
  const from = anyName(random, words)
  const to = random.chance(0.5) ? random.pick(OTHER_NAMES) : anyName(random, others)
  return from === undefined || to === undefined ? words : words.map(word => (word === from ? to : word))
}

function renameOnce(random: Random, words: readonly string[]): readonly string[] {
  const places = words.flatMap((word, index) => (isName(word) ? [index] : []))
  if (places.length === 0) return words
  return words.with(random.pick(places), random.pick(OTHER_NAMES))
}

/** Replaces a subquery or a pair of parentheses with one from another query. */
function spliceSubquery(random: Random, words: readonly string[], others: readonly string[]): readonly string[] {
  const target = bracket(random, words)
  const source = bracket(random, others)
  const inserted = source === undefined ? ['(', ...others, ')'] : others.slice(source[0], source[1] + 1)
  return target === undefined ? words : [...words.slice(0, target[0]), ...inserted, ...words.slice(target[1] + 1)]
}

/** Adds another query as a CTE. The CTE gets a name that this query already uses. */
function insertCte(random: Random, words: readonly string[], others: readonly string[]): readonly string[] {
  const name = anyName(random, words) ?? 'secrets'
  return words[0]?.toUpperCase() === 'WITH'
    ? ['WITH', name, 'AS', '(', ...others, ')', ',', ...words.slice(1)]
    : ['WITH', name, 'AS', '(', ...others, ')', ...words]
}

function wrap(random: Random, words: readonly string[]): readonly string[] {
  const name = random.pick([...OTHER_NAMES, 'q1', 'q2'])
  return random.pick([
    ['SELECT', '*', 'FROM', '(', ...words, ')'],
    ['SELECT', '*', 'FROM', '(', ...words, ')', 'AS', name],
    ['WITH', name, 'AS', '(', ...words, ')', 'SELECT', '*', 'FROM', name],
    ['SELECT', '(', ...words, 'LIMIT', '1', ')'],
    ['SELECT', 'count', '(', ')', 'FROM', '(', ...words, ')', 'WHERE', 'EXISTS', '(', ...words, ')'],
    ['SELECT', '1', 'IN', '(', ...words, ')', 'AS', name],
    ['SELECT', 'id', 'FROM', 'p_vendors', 'WHERE', 'id', 'IN', '(', ...words, ')'],
    ['SELECT', 'arrayMap', '(', name, '->', '(', ...words, ')', ',', '[', '1', ']', ')'],
    ['(', ...words, ')'],
  ])
}

function unite(random: Random, words: readonly string[], others: readonly string[]): readonly string[] {
  const operator = random.pick([['UNION', 'ALL'], ['UNION', 'DISTINCT'], ['EXCEPT'], ['INTERSECT']])
  return random.chance(0.5) ? [...words, ...operator, ...words] : ['(', ...words, ')', ...operator, '(', ...others, ')']
}

function dropWord(random: Random, words: readonly string[]): readonly string[] {
  const start = random.int(words.length)
  const end = (words[start] === '(' ? closingBracket(words, start) : undefined) ?? start
  return words.toSpliced(start, end - start + 1)
}

function swapWords(random: Random, words: readonly string[]): readonly string[] {
  const places = words.flatMap((word, index) => (isName(word) ? [index] : []))
  if (places.length < 2) return words
  const [first, second] = [random.pick(places), random.pick(places)]
  return words.with(first, words[second] ?? '').with(second, words[first] ?? '')
}

function bracket(random: Random, words: readonly string[]): readonly [number, number] | undefined {
  const starts = words.flatMap((word, index) => (word === '(' ? [index] : []))
  if (starts.length === 0) return undefined
  const start = random.pick(starts)
  const end = closingBracket(words, start)
  return end === undefined ? undefined : [start, end]
}

function anyName(random: Random, words: readonly string[]): string | undefined {
  const names = words.filter(isName)
  return names.length === 0 ? undefined : random.pick(names)
}

/** Whether a word is a name. Keywords are in upper case in the test cases. */
function isName(word: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(word)
}
