/** A column name that ends with one of these words is probably a key: `customer_id`, `metro_code`, `user_pubkey`. */
const KEY_WORDS: ReadonlySet<string> = new Set(
  'id key code uuid guid pubkey ip address no nr number num sku slug hash ref fk name'.split(' '),
)
/**
 * If a column name ends with one of these words, the joined key may have another name: `customer_ref` may refer to
 * `customers.code`.
 */
const STANDS_FOR_KEY: ReadonlySet<string> = new Set('id key ref fk no nr number num'.split(' '))
/**
 * If a name such as `trace_id` ends with one of these words, columns of that name in different tables probably identify the same
 * things.
 */
const IDENTIFIERS: ReadonlySet<string> = new Set('id uuid guid key pubkey hash'.split(' '))
/** Last words of table names that say nothing about the content, such as `table` in `orders_table`. They are ignored. */
const WRAPPERS: ReadonlySet<string> = new Set('dim tbl table all local dist distributed master list v1 v2 v3'.split(' '))
/** If a table's name ends with one of these words, it records changes of another table: `users_history` of `users`. */
const FOLLOWERS: ReadonlySet<string> = new Set('history hist archive audit change changelog event snapshot version'.split(' '))
const TO_ITSELF: ReadonlySet<string> = new Set('parent root previous prev next original replaced'.split(' '))
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['indices', 'index'],
])

/** Splits a name into lower-case singular words: `CustomerIDs` and `customers_id` both become `customer`, `id`. */
export function singularWords(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(?<!\p{Lu})(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .map(singular)
}

/**
 * Returns the names with which a column may refer to a table, longest first: `dz_metro` and `metro` for the table `dz_metros`.
 */
export function tableStems(name: string): readonly string[] {
  const words = [...singularWords(name)]
  while (words.length > 1 && WRAPPERS.has(words.at(-1) ?? '')) words.pop()
  return words.map((_word, at) => words.slice(at).join('_'))
}

/**
 * If a table records changes of another table, returns the other table's stem: `user` for `users_history`. Otherwise returns
 * undefined.
 */
export function followedStem(name: string): string | undefined {
  const words = singularWords(name)
  return words.length > 1 && FOLLOWERS.has(words.at(-1) ?? '') ? words.slice(0, -1).join('_') : undefined
}

/**
 * A column's name, split for a search of the table that it refers to. `customer_id` has the stem `customer` and the key word
 * `id`.
 */
export interface KeyName {
  /** Possible stems of the other table's name, longest first. */
  readonly stems: readonly string[]
  /** The last word of the name if it is a key word, such as `code`. The other table's column may have this name. */
  readonly word: string | undefined
  readonly standsForKey: boolean
  /** True if the column refers to another row of its own table, as `parent_id` does. */
  readonly isToItself: boolean
}

export function keyName(column: string): KeyName {
  const words = [...singularWords(column)]
  // In `metro_1` and `metro_2`, or `device_a` and `device_z`, the last word only numbers the two ends of a link. So it is
  // dropped.
  if (words.length > 1 && /^(\d+|[a-z])$/.test(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1) ?? ''
  const glued = words.length === 1 ? /^(.{3,})(id|key|code|uuid)$/.exec(last) : null
  const all = glued === null ? words : [glued[1] ?? '', glued[2] ?? '']
  const word = all.length > 1 && KEY_WORDS.has(all.at(-1) ?? '') ? all.at(-1) : undefined
  const stem = word === undefined ? words : all.slice(0, -1)
  return {
    // A key word such as `code` is not a stem. Otherwise a column `code` would refer to a table `vendor_codes`.
    stems: stem.map((_word, at) => stem.slice(at).join('_')).filter(text => !KEY_WORDS.has(text)),
    word,
    standsForKey: word === undefined || STANDS_FOR_KEY.has(word),
    isToItself: word !== undefined && stem.length === 1 && TO_ITSELF.has(stem[0] ?? ''),
  }
}

/**
 * Whether columns of this name identify the same kind of thing in every table. `trace_id` does; `id`, `name` and `status` do not.
 */
export function isIdentifierName(column: string): boolean {
  return hasLastWord(column, IDENTIFIERS)
}

/** Whether a column name tells which table's key it is. `vendor_code` does; `code` does not. */
export function isNamedKey(column: string): boolean {
  return hasLastWord(column, KEY_WORDS)
}

function hasLastWord(column: string, wanted: ReadonlySet<string>): boolean {
  const words = singularWords(column)
  return words.length > 1 && wanted.has(words.at(-1) ?? '')
}

function singular(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|sh|ch|x|z|us)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) && word.length > 2 ? word.slice(0, -1) : word
}
