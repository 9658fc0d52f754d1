import { groupsOf, scopeOf, segmentOf } from '../attachment.ts'
import { SAYS } from '../figures/wording.ts'
import type { Mention } from '../mentions.ts'
import type { Parsed } from '../parse-text.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'

/** Reports a name that is listed twice, and names that no row holds together. */
export function wrongMix({ text, mentions }: Parsed, results: readonly ResultIndex[]): Problem | undefined {
  for (const axis of new Set(mentions.map(mention => mention.axis))) {
    const list = groupsOf(
      mentions.filter(mention => mention.axis === axis),
      text,
    ).find(group => new Set(group.map(member => member.key)).size < group.length)
    const twice = list?.find((member, index) => list.findIndex(other => other.key === member.key) < index)
    const isAnotherClause = twice && text.slice(list?.[0]?.end, twice.start).includes(';')
    if (
      twice &&
      !isAnotherClause &&
      axis !== 'time' &&
      axis !== 'key' &&
      (isJoined(list ?? [], twice, text) || results.some(result => (twice.rows.get(result.id)?.length ?? 0) === 1))
    ) {
      return { text: twice.key, reason: `${text.slice(twice.start, twice.end)} is listed twice` }
    }
  }
  if (SAYS.none.test(text)) return undefined
  for (const start of new Set(mentions.map(mention => segmentOf(mention, text).start))) {
    const inside = mentions.filter(mention => segmentOf(mention, text).start === start)
    const torn = tornNames(inside, text, results)
    if (torn) return torn
  }
  return undefined
}

/** Whether a name is repeated right behind "and": "Barmenia and Barmenia". */
function isJoined(list: readonly Mention[], twice: Mention, text: string): boolean {
  const before = list[list.indexOf(twice) - 1]
  return before?.key === twice.key && /^\s(?:and|und|et|y|e|og|och|en|i)\s$/u.test(text.slice(before.end, twice.start))
}

/** Reports the names of one clause if no row holds them together. Applies only if each name comes from a different column. */
function tornNames(mentions: readonly Mention[], text: string, results: readonly ResultIndex[]): Problem | undefined {
  const axes = new Set(mentions.map(mention => mention.axis))
  if (mentions.length < 2 || axes.size < mentions.length) return undefined
  const apart = results.every(result => {
    const known = mentions.filter(mention => mention.rows.has(result.id))
    return known.length === mentions.length && ![...scopeOf(known, [result]).values()].some(rows => rows.length > 0)
  })
  if (!apart) return undefined
  const [first] = mentions
  if (
    /,\s(?:where|while|whereas|but|wo|während|aber|où|donde|mientras|tandis)\s/iu.test(
      text.slice(first?.end, mentions.at(-1)?.start),
    )
  )
    return undefined
  const names = mentions.map(mention => text.slice(mention.start, mention.end))
  return { text: names.join(', '), reason: `no row holds ${names.join(' and ')} together` }
}
