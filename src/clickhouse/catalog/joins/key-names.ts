/** What ends the name of a column that tells a thing apart: `customer_id`, `metro_code`, `user_pubkey`. */
const KEY_WORDS: ReadonlySet<string> = new Set(
  'id key code uuid guid pubkey ip address no nr number num sku slug hash ref fk name'.split(' '),
)
/** Those of them that may stand for a key of any name. */
const STANDS_FOR_KEY: ReadonlySet<string> = new Set('id key ref fk no nr number num'.split(' '))
/** Behind these a value is an identifier, so that two columns of one name hold the same things. */
const IDENTIFIERS: ReadonlySet<string> = new Set('id uuid guid key pubkey hash'.split(' '))
/** What ends the name of a table without being part of what its rows are. */
const WRAPPERS: ReadonlySet<string> = new Set('dim tbl table all local dist distributed master list v1 v2 v3'.split(' '))
/** What a table's name has behind that of the table whose rows it follows. */
const FOLLOWERS: ReadonlySet<string> = new Set('history hist archive audit change changelog event snapshot version'.split(' '))
const TO_ITSELF: ReadonlySet<string> = new Set('parent root previous prev next original replaced'.split(' '))
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['indices', 'index'],
])

/** The words of a name in lower case and singular: `CustomerIDs`, `customers_id` → customer, id. */
export function nameWords(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(?<!\p{Lu})(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .map(singular)
}

/** What names a table may be referred to by, the whole first: `dz_metros` → `dz_metro`, `metro`. */
export function tableStems(name: string): readonly string[] {
  const words = [...nameWords(name)]
  while (words.length > 1 && WRAPPERS.has(words.at(-1) ?? '')) words.pop()
  return words.map((_word, at) => words.slice(at).join('_'))
}

/** A table whose rows follow those of another, `users_history` of `users`: the other's stem. */
export function followedStem(name: string): string | undefined {
  const words = nameWords(name)
  return words.length > 1 && FOLLOWERS.has(words.at(-1) ?? '') ? words.slice(0, -1).join('_') : undefined
}

/** What a column's name says of the table that it refers to. */
export interface KeyName {
  /** Stems of tables, the most telling first. */
  readonly stems: readonly string[]
  /** The last word where it speaks of a key: the column of the other table may be called so. */
  readonly word: string | undefined
  readonly standsForKey: boolean
  /** `parent_id`: another row of the same table. */
  readonly isToItself: boolean
}

export function keyName(column: string): KeyName {
  const words = [...nameWords(column)]
  // The two ends of something: `metro_1` and `metro_2`, `device_a` and `device_z`.
  if (words.length > 1 && /^(\d+|[a-z])$/.test(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1) ?? ''
  const glued = words.length === 1 ? /^(.{3,})(id|key|code|uuid)$/.exec(last) : null
  const all = glued === null ? words : [glued[1] ?? '', glued[2] ?? '']
  const word = all.length > 1 && KEY_WORDS.has(all.at(-1) ?? '') ? all.at(-1) : undefined
  const stem = word === undefined ? words : all.slice(0, -1)
  return {
    // Of a table of codes or names, `vendor_codes`, a column `code` says nothing.
    stems: stem.map((_word, at) => stem.slice(at).join('_')).filter(text => !KEY_WORDS.has(text)),
    word,
    standsForKey: word === undefined || STANDS_FOR_KEY.has(word),
    isToItself: word !== undefined && stem.length === 1 && TO_ITSELF.has(stem[0] ?? ''),
  }
}

/** Whether columns of this name hold the same things wherever they stand: `trace_id` does, `id`, `name` and `status` do not. */
export function isIdentifierName(column: string): boolean {
  return hasLastWord(column, IDENTIFIERS)
}

/** Whether the name says of which thing it is a key: `vendor_code`, not `code`. */
export function isNamedKey(column: string): boolean {
  return hasLastWord(column, KEY_WORDS)
}

function hasLastWord(column: string, wanted: ReadonlySet<string>): boolean {
  const words = nameWords(column)
  return words.length > 1 && wanted.has(words.at(-1) ?? '')
}

function singular(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|sh|ch|x|z|us)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) && word.length > 2 ? word.slice(0, -1) : word
}
