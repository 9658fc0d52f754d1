import { isCommon } from '../warehouse/retrieval/words.ts'

/** Words before a source: "in the crm", "aus dem CRM". Any other word may just be the subject, such as "energy" or "support". */
const BEFORE = new Set(['in', 'from', 'within', 'using', 'im', 'aus', 'vom'])
/** Words before a source where the text names another one too: "cities of main with their population in files". */
const OF = new Set(['of', 'von', 'des'])
const ARTICLES = new Set(['the', 'our', 'der', 'dem', 'den', 'unserem', 'unserer'])
/** Words between two sources: "in the crm and the billing database". */
const BETWEEN = new Set(['and', 'or', 'und', 'oder', 'sowie', 'vs', 'versus', ',', '&'])
/** Words after a source: "in the billing database". */
const AFTER = new Set(['source', 'database', 'db', 'datenbank', 'datenquelle'])

/**
 * Returns a function that finds the sources that a text names by their ids: an id with `_` or digits anywhere, others where the
 * text speaks of a place ("in the crm", "from billing") or says nothing else. Beside a place, "of main" names a source too.
 */
export function sourceNamer(ids: readonly string[]): (text: string) => readonly string[] {
  const byFirstWord = new Map<string, string[]>()
  for (const id of ids) {
    const first = id.split('_')[0] ?? id
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), id])
  }
  const known = new Set(ids)
  return text => {
    const tokens = text.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s]/gu) ?? []
    const found = new Set<string>()
    const belonging: string[] = []
    const ends = new Set<number>()
    tokens.forEach((token, at) => {
      if (known.has(token) && /[_\d]/.test(token)) found.add(token)
      for (const id of byFirstWord.get(token) ?? []) {
        const words = id.split('_')
        if (isPlace(tokens, at, words, { before: OF, ends })) belonging.push(id)
        if (!isPlace(tokens, at, words, { before: BEFORE, ends })) continue
        found.add(id)
        const end = at + words.length
        ends.add(AFTER.has(tokens[end] ?? '') ? end + 1 : end)
      }
    })
    return [...new Set([...found, ...(found.size > 0 ? belonging : [])])]
  }
}

/**
 * Whether the words of an id begin at a token, with nothing around them that makes them a part of another name.
 * @param around.before the words that speak of a place, and where the sources before it end
 */
function isPlace(
  tokens: readonly string[],
  at: number,
  words: readonly string[],
  { before, ends }: { readonly before: ReadonlySet<string>; readonly ends: ReadonlySet<number> },
): boolean {
  if (!words.every((word, index) => tokens[at + index] === word)) return false
  const next = tokens[at + words.length]
  if (words.length === tokens.length) return true
  const from = ARTICLES.has(tokens[at - 1] ?? '') ? at - 2 : at - 1
  const word = tokens[from] ?? ''
  const isBefore = before.has(word) || (BETWEEN.has(word) && ends.has(from))
  return isBefore && (next === undefined || isCommon(next) || AFTER.has(next) || !/[\p{L}\p{N}_]/u.test(next))
}
