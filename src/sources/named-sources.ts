import { isCommon } from '../warehouse/retrieval/words.ts'

/** Words before a source: "in the crm", "aus dem CRM". Any other word may just be the subject, such as "energy" or "support". */
const BEFORE = new Set(['in', 'from', 'within', 'using', 'im', 'aus', 'vom'])
const ARTICLES = new Set(['the', 'our', 'der', 'dem', 'den', 'unserem', 'unserer'])
/** Words after a source: "in the billing database". */
const AFTER = new Set(['source', 'database', 'db', 'datenbank', 'datenquelle'])

/**
 * Returns a function that finds the sources that a text names by their ids: an id with `_` or digits anywhere, others where the
 * text speaks of a place ("in the crm", "from billing") or says nothing else.
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
    tokens.forEach((token, at) => {
      if (known.has(token) && /[_\d]/.test(token)) found.add(token)
      for (const id of byFirstWord.get(token) ?? []) if (isPlace(tokens, at, id.split('_'))) found.add(id)
    })
    return [...found]
  }
}

/** Whether the words of an id begin at a token, with nothing around them that makes them a part of another name. */
function isPlace(tokens: readonly string[], at: number, words: readonly string[]): boolean {
  if (!words.every((word, index) => tokens[at + index] === word)) return false
  const next = tokens[at + words.length]
  if (words.length === tokens.length) return true
  const before = tokens[at - 1] ?? ''
  const isBefore = BEFORE.has(before) || (ARTICLES.has(before) && BEFORE.has(tokens[at - 2] ?? ''))
  return isBefore && (next === undefined || isCommon(next) || AFTER.has(next) || !/[\p{L}\p{N}_]/u.test(next))
}
