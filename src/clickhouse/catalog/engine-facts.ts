import type { TableName } from '../../warehouse/schema.ts'
import { type SqlToken, splitTokens } from '../../warehouse/sql/sql-tokens.ts'

/** Facts that only the text of a table's definition tells. Columns and keys are fetched separately. */
export interface EngineFacts {
  /**
   * The columns in the engine's arguments, in order, such as `ver` and `is_deleted` for `ReplacingMergeTree(ver, is_deleted)`.
   */
  readonly engineColumns: readonly string[]
  /**
   * The TTL rules that delete or aggregate rows, in the server's spelling. Rules that only move or recompress rows are left out.
   * Empty if no rule remains.
   */
  readonly ttl: string
  /** The columns of a dictionary's key, such as `id` or `country, city`. Empty for every other table. */
  readonly key: string
  /**
   * Another table that this table reads or fills: the table behind a Distributed or Buffer table, the source of a dictionary, or
   * the target of a materialized view.
   */
  readonly linked?: TableName
}

/**
 * Reads these facts from a definition, as the server prints it. A definition may contain secrets, such as a dictionary's
 * password. So the result contains only the TTL, and names of columns and tables.
 * @param engineFull the engine with its arguments, keys, TTL and settings
 * @param definition the CREATE statement of a materialized view or dictionary; empty for every other table
 */
export function readEngineFacts(
  table: TableName & { readonly engine: string },
  engineFull: string,
  definition: string,
): EngineFacts {
  const tokens = splitTokens(engineFull) ?? []
  const arguments_ = argumentsOf(tokens)
  const { engine } = table
  const engineColumns = engine.endsWith('MergeTree') ? arguments_.flat().filter(isName).map(textOf) : []
  const none = { engineColumns, ttl: ttlOf(engineFull, tokens), key: '' }
  const told = (database: string | undefined, name: string | undefined) =>
    name === undefined ? none : { ...none, linked: { database: database ?? table.database, name } }
  const single = (at: number) => (arguments_[at]?.length === 1 ? arguments_[at]?.[0]?.value : undefined)
  if (engine === 'Distributed') return told(single(1), single(2))
  if (engine === 'Buffer') return told(single(0), single(1))
  if (engine === 'MaterializedView') return told(...viewTarget(splitTokens(definition) ?? []))
  if (engine !== 'Dictionary') return none
  const words = splitTokens(definition) ?? []
  return { ...told(...dictionarySource(words)), key: dictionaryKey(words) }
}

/** Returns the engine's arguments. Each argument is a list of tokens. */
function argumentsOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  if (tokens[1]?.text !== '(') return []
  const list: SqlToken[][] = [[]]
  let depth = 1
  for (const token of tokens.slice(2)) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (depth === 0) return list
    if (token.text === ',' && depth === 1) list.push([])
    else list.at(-1)?.push(token)
  }
  return []
}

/** Returns the TTL rules that delete or aggregate rows. Leaves out rules that only move or recompress rows. */
function ttlOf(text: string, tokens: readonly SqlToken[]): string {
  const start = tokens.find(({ kind, text: word }) => kind === 'word' && word === 'TTL')
  if (start === undefined) return ''
  const end = tokens.find(({ kind, text: word, at }) => kind === 'word' && word === 'SETTINGS' && at > start.at)
  const rules: string[] = []
  let from = start.at + 'TTL'.length
  let depth = 0
  for (const token of tokens.filter(({ at }) => at >= from && at < (end?.at ?? text.length))) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (token.text !== ',' || depth > 0) continue
    rules.push(text.slice(from, token.at))
    from = token.at + 1
  }
  rules.push(text.slice(from, end?.at))
  return rules
    .map(rule => rule.trim())
    .filter(rule => !/ (RECOMPRESS|TO (DISK|VOLUME)) /.test(`${rule} `))
    .join(', ')
}

function viewTarget(tokens: readonly SqlToken[]): readonly [string | undefined, string | undefined] {
  const head = tokens.slice(0, indexOfText(tokens, '('))
  const at = head.findIndex(({ kind, text }) => kind === 'word' && text === 'TO')
  if (at < 0) return [undefined, undefined]
  const [first, dot, second] = head.slice(at + 1)
  return dot?.text === '.' ? [first?.value, second?.value] : [undefined, first?.value]
}

/** Returns the database and name of the table that a dictionary reads. Both are undefined if that table is on another server. */
function dictionarySource(tokens: readonly SqlToken[]): readonly [string | undefined, string | undefined] {
  const at = indexOfText(tokens, 'SOURCE')
  if (tokens[at + 2]?.text !== 'CLICKHOUSE' || tokens.some(({ text }) => text === 'HOST')) return [undefined, undefined]
  const after = (word: string) => tokens[indexOfText(tokens, word) + 1]
  const [database, name] = [after('DB'), after('TABLE')]
  return [database?.kind === 'string' ? database.value : undefined, name?.kind === 'string' ? name.value : undefined]
}

function dictionaryKey(tokens: readonly SqlToken[]): string {
  const start = tokens.findIndex(({ text }, at) => text === 'PRIMARY' && tokens[at + 1]?.text === 'KEY')
  if (start < 0) return ''
  return tokens
    .slice(start + 2, indexOfText(tokens, 'SOURCE'))
    .filter(isName)
    .map(textOf)
    .join(', ')
}

/** Returns the index of the first token with this text. If there is none, returns the number of tokens. */
function indexOfText(tokens: readonly SqlToken[], text: string): number {
  const at = tokens.findIndex(token => token.kind !== 'string' && token.text === text)
  return at < 0 ? tokens.length : at
}

function isName({ kind }: SqlToken): boolean {
  return kind === 'word' || kind === 'name'
}

function textOf({ value }: SqlToken): string {
  return value
}
