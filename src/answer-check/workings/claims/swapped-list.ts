import { groupsOf } from '../../attachment.ts'
import type { Figure } from '../../figures/figure.ts'
import type { Mention } from '../../mentions.ts'
import type { Problem } from '../../unsupported-figure.ts'
import { isLevel, type OwnedPart, type Sentence } from '../name-mismatch.ts'

/** Matches the text between two figures of a list. The unit of the first figure may be part of it. */
const LIST_JOINT = /^\s?(?:\p{L}{1,4}|%)?(?:,|,?\s(?:and|und|et|y|e))\s[$€]?$/u
/** Matches words before the first figure of a range, such as "between" in "Between 40 and 55". A range is no list. */
const ENDS_BEFORE = /(?<!\p{L})(?:between|from|zwischen|von|entre)\s[$€]?$/iu

type OwnedCell = OwnedPart & { readonly figure: Figure }

/** Reports figures in the wrong order, if a list of figures stands beside a list of as many names: "Oslo, Bern and Riga have 40, 12 and 55". */
export function swappedList(parts: readonly OwnedPart[], { parsed, grounds }: Sentence): Problem | undefined {
  const { text, mentions } = parsed
  for (const cells of cellLists(parts, text)) {
    const [first] = cells
    const result = grounds.results.find(({ id }) => id === first?.query)
    if (result === undefined || first === undefined || ENDS_BEFORE.test(text.slice(0, first.figure.start))) continue
    const named = mentions.filter(({ rows, axis }) => rows.has(result.id) && axis !== 'range')
    for (const axis of new Set(named.map(mention => mention.axis))) {
      const own = named.filter(mention => mention.axis === axis)
      const names = groupsOf(own, text).find(group => group.length === cells.length)
      // If the sentence has other names of this kind, it is not certain which figure belongs to which name.
      if (names === undefined || own.length > names.length || !names.every(name => cells.some(cell => isOf(cell, name)))) continue
      const at = cells.findIndex((cell, index) => {
        const name = names[index]
        return name !== undefined && !isOf(cell, name) && !isLevel(name, cell, result)
      })
      const [cell, name] = [cells[at], names[at]]
      if (cell === undefined || name === undefined) continue
      const said = text.slice(name.start, name.end)
      return { text: cell.figure.text, reason: `${cell.figure.text} stands in the list where ${said} does, whose row it is not` }
    }
  }
  return undefined
}

/** Returns the lists of figures that are each proven by one cell. All figures of a list come from the same column. */
function cellLists(parts: readonly OwnedPart[], text: string): OwnedCell[][] {
  const lists: OwnedCell[][] = []
  for (const part of parts) {
    const { figure } = part
    const isAlone = parts.filter(other => other.figure === figure).length === 1
    if (figure === undefined || !isAlone || !part.isCell || part.rows.length !== 1) continue
    const list = lists.at(-1)
    const last = list?.at(-1)
    const isNext =
      last !== undefined &&
      last.query === part.query &&
      last.column === part.column &&
      LIST_JOINT.test(text.slice(last.figure.end, figure.start))
    if (isNext) list?.push({ ...part, figure })
    else lists.push([{ ...part, figure }])
  }
  return lists.filter(list => list.length > 1)
}

function isOf({ rows, query }: OwnedPart, name: Mention): boolean {
  return rows.every(row => name.rows.get(query)?.includes(row))
}
