import { groupsOf, scopeOf, segmentOf } from '../attachment.ts'
import { HAS_NONE, SAYS } from '../figures/wording.ts'
import type { Mention } from '../mentions.ts'
import type { CheckedText } from '../parse-text.ts'
import { saysColumn } from '../rows/column-words.ts'
import { nameWords } from '../rows/key-name.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'

/** Reports names that no row holds together. Also reports a name that "has none" although its row holds some. */
export function wrongMix({ parsed: { text, mentions }, grounds: { results } }: CheckedText): Problem | undefined {
  for (const mention of mentions) {
    if (!HAS_NONE.test(text.slice(mention.end))) continue
    const [rest = ''] = text
      .slice(mention.end)
      .replace(HAS_NONE, '')
      .split(/[,;.(]|\s(?:and|but|und|aber)\s/)
    const said = (rest.toLowerCase().match(/\p{L}{3,}/gu) ?? []).slice(0, 5)
    const some = results.some(result => {
      const rows = mention.rows.get(result.id) ?? []
      const columns = [...result.numbers.filter(column => !column.key), ...result.times]
      // "No due date" is about `oldest_due` only, not about the row's other columns.
      const cells = columns
        .filter(({ name }) => nameWords(name).length <= 2 && said.some(word => saysColumn(word, name)))
        .flatMap(column => rows.map(row => column.values[row] ?? Number.NaN))
      return cells.length > 0 && cells.every(value => value > 0)
    })
    if (some) return { text: mention.key, reason: `${text.slice(mention.start, mention.end)} does have some in the rows` }
  }
  for (const axis of new Set(mentions.map(mention => mention.axis))) {
    const list = groupsOf(
      mentions.filter(mention => mention.axis === axis),
      text,
    ).find(group => new Set(group.map(member => member.key)).size < group.length)
    const twice = list?.find((member, index) => list.findIndex(other => other.key === member.key) < index)
    if (twice && axis !== 'time' && axis !== 'key')
      return { text: twice.key, reason: `${text.slice(twice.start, twice.end)} is listed twice` }
  }
  if (SAYS.none.test(text)) return undefined
  for (const start of new Set(mentions.map(mention => segmentOf(mention, text).start))) {
    const inside = mentions.filter(mention => segmentOf(mention, text).start === start)
    const torn = tornNames(inside, text, results)
    if (torn) return torn
  }
  return undefined
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
  const names = mentions.map(mention => text.slice(mention.start, mention.end))
  return { text: names.join(', '), reason: `no row holds ${names.join(' and ')} together` }
}
